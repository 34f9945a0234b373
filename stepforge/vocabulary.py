"""The closed vocabularies of the records: each value is stored as its string."""

from enum import StrEnum


class Method(StrEnum):
    """How a row was made."""

    SOURCE = "source"
    RULES = "rules"
    LLM = "llm"


class AnswerKind(StrEnum):
    """Kinds of the answer-equivalence engine."""

    NUMBER = "number"
    EXPRESSION = "expression"
    EQUATION = "equation"
    INEQUALITY = "inequality"
    INTERVAL = "interval"
    SET = "set"
    TUPLE = "tuple"
    MATRIX = "matrix"
    CHOICE = "choice"
    MULTI_PART = "multi_part"
    PROOF_CONDITION = "proof_condition"
    TEXT = "text"


class ProblemType(StrEnum):
    """What a problem asks for."""

    CHOICE = "choice"
    FREE_FORM = "free_form"
    MULTI_STEP = "multi_step"
    PROOF = "proof"
    STATEMENT = "statement"


class Difficulty(StrEnum):
    """Three levels, by milestone count in MAMath-Bench (1-3, 4-6, more) or as the source labels them."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Subject(StrEnum):
    """The eleven subjects of MV-MATH (section 3.1)."""

    ALGEBRA = "Algebra"
    ANALYTIC_GEOMETRY = "Analytic Geometry"
    ARITHMETIC = "Arithmetic"
    COMBINATORIAL_GEOMETRY = "Combinatorial Geometry"
    COMBINATORICS = "Combinatorics"
    DESCRIPTIVE_GEOMETRY = "Descriptive Geometry"
    LOGIC = "Logic"
    METRIC_GEOMETRY = "Metric Geometry"
    SOLID_GEOMETRY = "Solid Geometry"
    STATISTICS = "Statistics"
    TRANSFORMATION_GEOMETRY = "Transformation Geometry"


class ImageRelevance(StrEnum):
    """MV-MATH: whether the images of a problem depend on each other."""

    MUTUALLY_DEPENDENT = "mutually_dependent"
    INDEPENDENT = "independent"


class LabelMethod(StrEnum):
    """Who gave a label: the source, a rule, the majority of three models, or a reviewer."""

    SOURCE = "source"
    RULES = "rules"
    VOTE = "vote"
    REVIEW = "review"


class ReviewState(StrEnum):
    """How far the review of an item is: not all have answered, they disagree, or it is decided: for the record, against
    it, or for it with a correction."""

    OPEN = "open"
    DISPUTED = "disputed"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    CORRECTED = "corrected"


class Complexity(StrEnum):
    """GeoLaux: a simple auxiliary line joins points, a complex one creates new primitives."""

    SIMPLE = "simple"
    COMPLEX = "complex"


class Modality(StrEnum):
    """What a system must read."""

    TEXT = "text"
    IMAGE_TEXT = "image_text"
    MULTI_IMAGE = "multi_image"
    AUDIO = "audio"


class Capability(StrEnum):
    """The ten atomic capabilities of AgenticMathBench (appendix B), in its three levels."""

    SYMBOL_RECOGNITION = "symbol_recognition"
    CONCEPT_UNDERSTANDING = "concept_understanding"
    CALCULATION = "calculation"
    SPATIAL_PERCEPTION = "spatial_perception"
    FORMALIZATION = "formalization"
    DEDUCTIVE_INDUCTIVE_REASONING = "deductive_inductive_reasoning"
    MODELING = "modeling"
    THEOREM_APPLICATION = "theorem_application"
    SELF_REFLECTION = "self_reflection"
    NEW_KNOWLEDGE_LEARNING = "new_knowledge_learning"


class DefectKind(StrEnum):
    """The five reasoning defects of MAMath-Bench."""

    WRONG = "wrong"
    REDUNDANT = "redundant"
    REPEATED = "repeated"
    MISSING = "missing"
    SWAPPED = "swapped"


class TaskKind(StrEnum):
    """What a system is asked to do."""

    SOLVE = "solve"
    DETECT_WRONG = "detect_wrong"
    DETECT_REDUNDANT = "detect_redundant"
    DETECT_REPEATED = "detect_repeated"
    DETECT_MISSING = "detect_missing"
    DETECT_SWAPPED = "detect_swapped"
    FORMALIZE = "formalize"
    JUDGE_FORMALIZATION = "judge_formalization"


class CheckVerdict(StrEnum):
    """Three answers, not two."""

    RIGHT = "right"
    WRONG = "wrong"
    UNDECIDED = "undecided"


class EquivalenceVerdict(StrEnum):
    """Verdict of the answer-equivalence engine."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


class LeanOutcome(StrEnum):
    """Lean's verdict; `infrastructure` says nothing about the item."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    INFRASTRUCTURE = "infrastructure"


class FormalLabel(StrEnum):
    """What people said of a formalization (CriticLean): it says what the words say, it compiles and says something
    else, or it does not compile."""

    RIGHT = "right"
    MISALIGNED = "misaligned"
    DOES_NOT_COMPILE = "does_not_compile"


class Speaker(StrEnum):
    """Who says a message of a model request."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


class PartKind(StrEnum):
    """What a part of a message is."""

    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"


class Finish(StrEnum):
    """Why a model stopped writing."""

    STOP = "stop"
    LENGTH = "length"
    REFUSAL = "refusal"
    CONTENT_FILTER = "content_filter"


class ModelFailureKind(StrEnum):
    """Why a request has no usable reply.  Those of the provider, of the budget and of the wait may succeed later;
    what the model itself did is final."""

    RATE_LIMITED = "rate_limited"
    TIMED_OUT = "timed_out"
    PROVIDER_ERROR = "provider_error"
    OVER_BUDGET = "over_budget"
    AWAITING_BATCH = "awaiting_batch"
    BAD_REQUEST = "bad_request"
    REFUSED = "refused"
    CONTENT_FILTERED = "content_filtered"
    TRUNCATED = "truncated"
    SCHEMA_VIOLATED = "schema_violated"


PASSING_FAILURES = frozenset(
    {
        ModelFailureKind.RATE_LIMITED,
        ModelFailureKind.TIMED_OUT,
        ModelFailureKind.PROVIDER_ERROR,
        ModelFailureKind.OVER_BUDGET,
        ModelFailureKind.AWAITING_BATCH,
    }
)


class Failure(StrEnum):
    """Why a prediction cannot be judged as the system's own answer; `not_*` are in no denominator."""

    MISSING = "missing"
    EMPTY = "empty"
    REFUSED = "refused"
    UNPARSABLE = "unparsable"
    NOT_ACCESSIBLE = "not_accessible"
    NOT_ATTEMPTED = "not_attempted"


NOT_COUNTED = frozenset({Failure.NOT_ACCESSIBLE, Failure.NOT_ATTEMPTED})  # in no denominator


class Disposition(StrEnum):
    """What became of a record that a stage did not pass on."""

    DROPPED = "dropped"
    QUARANTINED = "quarantined"
    NOT_APPLICABLE = "not_applicable"


class Reason(StrEnum):
    """Why, for every stage; the funnel counts these."""

    # any stage
    STAGE_FAILED = "stage_failed"
    # any stage that asks a model: one for each ModelFailureKind
    MODEL_RATE_LIMITED = "model_rate_limited"
    MODEL_TIMED_OUT = "model_timed_out"
    MODEL_PROVIDER_ERROR = "model_provider_error"
    MODEL_OVER_BUDGET = "model_over_budget"
    MODEL_AWAITING_BATCH = "model_awaiting_batch"
    MODEL_BAD_REQUEST = "model_bad_request"
    MODEL_REFUSED = "model_refused"
    MODEL_CONTENT_FILTERED = "model_content_filtered"
    MODEL_TRUNCATED = "model_truncated"
    MODEL_SCHEMA_VIOLATED = "model_schema_violated"
    # documents
    EMPTY_FILE = "empty_file"
    TOO_LARGE = "too_large"
    UNREADABLE_DOCUMENT = "unreadable_document"
    UNSUPPORTED_FORMAT = "unsupported_format"
    DUPLICATE_DOCUMENT = "duplicate_document"
    FIGURE_OF_A_PROBLEM = "figure_of_a_problem"
    UNREFERENCED_FIGURE = "unreferenced_figure"
    REFUSED_ARCHIVE_FILE = "refused_archive_file"
    BATCH_SETTINGS = "batch_settings"
    # problems
    MALFORMED_RECORD = "malformed_record"
    DUPLICATE_ID = "duplicate_id"
    JOINED_TO_WORDS = "joined_to_words"
    NO_PROBLEMS_FOUND = "no_problems_found"
    UNREADABLE_PAGE = "unreadable_page"
    PAPER_HEADING = "paper_heading"
    PAPER_REMARK = "paper_remark"
    RUNNING_HEAD = "running_head"
    FIGURE_LABEL = "figure_label"
    FIGURE_OUTSIDE_PROBLEMS = "figure_outside_problems"
    ANSWER_KEY = "answer_key"
    UNMATCHED_ANSWER = "unmatched_answer"
    # clean_problems
    EMPTY_QUESTION = "empty_question"
    # selected_problems
    MISSING_ANSWER = "missing_answer"
    ANSWER_NOT_AMONG_CHOICES = "answer_not_among_choices"
    IMAGE_COUNT_MISMATCH = "image_count_mismatch"
    MISSING_IMAGE = "missing_image"
    CORRUPT_IMAGE = "corrupt_image"
    TINY_IMAGE = "tiny_image"
    BLANK_IMAGE = "blank_image"
    BLURRED_IMAGE = "blurred_image"
    TEXT_FILLED_IMAGE = "text_filled_image"
    MISSING_SOLUTION = "missing_solution"
    MISSING_CHOICES = "missing_choices"
    PROOF_ONLY = "proof_only"
    DESCRIPTIVE = "descriptive"
    NOT_MATHEMATICAL = "not_mathematical"
    NEEDS_CONTEXT = "needs_context"
    CUMBERSOME_CALCULATION = "cumbersome_calculation"
    DUPLICATE_PROBLEM = "duplicate_problem"
    NEAR_DUPLICATE_PROBLEM = "near_duplicate_problem"
    DUPLICATE_ACROSS_BATCHES = "duplicate_across_batches"
    PUBLIC_BENCHMARK_PROBLEM = "public_benchmark_problem"
    PUBLIC_BENCHMARK = "public_benchmark"
    LOW_OCR_CONFIDENCE = "low_ocr_confidence"
    # steps and what is made of them
    NO_SOLUTION = "no_solution"
    NO_AUXILIARY_LINE = "no_auxiliary_line"
    NOT_A_PROOF = "not_a_proof"
    TOO_FEW_STEPS = "too_few_steps"
    NOT_MODELABLE = "not_modelable"
    MODEL_CONTRADICTS_ANSWER = "model_contradicts_answer"
    CHAIN_HAS_WRONG_EQUATION = "chain_has_wrong_equation"
    NO_VALID_VARIANT = "no_valid_variant"
    # lean
    NO_LEAN_STATEMENT = "no_lean_statement"
    LEAN_UNAVAILABLE = "lean_unavailable"
    LEAN_REJECTED = "lean_rejected"
    LEAN3_SOURCE = "lean3_source"
    NO_FORMALIZATION = "no_formalization"
    # filtering
    ANSWER_CONTRADICTS_SOLUTION = "answer_contradicts_solution"
    INCOMPLETE_GROUP = "incomplete_group"
    REFUSED_BY_REVIEW = "refused_by_review"
    AWAITING_REVIEW = "awaiting_review"
    NOTHING_TO_ASK = "nothing_to_ask"
    # scoring
    SYSTEM_FAILED = "system_failed"
    NO_METRIC_APPLIES = "no_metric_applies"
    # judge_verdicts
    NO_JUDGE = "no_judge"
    NOTHING_TO_JUDGE = "nothing_to_judge"


class StepError(StrEnum):
    """What is wrong with a step: GeoLaux's four types, and MV-MATH's five (two of them under the same names)."""

    FIGURE_COMPREHENSION = "figure_comprehension"
    KNOWLEDGE = "knowledge"
    CALCULATION = "calculation"
    LOGICAL_REASONING = "logical_reasoning"
    VISUAL_PERCEPTION = "visual_perception"
    REASONING = "reasoning"
    REJECT = "reject"


class MatchedBy(StrEnum):
    """The first of the rules of MAMath-Bench that a reference milestone and its most similar unit meet."""

    THRESHOLD = "threshold"
    EQUATION = "equation"
    SEMANTIC = "semantic"
    NONE = "none"
