"""Labels of problems, one file a label: subject, difficulty, image relevance, question type, knowledge concepts, atomic
capabilities.  Each by the source, by rules, or by the majority of three models (MV-MATH, section 3.2)."""

from stepforge.labels._ask import PROMPT, ROLES, STAGE, Labeller
from stepforge.labels._base import LABELS, Label
from stepforge.labels._label import labelled_problems

__all__ = ["LABELS", "PROMPT", "ROLES", "STAGE", "Label", "Labeller", "labelled_problems"]
