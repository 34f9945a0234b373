"""The page of `docs/` about metrics, out of their registry."""

import sys

from stepforge.metrics._base import METRICS, Metric, Row
from stepforge.metrics._rows import fields
from stepforge.metrics.comparison import ALPHA

BETTER = {"higher": "↑", "lower": "↓", "": ""}

INTRODUCTION = f"""# Metrics

`stepforge metric NAME --input F.jsonl` computes any of these from rows of a file, a JSON object a line, and prints
JSON; `stepforge metric NAME --help` shows the row that it wants. The pipeline computes those that it has verdicts for
by the same functions.

What holds for all of them:

- A metric counts verdicts; it makes none. A judge's word is an input. Where a paper lets a judge count matches, the
  judge names the matched pairs and they are counted here.
- `N` is what the system could read. A row with `failure` not_accessible or not_attempted is in no denominator and is
  counted under `not_accessible`; any other failure counts as wrong, and by cause under `failures`. A row without its
  reply and without a reason is refused; a reply that is null is `missing`.
- A verdict that is null is undecided: it is in no denominator, and counted under `undecided`. (Counted there too, and
  not right: a final answer that the engine left undecided, a question of MV-MATH whose verdict says nothing.)
- A ratio over nothing is null, never 0 or 1.
- `low` and `high` are the 2.5th and 97.5th percentile of a bootstrap over items (1,000 resamples, fixed seed); rows
  with one `id` are samples of one item and are drawn together. `n` counts items.
- Every measure is broken down by source, modality, difficulty, subject, step length and problem type where the rows
  have them, and by any field that `--by` names. Fields that nothing reads are listed under `ignored_fields`.
- Two systems are compared on the items that both have: exact McNemar where scores are 0 and 1, else the paired
  bootstrap of the difference of ratios; many comparisons are adjusted by Holm, and systems that were not shown to
  differ at {ALPHA:.0%} share a letter (`compare`).
"""

DIFFERENCES = (
    (
        "we-math",
        "the option is the first character of what follows the last `Answer`, so that `**Answer**: B`, `Answer: (B)`, "
        "`Answer: \\boxed{B}`, `answer: B` and `Answer: b` are no answer, `Answer: Because …` is B, and `B or A` is B",
        "the option is read by the answer engine; two options are no answer",
    ),
    (
        "we-math",
        "rates and score divide by 525 whatever was answered; a group with a part missing may be in no state and then "
        "counts as solved",
        "N is the number of groups with every part answered; the others are `groups_incomplete`",
    ),
    (
        "we-math",
        "S1, S2, S3 skip a question without a record, and all of a group without its first sub-problem",
        "every question that has a row counts; one that was not answered is wrong",
    ),
    ("we-math", "division by zero where no composite problem is solved", "the rate of rote memorisation is null"),
    ("we-math", "percent with two decimals", "unrounded"),
    ("geolaux", "lengths over 24 are in no bin; three decimals", "they have a bucket of their own; unrounded"),
    (
        "mv-math",
        "a verdict that says nothing counts as wrong, and is left out of SAR",
        "the same, and it is counted under `undecided`",
    ),
)
OFFICIAL = """## Beside the official scorers

`--official` prints what the origin's own code prints, equal to the last digit (We-Math's domains with
`--companion knowledge_structure_nodes.json` of that data set). Ours differ from those on purpose:
"""
SAME = """
The same as there: strict and loose states of We-Math, domains as means over concepts; PQS with sums from 1 and α = 3.5,
the score itself for one step, 0 without step verdicts (the worked example of the paper's appendix is not what its
formula gives); SAR over the whole set, QCR over all multi-step questions, the overall accuracy of MV-MATH.
"""


def metrics_page(note: str) -> str:
    """What each metric is, with its formula, file and source, and the row that it wants."""
    lines = [note, "", INTRODUCTION, "| metric | what it is | source | file |", "|---|---|---|---|"]
    lines += [f"| [`{m.name}`](#{m.name}) | {_cell(m.title)} | {_cell(m.source)} | `{_file(m)}` |" for m in METRICS]
    lines += ["", OFFICIAL, "| metric | official | here |", "|---|---|---|"]
    lines += [f"| `{name}` | {theirs} | {ours} |" for name, theirs, ours in DIFFERENCES]
    lines.append(SAME)
    lines += ["## Fields that every row may have", "", *_fields(list(Row.model_fields), METRICS["faa"]), ""]
    for metric in METRICS:
        lines += _section(metric)
    return "\n".join(lines)


def _section(metric: Metric) -> list[str]:
    doc = (sys.modules[metric.measures.__module__].__doc__ or "").strip()
    lines = [f"## {metric.name}", "", doc, ""]
    measures = metric.measures(metric.parameters())
    if measures:
        lines += ["| measure | | in words | formula |", "|---|---|---|---|"]
        lines += [f"| `{m.name}` | {BETTER[m.better]} | {_cell(m.words)} | {_cell(m.formula)} |" for m in measures]
        lines.append("")
    beside = {**(metric.table_words or {}), **(metric.more_words or {})}
    lines += [f"- `{name}`: {words}" for name, words in beside.items()]
    settings = metric.parameters.model_fields
    lines += [f"- `--set {name}=…`: {field.description} (default {field.default})" for name, field in settings.items()]
    lines += [""] if beside or settings else []
    own = [name for name in metric.row.model_fields if name not in Row.model_fields]
    lines += [f"A row: {' '.join((metric.row.__doc__ or '').split())}", "", *_fields(own, metric), ""]
    return lines


def _fields(names: list[str], metric: Metric) -> list[str]:
    lines = ["| field | type | | meaning |", "|---|---|---|---|"]
    for field in fields(metric):
        shown = field.name.split(" | ")
        if shown[0] in names:
            label = ", ".join(f"`{name}`" for name in shown)
            lines.append(f"| {label} | {_cell(field.type)} | {field.needed} | {_cell(field.description)} |")
    return lines


def _file(metric: Metric) -> str:
    return f"{metric.measures.__module__.replace('.', '/')}.py"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
