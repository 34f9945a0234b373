"""Who labels in a home: the three labelling roles of `models.toml`, and their version."""

import hashlib
import json

from resources.home import Home
from resources.llm.providers import PROVIDERS
from stepforge.errors import BadInput
from stepforge.labels import ROLES, Labeller
from stepforge.vocabulary import PartKind


def labellers_of(home: Home) -> tuple[Labeller, ...]:
    """The three voters; none if no labelling role is configured.  Raises: BadInput if only some of the three are there,
    or if models.toml is wrong."""
    config = home.models
    there = [role for role in ROLES if role in config.roles]
    if not there:
        return ()
    if len(there) < len(ROLES):
        missing = ", ".join(f"[roles.{role}]" for role in ROLES if role not in there)
        raise BadInput(f"{config.path}: a majority needs three labelling models; add {missing}, or remove the others")
    kinds = [config.providers[config.model_of(role).provider].kind for role in there]
    return tuple(
        Labeller(role, PartKind.IMAGE in PROVIDERS[kind].reads) for role, kind in zip(there, kinds, strict=True)
    )


def labellers_version(home: Home) -> str:
    """16 hex digits over who votes: the roles' models and parameters, and whether they read figures; `rules` if nobody
    does."""
    voters = labellers_of(home)
    if not voters:
        return "rules"
    said = [[voter.role, home.models.role_version(voter.role), voter.figures] for voter in voters]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]
