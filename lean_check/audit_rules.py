"""What is asked of a compiled candidate, inside the process that holds Lean's kernel.

The candidate's imports, which are files of the toolchain, are loaded; then every declaration of the candidate goes
through the kernel, in an environment where nothing of the candidate's own run is left.  What is said of the target is
said of the constant that the kernel then knows: it is a theorem, its type is the reference's type, and the definitions
in that type mean what they mean in the reference; its axioms are found by a walk over everything it uses.

Sources: `Lean.Environment.replay` and lean4checker (replay), SafeVerify (two compiled files, comparison of types,
axioms).  They map the candidate's file into memory; here it is read as data (`lean_check.audit_olean`).
"""

import contextlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from lean_check.audit_kernel import Builder, Kernel, KernelRefused, show
from lean_check.audit_olean import BadOlean, Constant, Module, Name, read, read_imports

_THEOREM, _AXIOM = 2, 0
_KIND_NAMES = (
    "an axiom", "a def", "a theorem", "an opaque", "a quotient", "an inductive type", "a constructor", "a recursor",
)  # fmt: skip
_RULE_OF_ERROR = {
    "already declared": "redeclared",
    "deep recursion": "deep_recursion",
    "excessive memory": "memory",
    "deterministic timeout": "heartbeats",
}
_COMPILER_AXIOMS = frozenset([("Lean", "ofReduceBool"), ("Lean", "ofReduceNat"), ("Lean", "trustCompiler")])
_SORRY: Name = ("sorryAx",)
_MATCHER = re.compile(r"match_[0-9]+(?:_[0-9]+)*")


@dataclass(frozen=True)
class Request:
    """What is asked.  `target`: the theorem asked for, None where there is no reference; `axioms`: those allowed."""

    target: str | None = None
    axioms: tuple[str, ...] = ()
    allow_sorry: bool = False


@dataclass
class Report:
    """What was found: (rule, detail) of each refusal, the axioms used (None where it did not come to that), how many
    declarations the kernel took.  `error`: what is wrong with the reference; nothing follows from it for the text."""

    error: str | None = None
    refusals: list[tuple[str, str]] = field(default_factory=list)
    axioms: list[str] | None = None
    notes: list[str] = field(default_factory=list)
    replayed: int = 0


class _Refused(Exception):
    def __init__(self, rule: str, detail: str) -> None:
        super().__init__(rule, detail)
        self.rule, self.detail = rule, detail


class _BadReference(Exception):
    pass


def audit(kernel: Kernel, request: Request, candidate: bytes, reference: bytes | None) -> Report:
    """The report on one candidate."""
    report = Report()
    try:
        _Audit(kernel, request, report, _read(candidate), _read_reference(reference)).run()
    except _Refused as refused:
        report.refusals.append((refused.rule, refused.detail))
    except _BadReference as bad:
        report.error = str(bad)
    return report


def imports_of(candidate: bytes, reference: bytes | None) -> list[Name]:
    """The modules that the audit of these two loads.  Raises: BadOlean."""
    return sorted({*read_imports(candidate), *(read_imports(reference) if reference else ())})


def _read(data: bytes) -> Module:
    try:
        module = read(data)
    except BadOlean as error:
        raise _Refused("bad_olean", str(error)) from error
    if module.is_module:
        raise _Refused("module_system", "a file that begins with `module` keeps its proofs elsewhere")
    if ("Init",) not in module.imports:
        raise _Refused("prelude", "Init is not imported")
    return module


def _read_reference(data: bytes | None) -> Module | None:
    try:
        return None if data is None else read(data)
    except BadOlean as error:
        raise _BadReference(str(error)) from error


class _Audit:
    def __init__(
        self, kernel: Kernel, request: Request, report: Report, candidate: Module, reference: Module | None
    ) -> None:
        self._kernel, self._request, self._report = kernel, request, report
        self._candidate, self._reference = candidate, reference
        self._own = {constant.name: constant for constant in candidate.constants}

    def run(self) -> None:
        """Fills the report."""
        imports = sorted({*self._candidate.imports, *(self._reference.imports if self._reference else ())})
        try:
            self._kernel.import_modules(imports)
        except KernelRefused as error:
            raise _Refused("imports", str(error)) from error
        self._no_axiom_of_its_own()
        self._replay()
        if self._reference is not None and self._request.target is not None:
            target = parse_name(self._request.target)
            self._statement(self._reference, target)
            self._axioms([target])
        else:
            self._axioms(constant.name for constant in self._candidate.constants if constant.safety == 1)

    def _no_axiom_of_its_own(self) -> None:
        known = _axioms_of(self._reference) if self._reference else set()
        for name in sorted(_axioms_of(self._candidate) - known, key=show):
            raise _Refused("own_axiom", f"axiom {show(name)}")

    # Replay

    def _replay(self) -> None:
        builder = Builder(self._kernel, self._candidate)
        for group in _groups(self._candidate):
            try:
                self._kernel.add(builder.declaration(group))
            except KernelRefused as error:
                text = str(error)
                rule = next((rule for start, rule in _RULE_OF_ERROR.items() if text.startswith(start)), "kernel")
                raise _Refused(rule, f"{show(group[0].name)}: {text}") from error
            self._report.replayed += 1
        for constant in self._candidate.constants:  # those that the kernel makes are the ones that the file shows
            if constant.kind in ("constructor", "recursor") and constant.safety == 1:
                made = self._kernel.find(constant.name)
                if made is None or not self._kernel.same(self._kernel.type_of(made), builder.term(constant.type)):
                    raise _Refused("kernel", f"{show(constant.name)} is not what the kernel makes of its type")

    # Statement

    def _statement(self, reference: Module, target: Name) -> None:
        asked = {constant.name: constant for constant in reference.constants}
        wanted = asked.get(target)
        if wanted is None or wanted.kind != "theorem":
            raise _BadReference(f"the reference declares no theorem {show(target)}")
        found = self._kernel.find(target)
        if target not in self._own or found is None:
            raise _Refused("target_missing", f"no {show(target)} in the text")
        if self._kernel.kind(found) != _THEOREM:
            raise _Refused("not_a_theorem", f"{show(target)} is {_KIND_NAMES[self._kernel.kind(found)]}")
        axioms = sorted(_axioms_of(self._candidate), key=show)
        builder = self._meaning(reference, [*_reachable(reference, asked, wanted), *axioms])
        statement = builder.term(wanted.type)
        named_alike = self._kernel.level_params_of(found) == wanted.level_params
        if not (named_alike and self._kernel.same(statement, self._kernel.type_of(found))):
            try:
                self._kernel.proves(target, wanted.level_params, statement)
            except KernelRefused as error:
                raise _Refused("statement_differs", f"{show(target)} states something else: {error}") from error
            self._report.notes.append("the statement is the reference's up to unfolding of definitions")

    def _meaning(self, reference: Module, names: Iterable[Name]) -> Builder:
        """What makes the reference's terms, whose own constants of these names are the candidate's where all of them
        are made the same way.  Else its definitions are brought along under names of their own; each has to equal the
        candidate's by definition, but for those that Lean makes and names after where they are used first."""
        asked = {constant.name: constant for constant in reference.constants}
        needed = [asked[name] for name in dict.fromkeys(names)]
        builder = Builder(self._kernel, reference)
        unlike = [(constant, why) for constant in needed if (why := self._difference(constant, builder)) is not None]
        if not unlike:
            return builder
        for constant, why in unlike:
            if constant.kind not in ("def", "theorem") or not (constant.name in self._own or _made_by_lean(constant)):
                raise _Refused("definition_differs", why)
        renamed = {c.name: ("lean_check", "reference", *c.name) for c in needed if c.kind in ("def", "theorem")}
        builder = Builder(self._kernel, reference, renamed)
        try:
            for group in _groups(reference):
                if group[0].name in renamed:  # of a theorem only the type matters
                    known = replace(group[0], kind="axiom", value=None) if group[0].kind == "theorem" else group[0]
                    self._kernel.add(builder.declaration([known]))
            for constant, _ in unlike:
                if constant.kind == "def" and constant.name in self._own:
                    own, type_ = renamed[constant.name], builder.term(constant.type)
                    self._kernel.equal(own, constant.name, constant.level_params, type_)
        except KernelRefused as error:
            raise _Refused("definition_differs", f"{unlike[0][1]}: {error}") from error
        return builder

    def _difference(self, wanted: Constant, builder: Builder) -> str | None:
        """Why a constant that the reference makes itself is not made the same way by the candidate; None if it is."""
        own, kernel = self._own.get(wanted.name), self._kernel
        found = kernel.find(wanted.name)
        if own is None or found is None:
            return f"{show(wanted.name)} of the reference is missing"
        if own.kind != wanted.kind or own.level_params != wanted.level_params or own.safety != wanted.safety:
            return f"{show(wanted.name)} is of another kind"
        same = kernel.same(builder.term(wanted.type), kernel.type_of(found))
        if wanted.kind in ("def", "opaque") and wanted.value is not None:
            same = same and kernel.same(builder.term(wanted.value), kernel.value_of(found))
        if not same or own.constructors != wanted.constructors or own.num_params != wanted.num_params:
            return f"{show(wanted.name)} is not what it is in the reference"
        return None

    # Axioms

    def _axioms(self, roots: Iterable[Name]) -> None:
        found = self._walk(roots)
        self._report.axioms = sorted(map(show, found))
        allowed = {parse_name(name) for name in self._request.axioms}
        if self._request.allow_sorry:
            allowed.add(_SORRY)
        for name in sorted(found - allowed, key=show):
            self._report.refusals.append((_rule_of_axiom(name), f"uses the axiom {show(name)}"))

    def _walk(self, roots: Iterable[Name]) -> set[Name]:
        axioms: set[Name] = set()
        todo = list(roots)
        seen = set(todo)
        while todo:
            name = todo.pop()
            constant = self._kernel.find(name)
            if constant is None:  # a constant that the kernel took uses none that it does not know
                raise _Refused("kernel", f"unknown constant {show(name)}")
            if self._kernel.kind(constant) == _AXIOM:
                axioms.add(name)
            for other in self._kernel.used_by(constant):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return axioms


def _axioms_of(module: Module) -> set[Name]:
    return {constant.name for constant in module.constants if constant.kind == "axiom"}


def _made_by_lean(constant: Constant) -> bool:
    """Whether it is a part of another definition, such as `f.match_1` or the proof `f._proof_1`.  Lean makes one such
    part for all that could use it, so that its name depends on what comes before in the text."""
    last = constant.name[-1] if constant.name else ""
    return isinstance(last, str) and (last.startswith("_") or _MATCHER.fullmatch(last) is not None)


def _rule_of_axiom(name: Name) -> str:
    if name == _SORRY:
        return "sorry"
    return "native_decide" if name in _COMPILER_AXIOMS or "_native" in name else "axiom_not_allowed"


def _reachable(module: Module, own: dict[Name, Constant], start: Constant) -> Iterator[Name]:
    """The module's own constants that give the type of `start` its meaning; of a theorem, its type only."""
    todo, seen = [name for name in sorted(module.used(start.type), key=show) if name in own], set[Name]()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        yield name
        constant = own[name]
        used = module.used(constant.type) | set(constant.constructors)
        if constant.kind in ("def", "opaque") and constant.value is not None:
            used |= module.used(constant.value)
        todo += [other for other in sorted(used, key=show) if other in own]


def _groups(module: Module) -> Iterator[list[Constant]]:
    """The declarations in an order in which each comes after those it uses: a constant alone, or inductive types with
    their constructors.  Unsafe and partial ones are left out: nothing that is safe may use them."""
    own = {constant.name: constant for constant in module.constants if constant.safety == 1}
    maker = _makers(own)
    done: set[Name] = set()
    for first in own:
        stack = [maker.get(first, first)]
        entered: set[Name] = set()
        while stack:
            name = stack[-1]
            if name in done:
                stack.pop()
                continue
            group = _group(own, name)
            needed = {maker.get(used, used) for used in _uses(module, group)} - {name}
            waiting = [other for other in sorted(needed, key=show) if other in own and other not in done]
            if waiting and name not in entered:
                entered.add(name)
                stack += [other for other in waiting if other not in entered]
                continue
            done.add(name)
            stack.pop()
            if group[0].kind not in ("constructor", "recursor"):
                yield group


def _makers(own: dict[Name, Constant]) -> dict[Name, Name]:
    """For a constructor, a recursor or a type declared with others: the type that stands for the whole group."""
    maker: dict[Name, Name] = {}
    for constant in own.values():
        if constant.kind == "inductive":
            first = constant.all[0] if constant.all and constant.all[0] in own else constant.name
            for name in (constant.name, *constant.constructors):
                maker[name] = first
    for constant in own.values():
        if constant.kind == "recursor" and constant.name[:-1] in maker:
            maker[constant.name] = maker[constant.name[:-1]]
    return maker


def _group(own: dict[Name, Constant], name: Name) -> list[Constant]:
    constant = own[name]
    if constant.kind != "inductive":
        return [constant]
    types = [own[other] for other in constant.all if other in own] or [constant]
    return types + [own[made] for one in types for made in one.constructors if made in own]


def _uses(module: Module, group: Iterable[Constant]) -> set[Name]:
    used: set[Name] = set()
    for constant in group:
        used |= module.used(constant.type)
        if constant.value is not None:
            used |= module.used(constant.value)
    return used


def parse_name(text: str) -> Name:
    """The name that is written so; a part in «» may hold points.  Numbers of names that Lean makes are numbers."""
    parts: list[str | int] = []
    rest = text
    while rest:
        if rest.startswith("«") and "»" in rest:
            part, rest = rest[1:].split("»", 1)
            parts.append(part)
            rest = rest.removeprefix(".")
        else:
            part, _, rest = rest.partition(".")
            parts.append(int(part) if part.isascii() and part.isdigit() else part)
    return tuple(parts)


def main() -> None:
    """Once: the library, and a folder with the request, the candidate and where there is one the reference."""
    library, folder = Path(sys.argv[1]), Path(sys.argv[2])
    asked = json.loads((folder / "request.json").read_text("utf-8"))
    reference = folder / "reference.olean"
    compared = reference.read_bytes() if reference.exists() else None
    print(_answer(Kernel(library), asked, (folder / "candidate.olean").read_bytes(), compared).decode())


def _answer(kernel: Kernel, asked: dict[str, Any], candidate: bytes, reference: bytes | None) -> bytes:
    request = Request(asked["target"], tuple(asked["axioms"]), asked["allow_sorry"])
    return json.dumps(asdict(audit(kernel, request, candidate, reference))).encode()


def serve() -> None:
    """Until standard input ends: each request in a copy of this process (fork), which has the imports already.  One
    is a line of JSON with the sizes of the two files that follow it; so is an answer, with the size of the report."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    kernel = Kernel(Path(sys.argv[1]))
    while line := requests.readline():
        asked = json.loads(line)
        candidate, reference = requests.read(asked["candidate"]), requests.read(asked["reference"]) or None
        with contextlib.suppress(BadOlean, KernelRefused):  # the copy says so
            kernel.import_modules(imports_of(candidate, reference))
        code, report = _in_a_copy(lambda: _answer(kernel, asked, candidate, reference))  # noqa: B023 - called at once
        answers.write(json.dumps({"code": code, "stdout": len(report)}).encode() + b"\n" + report)
        answers.flush()


def _in_a_copy(work: Callable[[], bytes]) -> tuple[int, bytes]:
    """The exit code of a copy that did the work, and what it returned."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reading)
            with os.fdopen(writing, "wb") as out:
                out.write(work())
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as made:
        data = made.read()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), data
