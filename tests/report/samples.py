"""Hand-made records for the report: a small benchmark, four systems and the two controls."""

from decimal import Decimal
from random import Random

from stepforge.records import Answer, Rejection, ReportRow, Target, Task
from stepforge.report import LabelAgreement, LeanCount, LeanGroup, ModelCost, ReportInput, StageCount, VersionRow
from stepforge.vocabulary import (
    AnswerKind,
    DefectKind,
    Difficulty,
    Disposition,
    Modality,
    ProblemType,
    Reason,
    TaskKind,
)

HOSTILE = "<script>alert(1)</script>]]>\"'&<img src=x onerror=alert(2)>"
BUCKETS = ("1-4", "5-8", "9-12", "13-24", "25+")
SYSTEMS = {"atlas-7b": 0.52, "borealis-large-2": 0.781, "cygnus-vision-mini": 0.334, "数学助手-14b": 0.655}
CONTROLS = {"oracle": 1.0, "null": 0.0}


def task(number: int, **fields: object) -> Task:
    """A task with plain values; `fields` replace them."""
    values: dict[str, object] = {
        "task_id": f"t{number:05d}",
        "problem_id": f"own/{number}",
        "batch": "b1",
        "kind": TaskKind.SOLVE,
        "source": "own",
        "language": "en",
        "modality": Modality.TEXT,
        "subject": "algebra",
        "difficulty": Difficulty.EASY,
        "step_length": 3,
        "problem_type": ProblemType.FREE_FORM,
        "group_id": None,
        "group_role": None,
        "licence": "CC-BY-4.0",
        "question": "How many?",
        "choices": (),
        "images": (),
        "chain": (),
        "instruction": "Solve.",
        "target": Target(answer=Answer(kind=AnswerKind.NUMBER, text="7")),
        "metrics": ("faa",),
    }
    return Task.model_validate({**values, **fields})


def tasks(n: int) -> list[Task]:
    """`n` tasks, one or more a problem, spread over sources, subjects, kinds and lengths."""
    rng = Random(7)
    sources = (("contest", "en"), ("school-papers", "en"), ("几何竞赛", "zh"), ("word-problems", "en"))
    subjects = ("algebra", "plane geometry", "几何", "number theory", "combinatorics", None, "analytic geometry")
    made: list[Task] = []
    problem = 0
    while len(made) < n:
        problem += 1
        source, language = rng.choices(sources, weights=(4, 2, 3, 1))[0]
        shared = {
            "problem_id": f"{source}/{problem}",
            "source": source,
            "language": language,
            "licence": "CC-BY-4.0" if language == "en" else "CC-BY-NC-4.0",
            "subject": rng.choice(subjects),
            "difficulty": rng.choice((*Difficulty, None)),
            "step_length": rng.choice((None, 2, 3, 5, 6, 7, 10, 14, 30)),
            "modality": rng.choices(tuple(Modality)[:3], weights=(5, 3, 1))[0],
            "problem_type": rng.choice(tuple(ProblemType)[:4]),
        }
        kinds = [TaskKind.SOLVE, *(TaskKind(f"detect_{kind}") for kind in DefectKind if rng.random() < 0.2)]
        made += [task(len(made) + place, kind=kind, **shared) for place, kind in enumerate(kinds)]
    return made[:n]


def row(
    system: str, metric: str, value: float | None, breakdown: str = "all", group: str = "all", *, n: int = 120
) -> ReportRow:
    """A row with an interval of four points each way, cut to [0, 1]."""
    half = 0.5 / max(n, 1) ** 0.5
    return ReportRow(
        system=system,
        metric=metric,
        breakdown=breakdown,
        group=group,
        n=n,
        value=value,
        low=None if value is None else max(0.0, value - half),
        high=None if value is None else min(1.0, value + half),
        failures=3 if value is not None and system not in CONTROLS else 0,
        not_accessible=14 if "mini" in system else 0,
        undecided=2 if system == "atlas-7b" else 0,
    )


def rows() -> list[ReportRow]:
    """Headline metrics, step lengths, detection by kind, sources and We-Math for every system and control."""
    made = []
    for system, skill in {**SYSTEMS, **CONTROLS}.items():
        control = system in CONTROLS
        milestone = skill if control else skill * 0.9
        detection = None if system == "cygnus-vision-mini" else skill if control else skill * 0.7
        made += [
            row(system, "faa", skill, n=1319),
            row(system, "ma", milestone, n=1319),
            row(system, "smr", 1 - milestone, n=1319),
            row(system, "srr", 0.0 if control else 0.11, n=1319),
            row(system, "detection", detection, n=0 if detection is None else 240),
            row(system, "qcr", skill if control else skill * 0.4, n=88),
            row(system, "we_math_ik", 1 - skill if control else 0.4 * (1 - skill), n=60),
            row(system, "we_math_cm_strict", skill if control else skill * 0.6, n=60),
        ]
        for place, bucket in enumerate(BUCKETS):
            drop = 0 if control else place * 0.09
            made.append(row(system, "faa", max(0.0, skill - drop), "step_length", bucket, n=90 - 15 * place))
        made += [row(system, "faa", skill, "source", s, n=300) for s in ("contest", "几何竞赛")]
        if detection is not None:
            made += [
                row(
                    system,
                    "detection",
                    detection if control else detection * (1 - 0.1 * place),
                    "kind",
                    f"detect_{kind}",
                    n=48,
                )
                for place, kind in enumerate(DefectKind)
            ]
        made += [
            row(system, "correctness", skill if control else 0.8 * skill, n=66),
            row(system, "correctness_precision", None if system == "null" else skill, n=0 if system == "null" else 30),
            row(system, "correctness_f1", skill, n=66),
            row(system, "correctness", skill, "label", "misaligned", n=40),
        ]
    return made


def stages() -> list[StageCount]:
    """Two batches through six stages."""
    shape = [
        ("documents", 6, 5, {"unreadable_document": 1}, 0),
        ("problems", 5, 64, {}, 0),
        ("clean_problems", 64, 62, {"empty_question": 2}, 0),
        (
            "selected_problems",
            62,
            49,
            {"missing_answer": 6, "image_count_mismatch": 4, "blurred_image": 2, "duplicate_problem": 1},
            0,
        ),
        ("variants", 49, 180, {"chain_has_wrong_equation": 3}, 9),
        ("benchmark_tasks", 49, 214, {"incomplete_group": 2, "answer_contradicts_solution": 1}, 0),
    ]
    return [
        StageCount(
            stage=stage,
            batch=batch,
            n_in=scale * n_in,
            n_out=scale * n_out,
            rejected=scale * sum(reasons.values()),
            by_reason={reason: scale * n for reason, n in reasons.items()},
            not_applicable=scale * none,
        )
        for batch, scale in (("spring-2024", 1), ("autumn-2024", 3))
        for stage, n_in, n_out, reasons, none in shape
    ]


def rejection(number: int, **fields: object) -> Rejection:
    """A rejection with plain values; `fields` replace them."""
    values: dict[str, object] = {
        "stage": "selected_problems",
        "record_id": f"contest/{number}",
        "problem_id": f"contest/{number}",
        "disposition": Disposition.DROPPED,
        "reason": Reason.MISSING_ANSWER,
        "detail": "row 17 has no answer; add one to the source or to a data fix",
        "evidence": "Find the length of AD if AB = 8 and ∠ABC = 60°.",
    }
    return Rejection.model_validate({**values, **fields})


def lean() -> list[LeanCount]:
    """Two sources and two systems."""
    shape: list[tuple[LeanGroup, str, tuple[int, int, int], int | None, dict[str, int]]] = [
        (LeanGroup.SOURCE, "minif2f", (480, 8, 0), None, {"unknown_name": 7, "type_mismatch": 2}),
        (LeanGroup.SOURCE, "proofnet", (0, 371, 0), None, {"lean3_source": 371}),
        (LeanGroup.LABEL, "critic: right", (60, 5, 1), None, {"unknown_name": 5}),
        (LeanGroup.LABEL, "critic: misaligned", (40, 0, 0), None, {}),
        (LeanGroup.SYSTEM, "atlas-7b", (310, 170, 8), 201, {"syntax": 120, "unknown_name": 60}),
        (LeanGroup.SYSTEM, "oracle", (488, 0, 0), 488, {}),
    ]
    return [
        LeanCount(
            of=of,
            name=name,
            accepted=yes,
            rejected=no,
            infrastructure=none,
            equivalent=same,
            by_kind=kinds,
            unjudged_by={"missing_library": none} if none else {},
        )
        for of, name, (yes, no, none), same, kinds in shape
    ]


def agreement() -> list[LabelAgreement]:
    """One source that Lean could judge, and one that it could not."""
    counts = {"critic": (60, 20, 4, 16, 7), "other": (0, 0, 0, 0, 30)}
    names = ("both_compile", "neither", "only_lean", "only_people", "not_judged")
    return [LabelAgreement(source=s, **dict(zip(names, n, strict=True))) for s, n in counts.items()]


def report(n_tasks: int = 400, **fields: object) -> ReportInput:
    """The whole sample; `fields` replace its parts."""
    sample = ReportInput(
        title="Contest benchmark, spring and autumn 2024",
        built_at="2024-11-30 12:00 UTC",
        code_version="0.1.0+3f2a91c",
        data_versions=[VersionRow(s.stage, s.batch, f"{n:064x}") for n, s in enumerate(stages(), start=10**70)],
        stages=stages(),
        tasks=tasks(n_tasks),
        rows=rows(),
        rejections_sample=[
            rejection(17),
            rejection(
                18,
                reason=Reason.BLURRED_IMAGE,
                disposition=Disposition.QUARANTINED,
                detail="figure 1 is blurred; scan it again",
                evidence="",
            ),
            rejection(
                19,
                stage="variants",
                reason=Reason.CHAIN_HAS_WRONG_EQUATION,
                detail="step 2 is wrong; correct it",
                evidence="因为 2+2=5，所以",
            ),
        ],
        models=[
            ModelCost(
                stage="predictions",
                partition="gpt-5-mini",
                replies=400,
                failed=2,
                tokens_in=61_200,
                tokens_out=210_300,
                cost_usd=Decimal("0.4359"),
                unpriced=0,
            )
        ],
        lean=lean(),
        agreement=agreement(),
    )
    return sample._replace(**fields)  # type: ignore[arg-type]
