import asyncio
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.llm.calls import Call, Schema
from resources.llm.providers import PROVIDERS, ProviderSettings
from resources.llm.tokens import AUDIO, IMAGE, text_tokens, text_tokens_at_most, tokens_of
from stepforge.asking import ModelRequest, Part, Sampling, system, user
from stepforge.prompting import PROMPTS
from stepforge.vocabulary import PartKind

HASH = "0" * 64
texts = st.text(st.characters(codec=None), max_size=300)  # lone surrogates, too
images = st.just(Part(kind=PartKind.IMAGE, sha256=HASH, media_type="image/png"))
sounds = st.just(Part(kind=PartKind.AUDIO, sha256=HASH, media_type="audio/wav"))
contents = st.lists(texts | images | sounds, min_size=1, max_size=4)
messages = st.lists(contents.map(lambda parts: user(*parts)), max_size=4)


def call(*said, schema=None, model="gpt-5-mini", max_output_tokens=None):
    request = ModelRequest(request_id="r", role="solver", messages=tuple(said))
    return Call(request, "openai", model, model, Sampling(max_output_tokens=max_output_tokens), schema)


@given(texts)
def test_the_bound_of_a_text_is_at_least_what_is_expected_of_it(text):
    assert 0 <= text_tokens(text) <= text_tokens_at_most(text)


@given(texts, texts)
def test_a_longer_text_is_never_expected_to_have_fewer_tokens(text, more):
    assert text_tokens(text + more) >= max(text_tokens(text), text_tokens(more))
    assert text_tokens_at_most(text + more) == text_tokens_at_most(text) + text_tokens_at_most(more)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("abcd" * 100, 100), ("三角形的内角和", 7), ("三角形" * 100, 300), ("角ABC等于90度", 6)],
)
def test_four_latin_characters_or_one_chinese_one_are_a_token(text, tokens):
    assert text_tokens(text) == tokens


@given(messages)
def test_the_bound_of_a_call_is_at_least_what_is_expected_of_it(said):
    tokens = tokens_of(call(*said))
    assert 0 <= tokens.expected <= tokens.at_most
    assert 0 <= tokens.audio_at_most <= tokens.at_most


@given(messages, contents)
def test_one_more_message_never_makes_a_call_smaller(said, more):
    before, after = tokens_of(call(*said)), tokens_of(call(*said, user(*more)))
    assert after.expected > before.expected
    assert after.at_most > before.at_most
    assert after.audio_at_most >= before.audio_at_most


@given(messages)
def test_the_bound_covers_every_byte_of_every_text(said):
    parts = [part for message in said for part in message.parts if part.kind is PartKind.TEXT]
    assert tokens_of(call(*said)).at_most >= sum(text_tokens_at_most(part.text or "") for part in parts)


def test_an_image_and_a_sound_count_a_fixed_number():
    plain = tokens_of(call(user("look"))).expected
    image = Part(kind=PartKind.IMAGE, sha256=HASH)
    sound = Part(kind=PartKind.AUDIO, sha256=HASH)
    assert tokens_of(call(user("look", image, image))).expected == plain + 2 * IMAGE
    assert tokens_of(call(user("look", sound))).expected == plain + AUDIO


def test_a_model_that_counts_images_dearer_has_a_higher_bound():
    said = user("look", Part(kind=PartKind.IMAGE, sha256=HASH))
    assert tokens_of(call(said, model="gpt-4o-mini")).at_most - tokens_of(call(said, model="gpt-4o")).at_most > 35_000


def test_a_schema_is_sent_and_counted():
    schema = Schema(
        "Answer", {"type": "object", "properties": {"answer": {"type": "string", "description": "x" * 400}}}
    )
    with_it, without = tokens_of(call(user("hi"), schema=schema)), tokens_of(call(user("hi")))
    assert with_it.expected >= without.expected + 100
    assert with_it.at_most >= without.at_most + 400


def test_system_messages_count_too():
    assert tokens_of(call(system("You are careful."), user("hi"))).expected > tokens_of(call(user("hi"))).expected


async def _counted(calls):
    """Input tokens as the packaged model counts them."""
    kind = PROVIDERS["local"]
    provider = kind.open(ProviderSettings(kind="local"), None, lambda _hash: b"", 1)
    try:
        return [kind.read(await provider.send(one, 100)).usage.tokens_in for one in calls]
    finally:
        await provider.close()


@pytest.mark.slow
@pytest.mark.skipif(find_spec("xllamacpp") is None, reason="the extra `local` is not installed")
def test_a_real_tokenizer_stays_under_the_bound_and_near_what_is_expected():
    """Gemma's, with 262,144 pieces and bytes for what has none."""
    hard = ["\\frac{\\sqrt{x^{2}+1}}{3} " * 20, "∠ABC≥∠DEF ∥ √ " * 20, "🎲𠮷" * 50, "7919" * 100, "\u0378\u0530" * 60]
    plain = [p for p in PROMPTS.values() if not (p.front.data or p.front.variables)]
    both = ["\n".join(p.render().text for p in plain if p.front.language == language) for language in ("en", "zh")]
    calls = [call(user(text), model="gemma-3-270m", max_output_tokens=1) for text in ("\n".join(hard), *both)]
    counted, guessed = asyncio.run(_counted(calls)), [tokens_of(one) for one in calls]
    assert all(0 < real <= guess.at_most for real, guess in zip(counted, guessed, strict=True))
    for real, guess in zip(counted[1:], guessed[1:], strict=True):
        assert real / 1.5 < guess.expected < real * 1.5
