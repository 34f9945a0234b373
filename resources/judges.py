"""Who judges in a home: the judge roles of `models.toml`, and their version."""

import hashlib
import json

from resources.home import Home
from resources.llm.providers import PROVIDERS
from stepforge.judges import RUBRICS
from stepforge.panel import FIRST, SECOND, Panel, Seat
from stepforge.vocabulary import PartKind


def judge_roles() -> tuple[str, ...]:
    """The roles that a judge may have: `judge`, `second_judge`, and those that a rubric has of its own."""
    return (FIRST, SECOND, *sorted({rubric.own_role for rubric in RUBRICS if rubric.own_role}))


def panel_of(home: Home) -> Panel:
    """The judges that are configured; none if there is no judge role.  Raises: BadInput if models.toml is wrong."""
    config = home.models
    seats = {}
    for role in judge_roles():
        if role in config.roles:
            model = config.model_of(role)
            reads = PROVIDERS[config.providers[model.provider].kind].reads
            name = config.roles[role].model
            seats[role] = Seat(role, model.model or name, PartKind.IMAGE in reads, config.roles[role].share)
    return Panel(seats)


def judges_version(home: Home) -> str:
    """16 hex digits over all that bears on who is asked what: the judge roles, their models and parameters, whether
    they read figures, and their shares; `none` if there is no judge."""
    panel = panel_of(home)
    if not panel.seats:
        return "none"
    said = [[role, home.models.role_version(role), seat.figures, seat.share] for role, seat in panel.seats.items()]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]
