"""A program that speaks as `lean --json` does, so that what surrounds Lean is tested without one."""

import sys
from pathlib import Path

from lean_check import batch
from lean_check.toolchains import Toolchain, python_executable

# The source says in the name of its theorem, `fake_MODE`, what the program shall do.
SCRIPT = r"""
import json, os, re, sys, time
source = open(sys.argv[-1], encoding="utf-8").read()
assert "--json" in sys.argv
mode = re.search(r"theorem fake_(\w+)", source)
mode = mode.group(1) if mode else "fine"
marker = re.findall(r"#check ∀ \((\w+) : Prop\)", source)[-1]

def say(severity, text, line=1, column=0, kind="[anonymous]"):
    rest = {"caption": "", "endPos": None, "fileName": sys.argv[-1], "isSilent": False, "keepFullRange": False}
    place = {"column": column, "line": line}
    print(json.dumps({**rest, "data": text, "kind": kind, "pos": place, "severity": severity}), flush=True)

def end(code=0):
    say("information", f"∀ ({marker} : Prop), {marker} : Prop", source.count("\n"))
    os._exit(code)

if mode == "fine":
    end()
if mode == "mismatch":
    say("error", "Type mismatch\n  Eq.refl a\nhas type\n  Eq a a", 2, 7)
    end(1)
if mode == "error_exit_zero":
    say("error", "unsolved goals\n⊢ False", 1, 3)
    end(0)
if mode == "sorry_new":
    say("warning", "declaration uses `sorry`", 1, 8, "hasSorry")
    end()
if mode == "sorry_old":
    say("warning", "declaration uses 'sorry'", 1, 8)
    end()
if mode == "stops_early":
    os._exit(0)
if mode == "behind_the_end":
    say("error", "unexpected token '#check'; expected term", source.count("\n"), 4)
    end(1)
if mode == "no_mathlib":
    say("error", "unknown module prefix 'Mathlib'\n\nNo directory 'Mathlib' or file 'Mathlib.olean'")
    os._exit(1)
if mode == "no_such_module":
    say("error", "unknown module prefix 'Nowhere'\n\nNo directory 'Nowhere' or file 'Nowhere.olean'")
    os._exit(1)
if mode == "crash":
    print("Segmentation fault", file=sys.stderr, flush=True)
    os.kill(os.getpid(), 11)
if mode == "usage":
    print("unrecognized option '--json'", file=sys.stderr, flush=True)
    os._exit(1)
if mode == "stack_overflow":
    print("\nStack overflow detected. Aborting.", file=sys.stderr, flush=True)
    os.abort()
if mode == "spin":
    while True:
        pass
if mode == "sleep":
    time.sleep(600)
if mode == "flood":
    while True:
        print("x" * 100_000)
if mode == "memory":
    hold = []
    while True:
        hold.append(bytearray(b"x" * 10_000_000))
if mode == "fork":
    for _ in range(60):
        if os.fork() == 0:
            os.setsid()
            time.sleep(600)
    time.sleep(600)
if mode == "garbage":
    sys.stdout.write("[" * 50_000 + "\n{\"severity\": \"error\"\nnull\n7\n" + "9" * 5000 + "\n")
    print(json.dumps({"severity": "warning", "data": "half \ud800", "pos": "here"}), flush=True)
    end()
"""


def fake_toolchain(folder: Path) -> Toolchain:
    """A toolchain whose Lean is the script above, run by this Python."""
    script = folder / "fake_lean.py"
    script.write_text(SCRIPT, encoding="utf-8")
    base = Path(sys.base_prefix).resolve()
    binds = (script, *(base / part for part in ("bin", "lib") if (base / part).is_dir()))
    return Toolchain("fake", "4.0.0", (python_executable(), "-I", "-S", str(script)), binds)


def source(mode: str) -> str:
    """A text that passes the screening and makes the script do `mode`."""
    return f"theorem fake_{mode} : True :=\n  True.intro\n"


def counted_checks(monkeypatch) -> list[str]:
    """The names of the texts that a batch judges from now on, in order."""
    names, real = [], batch.check

    def counted(text, **options):
        names.append(options["name"])
        return real(text, **options)

    monkeypatch.setattr(batch, "check", counted)
    return names
