"""The page: figures and tables put into the template, every text escaped."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from stepforge.report import sections, sections_systems, sections_tables, tables
from stepforge.report.correctness import correctness_matrix
from stepforge.report.drawer import Drawer
from stepforge.report.formats import count, dollars
from stepforge.report.glossary import CONTROLS, HEADLINE, TERMS
from stepforge.report.lean_kinds import MEANINGS
from stepforge.report.model import ModelCost, ReportInput, VersionRow
from stepforge.report.safety import printable
from stepforge.report.tables import StageSum
from stepforge.report.templates import environment

MAX_REJECTIONS = 100  # enough to see every kind of fault, few enough to read on a phone


class Tile(NamedTuple):
    """A headline number."""

    key: str
    label: str
    text: str


def draw(report: ReportInput) -> str:
    """The page as HTML, in UTF-8 characters only.  One file; no script, no network, no other file."""
    return printable(environment().get_template("template.html.j2").render(_context(report)).strip() + "\n")


def _context(report: ReportInput) -> dict[str, Any]:
    drawer = Drawer()
    stages = tables.sum_stages(report.stages)
    scores = tables.Scores(report.rows)
    board, detection, we_math = scores.leaderboard(), scores.detection(), scores.we_math()
    return {
        "report": report,
        "versions": [VersionRow(*row) for row in report.data_versions],
        "tiles": _tiles(report, stages, scores.systems),
        "stages": stages,
        "funnel": sections.funnel_figures(drawer, stages),
        "composition": sections.composition_figures(drawer, report),
        "board": board,
        "board_figures": sections.interval_figures(drawer, "leaderboard", board),
        "faults": scores.control_faults(),
        "letters": sections_systems.letters_of(report.significance),
        "pairs": sections_systems.pair_matrices(report.significance, scores.systems),
        "scatter": sections_systems.scatter_figures(drawer, board),
        "length_figures": sections.length_figures(drawer, scores.by_length()),
        "group_figures": sections_systems.group_figures(drawer, scores),
        "process_figures": sections.length_figures(
            drawer, scores.breakdown("step_length", sections_tables.PCS), sections_tables.PCS
        ),
        "delta": sections_tables.delta_table(scores),
        "capabilities": sections_systems.capability_figures(drawer, report.rows, scores.systems),
        "detection": detection,
        "detection_figures": sections.interval_figures(drawer, "detection", detection),
        "we_math": we_math,
        "we_math_figures": [
            *sections_systems.state_figures(drawer, we_math),
            *sections.interval_figures(drawer, "we-math", tables.only(we_math, tables.is_we_math_score)),
        ],
        "sensitivity": sections_tables.sensitivity_table(report.sensitivity),
        "sensitivity_figures": sections_systems.sensitivity_figures(drawer, report.sensitivity),
        "judges": sections_tables.judge_tables(report.judges, report.agreements),
        "errors": sections_tables.error_table(report.errors),
        "costs": sections_tables.cost_table(report.costs, scores.systems),
        "undecided": sections_tables.undecided_table(report.undecided, scores.systems),
        "contamination": scores.contamination(),
        "reviews": sections_tables.review_tables(report.reviews),
        "splits": sections_tables.split_table(report.splits),
        "others": scores.others(),
        "breakdowns": scores.breakdowns(),
        "rejections": report.rejections_sample[:MAX_REJECTIONS],
        "models": report.models,
        "lean": tables.lean_tables(report.lean),
        "kind_meanings": MEANINGS,
        "agreement": report.agreement,
        "correctness": correctness_matrix(report.rows, scores.systems),
        "licences": tables.licences(report.tasks),
        "metrics": HEADLINE,
        "terms": TERMS,
        "controls": CONTROLS,
    }


def _tiles(report: ReportInput, stages: Sequence[StageSum], systems: Sequence[str]) -> list[Tile]:
    """Problems read are the rows of the stage `problems`, or what came into the first stage where there is none."""
    read = next((s.n_out for s in stages if s.stage == "problems"), stages[0].n_in if stages else 0)
    scored = [system for system in systems if system not in CONTROLS]
    return [
        Tile("problems", "problems in", count(read)),
        Tile("kept", "problems kept", count(tables.problem_count(report.tasks))),
        Tile("tasks", "tasks out", count(len(report.tasks))),
        Tile("systems", f"systems, + {len(systems) - len(scored)} controls", count(len(scored))),
        Tile("stages", "stages", count(len(stages))),
        _cost_tile(report.models),
    ]


def _cost_tile(models: Sequence[ModelCost]) -> Tile:
    unpriced = sum(m.unpriced for m in models)
    label = "cost in USD" + (f", + {count(unpriced)} replies without a price" if unpriced else "")
    return Tile("cost", label, dollars(sum((m.cost_usd for m in models), Decimal())))
