"""What a row is: one definition each, from which the Arrow schema, the JSON Schema and the documentation are derived.

Every record is frozen and refuses unknown fields. A field marked `Volatile` (time, memory, latency) is stored but left
out of the content hash, so that the same input gives the same data version on a faster machine.
"""

from datetime import date
from typing import Annotated

from pydantic import Field

from stepforge._review_records import (
    ReviewAnswer,
    ReviewAssignment,
    ReviewDecision,
    ReviewItem,
    ReviewOutcome,
    ReviewPlan,
    Split,
)
from stepforge._source_records import (
    Answer,
    Choice,
    CleaningStep,
    Document,
    ImageRef,
    LabelVote,
    Page,
    PageFigure,
    PageLine,
    PageRegion,
    Problem,
    Provenance,
    Record,
    TranscribedLine,
    TranscribedPage,
    Volatile,
    VolatileMark,
)
from stepforge.vocabulary import (
    Capability,
    CheckVerdict,
    Complexity,
    DefectKind,
    Difficulty,
    Disposition,
    EquivalenceVerdict,
    Failure,
    Finish,
    FormalLabel,
    ImageRelevance,
    LeanOutcome,
    MatchedBy,
    Method,
    Modality,
    ProblemType,
    Reason,
    StepError,
    Subject,
    TaskKind,
)

__all__ = [
    "RECORD_VERSION",
    "Action",
    "AlignmentReply",
    "Answer",
    "AnswerReply",
    "AuxiliaryLine",
    "Choice",
    "CleaningStep",
    "Document",
    "FormalModel",
    "HumanLabel",
    "ImageRef",
    "Item",
    "JudgeVerdict",
    "Judgement",
    "LabelVote",
    "LabelsReply",
    "LeanMessage",
    "LeanVerdict",
    "MatchedPair",
    "Milestone",
    "MilestoneCount",
    "MilestoneMatch",
    "ModelVariable",
    "NamedValue",
    "Page",
    "PageFigure",
    "PageLine",
    "PageRegion",
    "PlanItem",
    "Prediction",
    "Problem",
    "ProofPlan",
    "Provenance",
    "Record",
    "Rejection",
    "ReportRow",
    "ReviewAnswer",
    "ReviewAssignment",
    "ReviewDecision",
    "ReviewItem",
    "ReviewOutcome",
    "ReviewPlan",
    "Score",
    "Split",
    "Step",
    "StepMark",
    "StepsReply",
    "Target",
    "Task",
    "Trajectory",
    "TranscribedLine",
    "TranscribedPage",
    "Variant",
    "Volatile",
    "VolatileMark",
]

RECORD_VERSION = 1  # written into every file; raised when a field's meaning changes


class Step(Record):
    """One reasoning unit of a solution. Key: problem, path, index."""

    problem_id: str
    path: int = Field(ge=0, description="which reference solution, from 0")
    index: int = Field(ge=0, description="position in the solution, from 0")
    text: str
    start: int = Field(ge=0, description="character offset in the solution")
    end: int = Field(ge=0)
    premises: tuple[str, ...]
    rule: str | None = Field(description="theorem or rule named in the step")
    conclusion: str
    depends_on: tuple[int, ...] = Field(description="indices of earlier steps whose result is used")
    capability: Capability
    method: Method


class AuxiliaryLine(Record):
    """An auxiliary construction of a geometry solution (GeoLaux, section 3). Key: problem, index."""

    problem_id: str
    index: int = Field(ge=0)
    text: str
    complexity: Complexity
    image: ImageRef | None = Field(description="the figure with the line, where the source has it")
    method: Method


class Milestone(Record):
    """A self-contained unit of conditions, rule and conclusion (MAMath-Bench). Key: problem, path, index."""

    problem_id: str
    path: int = Field(ge=0)
    index: int = Field(ge=0)
    conditions: tuple[str, ...]
    rule: str | None
    conclusion: str
    text: str
    method: Method


class ProofPlan(Record):
    """One contiguous segment of a proof and its plan sentence (AgenticMathBench, E.2). Key: problem, index."""

    problem_id: str
    index: int = Field(ge=0)
    first_step: int = Field(ge=0)
    last_step: int = Field(ge=0, description="inclusive")
    plan: str
    method: Method


class ModelVariable(Record):
    """A quantity of a formal model."""

    name: str
    meaning: str
    value: str = Field(description="exact rational, as p or p/q")


class FormalModel(Record):
    """Variables, constraints and objective of a word problem (AgenticMathBench, E.1). Key: problem."""

    problem_id: str
    variables: tuple[ModelVariable, ...]
    constraints: tuple[str, ...] = Field(description="equations over the variables' names and numbers")
    objective: str = Field(description="name of the asked variable")
    solved: str = Field(description="value of the objective by solving the constraints, exact")
    method: Method


class Variant(Record):
    """A chain with exactly one injected defect (MAMath-Bench, negative samples). Key: `variant_id`."""

    variant_id: str
    problem_id: str
    kind: DefectKind
    subtype: str
    seed: int
    location: tuple[int, ...] = Field(description="0-based indices into `steps`; missing: where the step would stand")
    steps: tuple[str, ...]
    before: str
    after: str
    verified_by: str
    method: Method


class PlanItem(Record):
    """One planned sub-goal and the capability that reaches it."""

    capability: Capability
    sub_goal: str


class Action(Record):
    """One executed step of a trajectory with its tool call and observation."""

    index: int = Field(ge=0)
    capability: Capability
    text: str
    tool: str | None
    tool_input: str | None
    observation: str | None
    verdict: CheckVerdict


class Trajectory(Record):
    """Plan, actions and feedback of one solver on one problem. Key: `trajectory_id`."""

    trajectory_id: str
    problem_id: str
    solver: str
    seed: int
    plan: tuple[PlanItem, ...]
    actions: tuple[Action, ...]
    feedback: tuple[str, ...]
    final_answer: str | None
    verdict: CheckVerdict = Field(description="final answer against the reference")
    method: Method


class LeanMessage(Record):
    """One message of Lean, positions as Lean counts (line from 1, column from 0)."""

    severity: str
    line: int | None
    column: int | None
    text: str


class LeanVerdict(Record):
    """What Lean says of one item, or of a system's formalization of it. Key: `item_id`."""

    item_id: str = Field(description="the problem, or TASK|SAMPLE for a reply")
    problem_id: str
    statement: str
    outcome: LeanOutcome
    reasons: tuple[str, ...]
    messages: tuple[LeanMessage, ...]
    axioms: tuple[str, ...] | None = Field(description="None while nothing has audited them")
    toolchain: str | None
    seconds: Annotated[float | None, Volatile]
    peak_bytes: Annotated[int | None, Volatile]
    equivalent: bool | None = Field(
        default=None, description="true where it was shown to say what the reference says; null where nothing was shown"
    )
    equivalence: tuple[str, ...] = Field(
        default=(),
        description="how: same_text, definitional, or the tactics there and back; else why nothing was shown",
    )


class AlignmentReply(Record):
    """What a judge model says of a formalization beside the statement in words."""

    reason: str = Field(description="the first difference in one or two sentences, or that there is none")
    aligned: bool = Field(description="whether the theorem in Lean states what the words state")


class Item(Record):
    """A problem that passed every filter, with all that its tasks are made from. Key: `problem_id`."""

    problem_id: str
    problem: Problem
    steps: tuple[str, ...]
    reference_paths: tuple[tuple[str, ...], ...] = Field(description="milestone texts of each reference path")
    auxiliary_lines: tuple[AuxiliaryLine, ...]
    step_length: int | None = Field(description="the source's count where given, else the number of steps")
    difficulty: Difficulty | None
    modality: Modality
    answer_check: CheckVerdict = Field(description="reference trajectory's final answer against the answer")
    lean: LeanOutcome | None


class Target(Record):
    """What a right reply says."""

    answer: Answer | None = None
    reference_paths: tuple[tuple[str, ...], ...] = ()
    defect: DefectKind | None = None
    location: tuple[int, ...] = ()
    missing_step: str | None = None
    lean_statement: str | None = Field(default=None, description="the reference that a formalization is compared with")
    formal_label: FormalLabel | None = Field(default=None, description="what people said of the formalization shown")


class Task(Record):
    """One question that a system is asked. Key: `task_id`."""

    task_id: str
    problem_id: str
    batch: str
    kind: TaskKind
    source: str
    language: str
    modality: Modality
    subject: str | None
    difficulty: Difficulty | None
    step_length: int | None
    problem_type: ProblemType
    group_id: str | None
    group_role: str | None
    licence: str
    question: str
    choices: tuple[Choice, ...]
    images: tuple[ImageRef, ...]
    chain: tuple[str, ...] = Field(description="the perturbed chain of a detection task, one text a step")
    instruction: str
    target: Target
    metrics: tuple[str, ...]
    knowledge_concepts: tuple[str, ...] = ()
    published_on: date | None = Field(default=None, description="of the problem; None: unknown, in no split by time")
    variant_of: str | None = Field(default=None, description="problem that it is a variant of: no newer than it")


class Prediction(Record):
    """A reply as received. Key: task, system, sample."""

    task_id: str
    system: str
    sample: int = Field(ge=0)
    reply: str | None
    failure: Failure | None
    finish: Finish | None = Field(
        default=None, description="why the model stopped: at its token limit, …; None if unknown"
    )
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: str | None = Field(default=None, description="exact decimal")
    latency_s: Annotated[float | None, Volatile] = None
    reply_key: str | None = Field(default=None, description="key of the raw reply in the reply store")


class MilestoneCount(Record):
    """Matched and all milestones, on the reference path that counts under a setting of the matcher."""

    matched: int
    total: int


class MilestoneMatch(Record):
    """A reference milestone and the unit that is most similar to it (MAMath-Bench, equation 2)."""

    unit: int | None = Field(description="index of the unit p*; null where the reply has none")
    matched: bool
    similarity: float = Field(description="S, rounded to 6 decimals, as its components are")
    semantic: float = Field(description="S_sem")
    equation: float = Field(description="S_eq")
    numeric: float = Field(description="S_num")
    keyword: float = Field(description="S_key")
    by: MatchedBy = Field(description="the first rule that is met: threshold, equation, semantic; or none")


class Judgement(Record):
    """A reply parsed and compared with the reference. Key: task, system, sample."""

    task_id: str
    system: str
    sample: int = Field(ge=0)
    failure: Failure | None
    answer: str | None = Field(description="final answer as extracted from the reply")
    verdict: EquivalenceVerdict | None = Field(description="final answer against the reference; None if not asked")
    method: str | None = Field(description="which test decided")
    reason: str | None = Field(default=None, description="why, in a few words of the test that decided")
    parts_right: int | None = Field(description="sub-answers judged equal")
    parts_total: int | None
    units: tuple[str, ...] = Field(description="reasoning units of the reply")
    reference_path: int | None = Field(description="the path with the highest milestone accuracy")
    milestones_total: int | None
    milestones_matched: int | None
    units_matched: int | None = Field(description="distinct units that are the best match of a matched milestone")
    milestone_matches: tuple[MilestoneMatch, ...] = Field(
        default=(), description="one for each milestone of the path that counts, in order"
    )
    milestones_by_setting: tuple[MilestoneCount, ...] = Field(
        default=(), description="what other constants of the matcher would give, for the settings of `sensitivity`"
    )
    detected_location: tuple[int, ...] | None = Field(description="location that the reply names, 0-based")
    detection_right: bool | None
    detected_kind: DefectKind | None = Field(default=None, description="kind of defect, where the reply names one")


class StepMark(Record):
    """What a judge model says of one step of a solution."""

    step: int = Field(ge=1, description="number of the step, as shown")
    reason: str = Field(description="what is wrong in one sentence, or why the step is sound")
    right: bool = Field(description="whether the step contains no error of its own")
    error: StepError | None = Field(description="type of the error; null for a right step")


class StepsReply(Record):
    """What a judge model says of a solution, step by step."""

    steps: tuple[StepMark, ...] = Field(description="one entry for each step, in order, none left out")
    auxiliary: bool = Field(description="whether the solution builds an auxiliary line or other construction")
    concludes: bool = Field(description="whether the solution arrives at what the problem asks to find or prove")


class AnswerReply(Record):
    """What a judge model says of two answers to one problem."""

    reason: str = Field(description="the difference in one or two sentences, or that there is none")
    verdict: EquivalenceVerdict = Field(description="equal, different, or undecided if it cannot be told")


class LabelsReply(Record):
    """What a labelling model says of a problem."""

    subject: Subject = Field(description="the one subject that the problem belongs to most")
    image_relevance: ImageRelevance | None = Field(
        description="whether the images must be read together; null with fewer than two images"
    )
    knowledge_concepts: tuple[str, ...] = Field(description="names from the list, none, one or several")
    capabilities: tuple[Capability, ...] = Field(description="all that a complete solution needs")


class MatchedPair(Record):
    """An element of the target that a reply's element matches, by their positions from 0."""

    target: int = Field(ge=0)
    reply: int = Field(ge=0)


class NamedValue(Record):
    """A number that a rubric gives."""

    name: str
    value: float


class JudgeVerdict(Record):
    """What a judge says of one reply by one rubric. Key: task, system, sample, rubric, judge."""

    task_id: str
    system: str
    sample: int = Field(ge=0)
    rubric: str = Field(description="answer, steps, alignment")
    judge: str = Field(description="role of the judge model, or rules for what was recomputed without one")
    model: str | None = Field(description="None where nothing had to be asked")
    prompt_id: str | None
    item: str = Field(description="hash of what is judged; the same for the same texts, whatever the system")
    right: bool | None = Field(description="the whole reply; None where it is undecided")
    step_scores: tuple[int, ...] = Field(description="1 or 0 for each reasoning unit (GeoLaux, equation 2)")
    error_types: tuple[StepError | None, ...] = Field(description="beside `step_scores`: what is wrong")
    pairs: tuple[MatchedPair, ...] = Field(default=(), description="matches that a rubric counts")
    values: tuple[NamedValue, ...] = ()
    rationale: str = Field(description="the judge's own words, cut")
    undecided: str | None = Field(description="why there is no verdict")
    reply_key: str | None = Field(description="key of the judge's raw reply in the reply store")


class HumanLabel(Record):
    """What a person says of a judged item. Key: item, rubric, annotator."""

    item: str = Field(description="as in the judge's verdict")
    rubric: str
    annotator: str
    right: bool = Field(description="of the rubric steps: no step is wrong")
    step_scores: tuple[int, ...] = Field(default=(), description="of the rubric steps: 1 or 0 for each unit")


class Score(Record):
    """One metric of one task. Key: task, system, sample, metric."""

    task_id: str
    system: str
    sample: int = Field(ge=0)
    metric: str
    value: float
    weight: float = Field(description="denominator of a micro average: 1, or the number of counted units")
    method: str


class ReportRow(Record):
    """One aggregate of the report. Key: system, metric, breakdown, group."""

    system: str
    metric: str
    breakdown: str = Field(
        description="all, source, subject, difficulty, step_length, modality, problem_type, kind, label or capability"
    )
    group: str
    n: int
    value: float | None
    low: float | None = Field(description="2.5th percentile of the bootstrap over items")
    high: float | None
    failures: int = 0
    not_accessible: int = 0
    undecided: int = 0


class Rejection(Record):
    """What a stage dropped, quarantined or had no work for. Key: stage, record."""

    stage: str
    record_id: str
    problem_id: str | None
    disposition: Disposition
    reason: Reason
    detail: str = Field(description="what is wrong, where, and what to do")
    evidence: str = Field(default="", description="the beginning of the offending text")
