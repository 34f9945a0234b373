"""Lean source in, verdict out: toolchains, sandbox, text screening, Lean, audit.  Standard library only.

What a verdict shows, and what it does not show, is said in `lean_check.check`.
"""

from lean_check.audit import STANDARD_AXIOMS, Reference
from lean_check.check import METHOD_VERSION, check
from lean_check.sandbox import Limits, probe
from lean_check.screen import screen
from lean_check.toolchains import Toolchain, describe, find
from lean_check.verdict import Message, Verdict

__all__ = [
    "METHOD_VERSION",
    "STANDARD_AXIOMS",
    "Limits",
    "Message",
    "Reference",
    "Toolchain",
    "Verdict",
    "check",
    "describe",
    "find",
    "probe",
    "screen",
]
