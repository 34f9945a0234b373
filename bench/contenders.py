"""One way to ask a model all questions, as a program of its own that can be timed and killed.

python bench/contenders.py NAME JSON        (JSON: url, count, slots, folder)

The last line on stdout says how long the asking took and how many rows came out. Only the standard library is imported
at the top, so that peers of the gateway run under an interpreter of their own.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CONTENDERS: dict[str, Callable[..., dict[str, float]]] = {}
TIMEOUT_S = 30


def contender(run: Callable[..., dict[str, float]]) -> Callable[..., dict[str, float]]:
    CONTENDERS[run.__name__] = run
    return run


def question(i: int) -> str:
    return f"Problem {i}: what remains? " * 40


def timed(work: Callable[[], int]) -> dict[str, float]:
    """Seconds of the asking alone, on the clock and of this process, and the rows that it brought."""
    began, cpu = time.perf_counter(), time.process_time()
    rows = work()
    return {"wall_s": time.perf_counter() - began, "asking_cpu_s": time.process_time() - cpu, "rows": rows}


def peak_mib() -> float:
    """Most memory that this process held; nan where Linux does not tell it.  `ru_maxrss` is at least what the parent
    held when it started this one."""
    status = Path("/proc/self/status")
    return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024 if status.exists() else float("nan")


@contender
def gateway(url: str, count: int, slots: int, folder: str, replay: bool = False) -> dict[str, float]:
    """Ours."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    if not replay:
        import openai  # noqa: F401, PLC0415 - before the clock starts, as with the others; a replay needs no SDK
    from resources.llm.config import ModelsConfig  # noqa: PLC0415
    from resources.llm.gateway import Gateway  # noqa: PLC0415
    from resources.llm.providers import ProviderSettings  # noqa: PLC0415
    from resources.llm.stores import open_store  # noqa: PLC0415
    from stepforge.asking import ModelReply, ModelRequest, user  # noqa: PLC0415

    provider = ProviderSettings(kind="openai", base_url=url)
    limits = {"concurrency": slots, "timeout_s": TIMEOUT_S, "input_usd_per_million": 1, "output_usd_per_million": 2}
    config = ModelsConfig.single(provider, "wire", limits=limits, parameters={"max_output_tokens": 1000})
    store = open_store(Path(folder) / "replies.sqlite")
    requests = (
        ModelRequest(request_id=f"r{i:06d}", role="solver", messages=(user(question(i)),)) for i in range(count)
    )

    def work() -> int:
        with Gateway(config, store, lambda _: b"", run="bench", replay_only=replay) as asked:
            return sum(isinstance(answered, ModelReply) for answered in asked.ask(requests))

    try:
        return timed(work)
    finally:
        store.close()


@contender
def bare_http(url: str, count: int, slots: int, folder: str) -> dict[str, float]:  # noqa: ARG001
    """aiohttp alone: no retry, no store, nothing is checked."""
    import aiohttp  # noqa: PLC0415

    async def ask_all() -> int:
        rows, numbers = 0, iter(range(count))
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=slots)) as session:

            async def worker() -> None:
                nonlocal rows
                for i in numbers:
                    body = {"model": "wire", "messages": [{"role": "user", "content": question(i)}]}
                    try:
                        async with session.post(f"{url}/chat/completions", json=body) as answer:
                            reply = await answer.json()
                            rows += bool(reply["choices"][0]["message"]["content"])
                    except (aiohttp.ClientError, KeyError, IndexError, ValueError):
                        continue

            await asyncio.gather(*(worker() for _ in range(slots)))
        return rows

    return timed(lambda: asyncio.run(ask_all()))


@contender
def openai_sdk(url: str, count: int, slots: int, folder: str) -> dict[str, float]:  # noqa: ARG001
    """The OpenAI SDK as it comes (two retries) behind a semaphore."""
    import openai  # noqa: PLC0415

    async def ask_all() -> int:
        semaphore = asyncio.Semaphore(slots)
        async with openai.AsyncOpenAI(base_url=url, api_key="none", timeout=TIMEOUT_S) as client:

            async def ask(i: int) -> bool:
                async with semaphore:
                    try:
                        reply = await client.chat.completions.create(
                            model="wire", messages=[{"role": "user", "content": question(i)}]
                        )
                        return bool(reply.choices[0].message.content)
                    except (openai.OpenAIError, LookupError):
                        return False

            return sum(await asyncio.gather(*(ask(i) for i in range(count))))

    return timed(lambda: asyncio.run(ask_all()))


@contender
def inspect_ai(url: str, count: int, slots: int, folder: str) -> dict[str, float]:
    """inspect-ai: one sample a question; a set of evaluations that was interrupted is gone on with."""
    os.environ |= {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": url, "INSPECT_DISPLAY": "none"}
    from inspect_ai import Task, eval_set, task  # noqa: PLC0415
    from inspect_ai.dataset import MemoryDataset, Sample  # noqa: PLC0415
    from inspect_ai.log import read_eval_log  # noqa: PLC0415
    from inspect_ai.solver import generate  # noqa: PLC0415

    @task  # type: ignore[untyped-decorator]
    def problems() -> Any:
        return Task(dataset=MemoryDataset([Sample(input=question(i), id=i) for i in range(count)]), solver=generate())

    def work() -> int:
        options = {"max_connections": slots, "max_samples": slots, "fail_on_error": False, "retry_attempts": 0}
        _, logs = eval_set(
            problems(), log_dir=f"{folder}/logs", model="openai/wire", model_args={"responses_api": False}, **options
        )
        samples = read_eval_log(logs[0].location).samples or []
        return sum(bool(sample.output.completion) for sample in samples)

    return timed(work)


@contender
def curator(url: str, count: int, slots: int, folder: str) -> dict[str, float]:
    """bespokelabs-curator with its own cache."""
    os.environ |= {"CURATOR_CACHE_DIR": folder, "TELEMETRY_ENABLED": "0", "CURATOR_DISABLE_RICH_DISPLAY": "1"}
    os.environ |= {"OPENAI_API_KEY": "none", "HF_HUB_OFFLINE": "1"}
    import tiktoken  # noqa: PLC0415

    # it downloads its tokenizer at first use; one token a byte does as well, with rates that limit nothing
    single_bytes = tiktoken.Encoding(
        "bytes", pat_str=r"[\s\S]", mergeable_ranks={bytes([i]): i for i in range(256)}, special_tokens={}
    )
    tiktoken.get_encoding = tiktoken.encoding_for_model = lambda _: single_bytes
    from bespokelabs import curator as peer  # noqa: PLC0415

    class Asker(peer.LLM):  # type: ignore[misc, name-defined]
        def prompt(self, row: dict[str, Any]) -> str:
            return str(row["question"])

        def parse(self, row: dict[str, Any], response: str) -> dict[str, Any]:
            return {"id": row["id"], "reply": response}

    limits = {
        "base_url": url,
        "max_concurrent_requests": slots,
        "max_requests_per_minute": 1_000_000,
        "max_tokens_per_minute": 1_000_000_000,
        "require_all_responses": False,
    }
    rows = [{"id": i, "question": question(i)} for i in range(count)]

    def work() -> int:
        answered = Asker(model_name="wire", backend="openai", backend_params=limits)(rows)
        found = answered.dataset if hasattr(answered, "dataset") else answered
        return sum(bool(reply) for reply in found["reply"])

    return timed(work)


@contender
def distilabel(url: str, count: int, slots: int, folder: str) -> dict[str, float]:
    """distilabel with its own cache."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "DISTILABEL_LOG_LEVEL": "WARNING"}
    from distilabel.models import OpenAILLM  # noqa: PLC0415
    from distilabel.pipeline import Pipeline  # noqa: PLC0415
    from distilabel.steps import LoadDataFromDicts  # noqa: PLC0415
    from distilabel.steps.tasks import TextGeneration  # noqa: PLC0415

    with Pipeline("bench", cache_dir=folder) as pipeline:
        rows = [{"instruction": question(i)} for i in range(count)]
        load = LoadDataFromDicts(data=rows, batch_size=slots)
        model = OpenAILLM(model="wire", base_url=url, api_key="none", max_retries=6)
        ask = TextGeneration(llm=model, input_batch_size=slots)
        load >> ask

    def work() -> int:
        found = pipeline.run(use_cache=True)["default"]["train"]
        return sum(bool(reply) for reply in found["generation"])

    return timed(work)


def main() -> None:
    name, options = sys.argv[1], json.loads(sys.argv[2])
    if name == "which":  # which of the peers this interpreter can run
        import importlib.util  # noqa: PLC0415

        modules = {"inspect_ai": "inspect_ai", "curator": "bespokelabs", "distilabel": "distilabel"}
        print(json.dumps([peer for peer, module in modules.items() if importlib.util.find_spec(module)]))
        return
    measured = CONTENDERS[name](**options)
    print(json.dumps({**measured, "peak_mib": peak_mib()}), flush=True)


if __name__ == "__main__":
    main()
