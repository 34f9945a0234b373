"""What the kinds of error of a verdict mean, for people who read the page and not the checker's code.

Kinds are those of `lean_check` (Lean's own errors, limits, rules of the screening and of the audit, the machine); one
that is not listed here is shown by its name alone.
"""

from collections.abc import Mapping

MEANINGS: Mapping[str, str] = {
    # Lean's errors
    "syntax": "Lean cannot parse it",
    "unknown_name": "a name that Lean does not know",
    "unknown_import": "an import that exists nowhere",
    "type_mismatch": "an expression of the wrong type",
    "no_instance": "no instance of a class was found",
    "universe": "universe levels do not fit",
    "false_statement": "a decision procedure found the statement false",
    "unsolved_goals": "the proof leaves goals open",
    "tactic_failed": "a tactic of the proof failed",
    "termination": "a recursion is not shown to end",
    "kernel": "the kernel refuses it",
    "lean_error": "another error of Lean",
    # limits
    "heartbeats": "Lean's own limit of effort was reached",
    "deep_recursion": "nested too deep",
    "stack_overflow": "nested too deep",
    "timeout": "the time limit was reached",
    "memory": "the memory limit was reached",
    "output_flood": "more output than allowed",
    "processes": "more processes than allowed",
    "file_size": "a larger file than allowed",
    # refused before Lean was run
    "lean3_source": "written in Lean 3, not in Lean 4",
    "nothing_to_check": "there is no theorem, lemma or example in it",
    "no_statement": "there is no theorem, lemma or example in it",
    "no_lean_code": "no reply, or none with a block of Lean",
    "sorry": "the proof says sorry",
    "own_axiom": "an axiom of its own",
    "exit": "it ends the reading of the file",
    "guarded_messages": "it hides Lean's messages",
    "native_decide": "a proof by compiled code",
    "implemented_by": "code in the place of a definition",
    "extern": "foreign or unsafe code",
    "prelude": "Lean's own library is left out",
    "metaprogramming": "code that runs while Lean reads it",
    "notation": "notation of its own",
    "option": "an option that is not allowed",
    "module_system": "its proofs are not compiled",
    "too_large": "the text is too large",
    "invalid_text": "characters that are no text",
    # audit
    "axiom_not_allowed": "it uses an axiom that is not allowed",
    "redeclared": "a name is declared twice",
    "not_read_to_the_end": "Lean stopped before the end of the text",
    # the machine
    "missing_library": "a library that this machine lacks, such as Mathlib",
    "no_toolchain": "no Lean on this machine",
    "no_sandbox": "no sandbox on this machine",
    "no_audit": "this Lean cannot audit proofs",
    "bad_reference": "the reference does not compile here",
    "not_started": "Lean could not be started",
    "stalled": "the machine was too busy",
    "crash": "Lean crashed",
    "lean_unavailable": "no Lean judged the reply",
}
