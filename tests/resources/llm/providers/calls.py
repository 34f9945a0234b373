"""Calls that tests send."""

from resources.llm.calls import Call, Schema
from stepforge.asking import ModelRequest, Part, Sampling, system, user
from stepforge.vocabulary import PartKind

PNG, WAV = b"\x89PNG picture", b"RIFF sound"
MEDIA = {"1" * 64: PNG, "2" * 64: WAV}
IMAGE = Part(kind=PartKind.IMAGE, sha256="1" * 64, media_type="image/png")
AUDIO = Part(kind=PartKind.AUDIO, sha256="2" * 64, media_type="audio/wav")
SCHEMA = Schema(
    name="Verdict",
    body={
        "type": "object",
        "properties": {"right": {"type": "boolean"}},
        "required": ["right"],
        "additionalProperties": False,
    },
)


def call(*parts, sampling=None, schema=None, sample=0, messages=None, model="model-x"):
    asked = messages or (system("You check."), user(*(parts or ("Is 2 + 2 = 4?",))))
    request = ModelRequest(request_id="r1", role="judge", messages=asked, sample=sample)
    return Call(request, "prov", "m", model, sampling or Sampling(), schema)
