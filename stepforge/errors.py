"""Errors that a person reads: one line that says what is wrong, where, and what to do. Exit code 2, no traceback."""


class PipelineError(Exception):
    """Base: a user's mistake or an environment that must be put right."""


class BadInput(PipelineError):
    """A file or folder handed in cannot be used as it is."""


class BadHome(PipelineError):
    """The home folder cannot be used."""


class NotBuilt(PipelineError):
    """A stage was asked for before its inputs exist."""


class BadRequest(PipelineError):
    """A name or an option that means nothing here."""


class LimitExceeded(Exception):
    """A piece of untrusted work ran out of its time or memory; only its item is lost."""
