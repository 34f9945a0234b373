"""The packaged model, through the gateway."""

from datetime import UTC, datetime

import pytest
from pydantic import Field

from resources.llm.config import ModelsConfig
from resources.llm.gateway import Gateway
from resources.llm.providers import PROVIDERS, ProviderSettings
from resources.llm.stores import open_store
from stepforge.asking import ModelFailure, ModelReply, ModelRequest, user
from stepforge.records import Record


class Sum(Record):
    """A sum of two numbers."""

    total: int = Field(description="the sum")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_local_model_answers_a_plain_and_a_structured_request_and_a_rerun_needs_no_server(tmp_path):
    missing = PROVIDERS["local"].installed()
    if missing:
        pytest.skip(f"the local model is not installed: {missing}")
    config = ModelsConfig.single(
        ProviderSettings(kind="local"),
        "gemma-3-270m",
        limits={"concurrency": 1, "timeout_s": 600, "deadline_s": 800},
        parameters={"max_output_tokens": 48, "temperature": 0.0, "budget_usd": "0.01"},
    )
    plain = ModelRequest(request_id="plain", role="solver", messages=(user("What is 2 + 2? Answer with a number."),))
    structured = plain.model_copy(update={"request_id": "structured"})
    store = open_store(tmp_path / "replies.sqlite")
    answers = []
    for _ in range(2):
        with Gateway(config, store, lambda _: b"", run="r", now=lambda: datetime(2026, 5, 4, tzinfo=UTC)) as gateway:
            said = gateway.ask_all([plain])["plain"]
            made = gateway.ask_all([structured], Sum)["structured"]
            answers.append((said, made, gateway.totals.sent))
    (said, made, sent), (said_again, made_again, sent_again) = answers
    # a small model may write to its limit: then the reply is there and is said to be cut
    assert isinstance(said, ModelReply) or (isinstance(said, ModelFailure) and said.kind == "truncated" and said.reply)
    assert isinstance(made, ModelReply), made
    assert Sum.model_validate_json(made.structured)
    assert made.tokens_in > 0
    assert made.cost_usd == "0"
    assert (sent, sent_again) == (2, 0)
    assert made_again.structured == made.structured
    assert (said_again.text if isinstance(said, ModelReply) else said_again.reply) == (
        said.text if isinstance(said, ModelReply) else said.reply
    )
    store.close()
