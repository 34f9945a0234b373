"""OpenAI's chat completions, and every server that speaks them: vLLM, DeepSeek, llama.cpp, …"""

from pydantic import SecretStr

from resources.llm.providers import PROVIDERS, LoadMedia, Provider, ProviderKind, ProviderSettings
from resources.llm.providers._openai_wire import read_reply
from stepforge.vocabulary import PartKind

KEY_ENV = "OPENAI_API_KEY"


def _open(settings: ProviderSettings, key: SecretStr | None, load_media: LoadMedia, connections: int) -> Provider:
    from resources.llm.providers._openai_provider import OpenAIProvider  # noqa: PLC0415 - the SDK takes a second

    return OpenAIProvider(settings, key, load_media, connections, KEY_ENV)


PROVIDERS.register(
    ProviderKind(
        name="openai",
        open=_open,
        read=read_reply,
        reads=frozenset(PartKind),
        default_key_env=KEY_ENV,
    )
)
