"""A process that uses a reply store, for tests of what several do at once and of what a kill leaves.

python -m tests.resources.llm.store_process WHAT SEED, with the store's place in STEPFORGE_REPLIES: it says what it did
in lines on standard output and waits for lines on standard input.
"""

import json
import os
import random
import sys
from datetime import UTC, datetime
from itertools import count

from resources.llm.stores import ENVIRONMENT, new_owner, open_store
from tests.resources.llm.stored import paid, reply

GROUP = 7  # replies in one transaction
KEYS = [f"key-{i:04}" for i in range(1_000)]
SHARED = 160  # questions that all of the mixed processes want answered


def say(value):
    print(json.dumps(value), flush=True)


def body(i, seed):
    return (f"{seed}:{i}:" * 2_000).encode()[: 200 + i % 9_000]


def put(store, owner, seed):
    """Put groups without end; say the number of each when its `put_many` has returned."""
    for group in count():
        replies = [reply(i, body=body(i, seed)) for i in range(group * GROUP, (group + 1) * GROUP)]
        store.put_many(paid(*replies), owner)
        say(group)


def hold(store, owner, seed):
    """Claim keys, say which, and live on."""
    say(sorted(store.claim(KEYS[:50], owner).mine))
    sys.stdin.readline()


def race(store, owner, seed):
    """Claim all keys in an order of its own, a few at a time; say what it won and what others have."""
    order = random.Random(seed).sample(KEYS, len(KEYS))
    say("ready")
    sys.stdin.readline()
    parts = [store.claim(order[i : i + 10], owner) for i in range(0, len(order), 10)]
    say([sorted(k for p in parts for k in p.mine), sorted(k for p in parts for k in p.others)])
    sys.stdin.readline()


def mixed(store, owner, seed):
    """Get every shared question answered: read, claim, put what was won, wait for what others won; say what it paid."""
    say("ready")
    sys.stdin.readline()
    rng, bought = random.Random(seed), []
    missing = {reply(i).key: i for i in range(SHARED)}
    while missing:
        some = rng.sample(sorted(missing), min(12, len(missing)))
        store.register(owner, datetime.now(UTC))
        for key in store.get_many(some):
            del missing[key]
        wanted = [key for key in some if key in missing]
        mine = store.claim(wanted, owner).mine
        store.put_many(paid(*(reply(missing[key], body=body(missing[key], seed)) for key in mine)), owner)
        bought += [missing.pop(key) for key in mine]
    say(sorted(bought))


def main():
    what, seed = sys.argv[1], int(sys.argv[2])
    store, owner = open_store(os.environ[ENVIRONMENT]), new_owner()
    store.register(owner, datetime.now(UTC))
    {"put": put, "hold": hold, "race": race, "mixed": mixed}[what](store, owner, seed)
    store.close()


if __name__ == "__main__":
    main()
