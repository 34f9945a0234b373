"""Lean's kernel, called by its own exported functions in `libleanshared`: terms built, declarations added, constants
found.  No Lean object is taken from a file of the text under check; every term is made here by Lean's constructors.

Only for a process of its own: what is built is never freed, and a flaw in a call ends the process.
Source: the functions that `libleanshared.so` of Lean 4.35 exports.  VERSIONS names the versions that were tried; the
interface is internal to Lean and changes, so no other is used.
"""

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lean_check.audit_olean import Constant, Module, Name

VERSIONS = frozenset(["4.35.0"])

_P = ctypes.c_void_p
BOX0, BOX1 = 1, 3
_PRIVATE = 2  # OLeanLevel.private: all there is of a module
_KERNEL_ERRORS = (
    "unknown constant", "already declared", "value of another type", "metavariables", "free variables",
    "function expected", "type expected", "let of another type", "type mismatch", "application type mismatch",
    "invalid projection", "type of theorem is no proposition", "refused", "deterministic timeout", "excessive memory",
    "deep recursion", "interrupted",
)  # fmt: skip
_OTHER = 12
_MAX_DEPTH = 1 << 20  # of the kernel's recursion; the stack ends it before


class KernelRefused(Exception):
    """Lean's kernel, or an import, did not take what it was given; the text says why."""


class Kernel:
    """A Lean in this process, without threads of its own, and the environment that its imports give."""

    def __init__(self, library: Path) -> None:
        self._lib = ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        self._names: dict[Name, int] = {(): BOX0}
        self._env = 0
        self._begun: dict[tuple[Name, ...], int] = {}
        self._start()

    def _start(self) -> None:
        self.call("lean_initialize", (), None)
        self._io(self.call("lean_init_search_path", ()))
        self.call("lean_io_mark_end_initialization", (), None)

    def call(self, function: str, arguments: Sequence[int], result: Any = _P) -> int:
        """What an exported function returns; its arguments are objects of Lean's or plain numbers."""
        found = getattr(self._lib, function)
        found.restype, found.argtypes = result, [_P] * len(arguments)
        value = found(*arguments)
        return int(value) if value is not None else 0

    # Objects

    def keep(self, pointer: int) -> int:
        """Never freed, so that no reference is counted from here on."""
        if not pointer & 1:
            self._lib.lean_mark_persistent(_P(pointer))
        return pointer

    def _head(self, pointer: int) -> tuple[int, int]:
        """Tag and number of fields of an object."""
        word = ctypes.c_uint64.from_address(pointer).value
        return word >> 56, (word >> 48) & 255

    def _field(self, pointer: int, index: int) -> int:
        return int(ctypes.c_uint64.from_address(pointer + 8 + 8 * index).value)

    def object(self, tag: int, fields: Sequence[int], scalars: bytes = b"") -> int:
        """A constructor object of this tag, with its fields and the bytes that follow them."""
        size = 8 + 8 * len(fields) + (len(scalars) + 7) // 8 * 8
        pointer = self.call("lean_alloc_object", (size,))
        words = (ctypes.c_uint64 * (size // 8)).from_address(pointer)
        words[0] = tag << 56 | len(fields) << 48 | size << 32 | 1
        words[1:] = [*fields, *([0] * (size // 8 - 1 - len(fields)))]
        ctypes.memmove(pointer + 8 + 8 * len(fields), scalars, len(scalars))
        return self.keep(pointer)

    def list(self, items: Iterable[int]) -> int:
        """A list of Lean's."""
        made = BOX0
        for item in reversed(list(items)):
            made = self.object(1, (item, made))
        return made

    def _array(self, items: Iterable[int]) -> int:
        made = self.call("lean_mk_array", (BOX0, BOX0))
        for item in items:
            made = self.call("lean_array_push", (made, item))
        return made

    def string(self, text: str) -> int:
        """A string of Lean's."""
        data = text.encode()
        found = self._lib.lean_mk_string_from_bytes
        found.restype, found.argtypes = _P, [ctypes.c_char_p, ctypes.c_size_t]
        return self.keep(found(data, len(data)))

    def nat(self, number: int) -> int:
        """A natural number of Lean's."""
        if number < 1 << 63:
            return number << 1 | 1
        found = self._lib.lean_cstr_to_nat
        found.restype, found.argtypes = _P, [ctypes.c_char_p]
        return self.keep(found(_decimal(number)))

    def name(self, name: Name) -> int:
        """A name of Lean's."""
        for length in range(1, len(name) + 1):
            part = name[:length]
            if part not in self._names:
                before, last = self._names[part[:-1]], part[-1]
                if isinstance(last, str):
                    made = self.call("lean_name_mk_string", (before, self.string(last)))
                else:
                    made = self.call("lean_name_mk_numeral", (before, self.nat(last)))
                self._names[part] = self.keep(made)
        return self._names[name]

    def names(self, names: Iterable[Name]) -> int:
        """A list of names."""
        return self.list(self.name(name) for name in names)

    def name_at(self, pointer: int) -> Name:
        """The name that an object of Lean's own is."""
        parts: list[str | int] = []
        while not pointer & 1:
            tag, _ = self._head(pointer)
            part = self._field(pointer, 1)
            parts.append(self._string_at(part) if tag == 1 else part >> 1)
            pointer = self._field(pointer, 0)
        return tuple(reversed(parts))

    def _string_at(self, pointer: int) -> str:
        size = ctypes.c_uint64.from_address(pointer + 8).value
        return ctypes.string_at(pointer + 32, size - 1).decode("utf-8", "replace")

    def _io(self, result: int) -> int:
        """The value of an IO action.  Raises: KernelRefused with Lean's text of the error."""
        tag, _ = self._head(result)
        if tag == 0:
            return self._field(result, 0)
        raise KernelRefused(self._string_at(self.call("lean_io_error_to_string", (self._field(result, 0),))))

    # The environment

    def import_modules(self, modules: Iterable[Name]) -> None:
        """Begins an environment with these compiled modules, found by LEAN_PATH, or goes back to the one that was begun
        with them before.  Raises: KernelRefused."""
        wanted = tuple(modules)
        if wanted not in self._begun:
            self._begun[wanted] = self._imported(wanted)
        self._env = self._begun[wanted]

    def _imported(self, modules: Sequence[Name]) -> int:
        imports = [self.object(0, (self.name(module),), bytes((0, 1, 0))) for module in modules]
        array, no_plugins = self._array(imports), self._array(())
        options = self.call("lean_options_get_empty", (BOX0,))
        # imports, options, trust level 0, plugins, not leaked, no extensions loaded (they are code), all data, no paths
        arguments = (array, options, BOX0, no_plugins, BOX0, BOX0, _PRIVATE << 1 | 1, BOX1)
        environment = self._io(self.call("l_Lean_importModules___boxed", arguments))
        return self.call("lean_elab_environment_to_kernel_env", (environment,))

    def _borrowed_env(self) -> int:
        count = ctypes.c_int32.from_address(self._env)
        if count.value > 0:
            count.value += 1
        elif count.value < 0:  # shared between threads: counted downwards
            count.value -= 1
        return self._env

    def find(self, name: Name) -> int | None:
        """The constant of this name as an object of Lean's, or None."""
        found = self.call("lean_environment_find", (self._borrowed_env(), self.name(name)))
        return None if found & 1 else self.keep(self._field(found, 0))

    def kind(self, constant: int) -> int:
        """The index of its kind in Lean's `ConstantInfo`: axiom, def, theorem, opaque, quot, inductive, …"""
        return self._head(constant)[0]

    def type_of(self, constant: int) -> int:
        """Its type."""
        return self._field(self._common(constant), 2)

    def value_of(self, constant: int) -> int:
        """The value of a def, theorem or opaque."""
        return self._field(self._field(constant, 0), 1)

    def level_params_of(self, constant: int) -> tuple[Name, ...]:
        """The names of its universe parameters."""
        return tuple(self._list_at(self._field(self._common(constant), 1)))

    def _common(self, constant: int) -> int:
        return self._field(self._field(constant, 0), 0)

    def _list_at(self, pointer: int) -> Iterator[Name]:
        while not pointer & 1:
            yield self.name_at(self._field(pointer, 0))
            pointer = self._field(pointer, 1)

    def used_by(self, constant: int) -> Iterator[Name]:
        """The names in its type and value, and those that come with an inductive type."""
        terms = [self.type_of(constant)]
        kind, value = self.kind(constant), self._field(constant, 0)
        if kind in (1, 2, 3):
            terms.append(self._field(value, 1))
        for term in terms:
            array = self.call("l_Lean_Expr_getUsedConstants", (self.keep(term),))
            for index in range(ctypes.c_uint64.from_address(array + 8).value):
                yield self.name_at(ctypes.c_uint64.from_address(array + 24 + 8 * index).value)
        if kind == 5:
            yield from self._list_at(self._field(value, 4))
        elif kind == 6:
            yield self.name_at(self._field(value, 1))

    def same(self, left: int, right: int) -> bool:
        """Whether two terms are the same but for the names of bound variables."""
        found = self._lib.lean_expr_eqv
        found.restype, found.argtypes = ctypes.c_uint8, [_P, _P]
        return bool(found(left, right))

    def constant(self, name: Name, level_params: Sequence[Name]) -> int:
        """The term that is this constant, at these universe parameters."""
        levels = self.list(self.keep(self.call("lean_level_mk_param", (self.name(part),))) for part in level_params)
        return self.keep(self.call("lean_expr_mk_const", (self.name(name), levels)))

    def proves(self, name: Name, level_params: Sequence[Name], statement: int) -> None:
        """Takes the constant `name` for a proof of `statement`, a closed term with these universe parameters.  Raises:
        KernelRefused where the kernel does not, which unfolds what it has to."""
        self._prove(("lean_check", "asked"), level_params, statement, self.constant(name, level_params))

    def equal(self, left: Name, right: Name, level_params: Sequence[Name], type_: int) -> None:
        """Takes two constants of this closed type to be equal by definition: `P right` from `P left`, for every `P`.
        Raises: KernelRefused where the kernel does not, or where one has another type."""

        def arrow(kind: str, domain: int, body: int) -> int:
            return self.keep(self.call(f"lean_expr_mk_{kind}", (BOX0, domain, body, 0)))

        def predicate_of(name: Name, index: int) -> int:
            predicate = self.keep(self.call("lean_expr_mk_bvar", (self.nat(index),)))
            return self.keep(self.call("lean_expr_mk_app", (predicate, self.constant(name, level_params))))

        proposition = self.keep(self.call("lean_expr_mk_sort", (self.keep(self.call("lean_level_mk_zero", (BOX0,))),)))
        predicates = arrow("forall", type_, proposition)
        statement = arrow("forall", predicates, arrow("forall", predicate_of(left, 0), predicate_of(right, 1)))
        first = self.keep(self.call("lean_expr_mk_bvar", (self.nat(0),)))
        proof = arrow("lambda", predicates, arrow("lambda", predicate_of(left, 0), first))
        self._prove(("lean_check", "equal", *right), level_params, statement, proof)

    def _prove(self, name: Name, level_params: Sequence[Name], statement: int, proof: int) -> None:
        common = self.object(0, (self.name(name), self.names(level_params), statement))
        self.add(self.object(2, [self.object(0, (common, proof, self.names([name])))]))

    def _checked(self, result: int) -> int:
        """The value of an `Except KernelException`."""
        if self._head(result)[0] == 1:
            return self._field(result, 0)
        error = self._field(result, 0)
        tag = error >> 1 if error & 1 else self._head(error)[0]
        text = _KERNEL_ERRORS[tag] if tag < len(_KERNEL_ERRORS) else f"error {tag}"
        if tag == _OTHER:
            text = self._string_at(self._field(error, 0))
        elif tag in (0, 1):
            text += " " + show(self.name_at(self._field(error, 1)))
        raise KernelRefused(text)

    def add(self, declaration: int) -> None:
        """Adds a declaration if the kernel accepts it.  Raises: KernelRefused."""
        found = self._lib.lean_add_decl
        found.restype, found.argtypes = _P, [_P, ctypes.c_size_t, ctypes.c_size_t, _P, _P]
        self._env = self._checked(found(self._borrowed_env(), 0, _MAX_DEPTH, declaration, BOX0))


class Builder:
    """The terms and declarations of one module, made by Lean's constructors.  renamed: constants that go by another
    name in what is made."""

    def __init__(self, kernel: Kernel, module: Module, renamed: Mapping[Name, Name] | None = None) -> None:
        self._kernel, self._module, self._renamed = kernel, module, renamed or {}
        self._levels: list[int] = []
        self._terms: list[int] = []

    def term(self, index: int) -> int:
        """The term of this index as an object of Lean's."""
        while len(self._terms) <= index:
            self._terms.append(self._kernel.keep(self._term(self._module.terms[len(self._terms)])))
        return self._terms[index]

    def _level(self, index: int) -> int:
        while len(self._levels) <= index:
            kind, *rest = self._module.levels[len(self._levels)]
            below = [self._kernel.name(rest[0])] if kind == "param" else [self._levels[child] for child in rest]
            self._levels.append(self._kernel.keep(self._kernel.call(f"lean_level_mk_{kind}", below or [BOX0])))
        return self._levels[index]

    def _term(self, term: tuple[Any, ...]) -> int:
        kind, *parts = term
        arguments = {"lam": self._binder, "forall": self._binder, "let": self._let, "proj": self._proj}.get(kind)
        function = {"lam": "lambda", "nat": "lit", "string": "lit"}.get(kind, kind)
        return self._kernel.call(f"lean_expr_mk_{function}", (arguments or self._plain)(kind, parts))

    def _binder(self, _: str, parts: list[Any]) -> tuple[int, ...]:
        name, domain, body, binder = parts
        return self._kernel.name(name), self._terms[domain], self._terms[body], binder

    def _let(self, _: str, parts: list[Any]) -> tuple[int, ...]:
        name, domain, value, body, is_have = parts
        return self._kernel.name(name), self._terms[domain], self._terms[value], self._terms[body], is_have

    def _proj(self, _: str, parts: list[Any]) -> tuple[int, ...]:
        structure, index, value = parts
        return self._kernel.name(structure), self._kernel.nat(index), self._terms[value]

    def _plain(self, kind: str, parts: list[Any]) -> tuple[int, ...]:
        kernel, first = self._kernel, parts[0]
        if kind == "app":
            return self._terms[first], self._terms[parts[1]]
        if kind == "const":
            name = kernel.name(self._renamed.get(first, first))
            return name, kernel.list(self._level(level) for level in parts[1])
        if kind == "sort":
            return (self._level(first),)
        if kind == "bvar":
            return (kernel.nat(first),)
        return (kernel.object(0, [kernel.nat(first)]) if kind == "nat" else kernel.object(1, [kernel.string(first)]),)

    def declaration(self, constants: Sequence[Constant]) -> int:
        """The declaration of one constant, or of inductive types that are declared together with their constructors:
        these follow the types."""
        first, kernel = constants[0], self._kernel
        if first.kind == "inductive":
            return self._inductive(constants)
        name = kernel.name(self._renamed.get(first.name, first.name))
        common = kernel.object(0, (name, kernel.names(first.level_params), self.term(first.type)))
        together = kernel.names(first.all)
        if first.kind == "axiom":
            return kernel.object(0, [kernel.object(0, [common], bytes([first.safety == 0]))])
        if first.value is None:
            raise KernelRefused(f"{first.kind} {show(first.name)} cannot be declared by itself")
        value = self.term(first.value)
        if first.kind == "def":
            hints = {"opaque": BOX0, "abbrev": BOX1}.get(str(first.hints)) or kernel.object(
                2, (), int(first.hints).to_bytes(8, "little")
            )
            return kernel.object(1, [kernel.object(0, (common, value, hints, together), bytes([first.safety]))])
        if first.kind == "theorem":
            return kernel.object(2, [kernel.object(0, (common, value, together))])
        return kernel.object(3, [kernel.object(0, (common, value, together), bytes([first.safety == 0]))])

    def _inductive(self, constants: Sequence[Constant]) -> int:
        kernel, named = self._kernel, {constant.name: constant for constant in constants}
        types = []
        for inductive in (constant for constant in constants if constant.kind == "inductive"):
            if missing := next((name for name in inductive.constructors if name not in named), None):
                raise KernelRefused(f"no constructor {show(missing)} in the file")
            made = [
                kernel.object(0, (kernel.name(name), self.term(named[name].type))) for name in inductive.constructors
            ]
            types.append(kernel.object(0, (kernel.name(inductive.name), self.term(inductive.type), kernel.list(made))))
        parameters = (kernel.names(constants[0].level_params), kernel.nat(constants[0].num_params), kernel.list(types))
        return kernel.object(6, parameters, bytes([constants[0].safety == 0]))


def show(name: Name) -> str:
    """The name as it is written."""
    return ".".join(str(part) for part in name)


def _decimal(number: int) -> bytes:
    """The digits of a number of any size; Python's own conversion refuses long ones."""
    digits: list[bytes] = []
    stack = [(number, 0)]
    while stack:
        value, width = stack.pop()
        if value.bit_length() < 4096:
            digits.append(str(value).zfill(width).encode())
            continue
        half = value.bit_length() * 1233 >> 13  # about half of its decimal digits
        high, low = divmod(value, 10**half)
        stack += [(low, half), (high, max(width - half, 0))]
    return b"".join(digits)
