"""Systems that are scored: the controls `oracle` and `null`, and whatever the user adds."""

import hashlib

from pydantic import BaseModel, ConfigDict, Field
from upath import UPath

from resources.atomic import write_atomic
from stepforge.errors import BadRequest, PipelineError

CONTROLS = ("null", "oracle")  # calibrate the scorer in every release


class SystemSpec(BaseModel):
    """One system and where its replies come from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    solver: str
    replies_sha256: str | None = Field(default=None, description="file of replies in the content store")
    reply_field: str = Field(default="reply", description="dotted path of the reply in a row of that file")
    partial: bool = Field(default=False, description="tasks without a reply are out of scope rather than wrong")
    role: str | None = Field(default=None, description="role of models.toml that is asked")
    samples: int = Field(default=1, ge=1, le=1000, description="replies a task")
    limit: int | None = Field(default=None, ge=1, description="tasks that are asked; the rest is out of scope")
    merge_images: bool = Field(default=False, description="the figures of a task are sent as one image")
    text_only: bool = Field(default=False, description="tasks with figures are not accessible to it")

    def version(self) -> str:
        """Hash of all that the system's replies depend on."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]


class Systems:
    """The system files under `root`; the controls need none."""

    def __init__(self, root: UPath) -> None:
        self._root = root

    def names(self) -> list[str]:
        """All systems, sorted, the controls included."""
        own = {p.stem for p in self._root.glob("*.json")} if self._root.exists() else set()
        return sorted(own | set(CONTROLS))

    def get(self, name: str) -> SystemSpec:
        """The system.  Raises: BadRequest if there is no such system."""
        if name in CONTROLS:
            return SystemSpec(name=name, solver=name)
        if name not in self.names():
            raise BadRequest(f"there is no system {name!r}; there are: {', '.join(self.names())}")
        path = self._root / f"{name}.json"
        try:
            return SystemSpec.model_validate_json(path.read_bytes())
        except ValueError:
            raise PipelineError(
                f"{path} is damaged; add the system again: stepforge system add {name} --replace"
            ) from None

    def remove(self, name: str) -> None:
        """Forget the system.  Raises: BadRequest for a control or an unknown name."""
        if name in CONTROLS or name not in self.names():
            raise BadRequest(f"{name!r} is no system that was added; there are: {', '.join(self.names())}")
        (self._root / f"{name}.json").unlink()

    def put(self, spec: SystemSpec) -> None:
        """Store the system.  Raises: BadRequest for the name of a control."""
        if spec.name in CONTROLS:
            raise BadRequest(f"{spec.name!r} is a control and cannot be replaced; use another name")
        write_atomic(self._root / f"{spec.name}.json", spec.model_dump_json(indent=1).encode())
