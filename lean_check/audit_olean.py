"""What an `.olean` file declares, read without Lean: imports, constants, and their terms as plain Python values.

The file comes from a process in which the text under check could carry out code, so its bytes are hostile.  Mapping
them into Lean's memory, as Lean does, would trust every pointer and every cached hash in them.  Here each is looked at:
an object lies inside the file, has the shape that its type asks for, and refers only to objects before it.
`lean_check.audit_kernel` builds the terms anew with Lean's own constructors.

Source: the layout of Lean's compacted regions (format 2, as Lean 4.35 writes it); tried with that version only.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

HEADER = b"olean\x02"
_ROOT = 88  # after marker, version, flags, Lean's version (33), commit (40) and base address (8)
_BASE = 80
_MPZ, _STRING, _ARRAY = 250, 249, 246
_HEAD = 8  # bytes of an object's head: reference count, size, number of fields, tag
MAX_INDEX = (1 << 20) - 2  # of a bound variable, as Lean itself has it
MAX_PART = (1 << 63) - 1  # of a number in a name
MAX_NODES = 20_000_000  # terms of one module: some 4 GB here; the largest modules of Mathlib have a tenth
MAX_PARTS = 20_000_000  # of all names of one module together, which a chain of names could make quadratic

Name = tuple[str | int, ...]
"""A name by its parts: `Nat.add` is ("Nat", "add"); the anonymous name is ()."""

Kind = Literal["axiom", "def", "theorem", "opaque", "quot", "inductive", "constructor", "recursor"]
_KINDS: tuple[Kind, ...] = ("axiom", "def", "theorem", "opaque", "quot", "inductive", "constructor", "recursor")


class BadOlean(Exception):
    """The bytes are no `.olean` of the format that is read here."""


@dataclass(frozen=True)
class Constant:
    """One declaration.  `type` and `value` are indices into `Module.terms`; `value` is None where it has none.
    `safety`: 0 unsafe, 1 safe, 2 partial.  `hints`: "opaque", "abbrev" or the height of a definition."""

    name: Name
    kind: Kind
    level_params: tuple[Name, ...]
    type: int
    value: int | None = None
    safety: int = 1
    hints: str | int = "opaque"
    all: tuple[Name, ...] = ()
    constructors: tuple[Name, ...] = ()
    num_params: int = 0


@dataclass
class Module:
    """The declarations of a file.  Terms and levels are lists in which each entry refers to earlier ones only: the
    first part of an entry says what it is, as in Lean's `Expr` and `Level`, the rest are names, numbers, indices."""

    imports: tuple[Name, ...] = ()
    is_module: bool = False
    constants: list[Constant] = field(default_factory=list)
    terms: list[tuple[Any, ...]] = field(default_factory=list)
    levels: list[tuple[Any, ...]] = field(default_factory=list)

    def used(self, root: int) -> set[Name]:
        """The names of all constants in a term."""
        found: set[Name] = set()
        seen, todo = {root}, [root]
        while todo:
            term = self.terms[todo.pop()]
            if term[0] in ("const", "proj"):
                found.add(term[1])
            for child in children(term):
                if child not in seen:
                    seen.add(child)
                    todo.append(child)
        return found


def children(term: tuple[Any, ...]) -> tuple[int, ...]:
    """The indices of the terms right under this one."""
    kind = term[0]
    if kind == "app":
        return term[1], term[2]
    if kind in ("lam", "forall"):
        return term[2], term[3]
    if kind == "let":
        return term[2], term[3], term[4]
    return (term[3],) if kind == "proj" else ()


def read(data: bytes) -> Module:
    """The module in these bytes.  Raises: BadOlean."""
    return _Reader(data).module()


def read_imports(data: bytes) -> tuple[Name, ...]:
    """The modules that it imports, and nothing else of it.  Raises: BadOlean."""
    return _Reader(data).imports()


class _Reader:
    def __init__(self, data: bytes) -> None:
        if not data.startswith(HEADER) or len(data) < _ROOT + 8 or len(data) % 8:
            raise BadOlean(f"{len(data)} bytes that begin with {data[:6]!r} are no .olean of format 2")
        self._data = data
        self._words = memoryview(data).cast("Q")
        self._base = self._words[_BASE >> 3]
        self._module = Module()
        self._names: dict[int, Name] = {}
        self._strings: dict[int, str] = {}
        self._parts = 0
        self._terms: dict[int, int] = {}
        self._levels: dict[int, int] = {}
        self._same_terms: dict[tuple[Any, ...], int] = {}
        self._same_levels: dict[tuple[Any, ...], int] = {}

    def imports(self) -> tuple[Name, ...]:
        root = self._fields(self._offset(self._words[_ROOT >> 3], len(self._data)), 0, 5, 8)
        at = self._at
        return tuple(self._import(item, at) for item in self._array(root[0], at))

    def module(self) -> Module:
        root = self._fields(self._offset(self._words[_ROOT >> 3], len(self._data)), 0, 5, 8)
        at, module = self._at, self._module
        module.is_module = self._scalar(at, 5, 0) != 0
        module.imports = self.imports()
        module.constants = [self._constant(item, at) for item in self._array(root[2], at)]
        return module

    # Objects.  `before`: the offset that an object must lie before, which is the one that refers to it.

    def _offset(self, word: int, before: int) -> int:
        offset = word - self._base
        if word & 7 or not _ROOT < offset < before:
            self._bad(word, "an object that lies outside the file or not before the one that refers to it")
        return offset

    def _head(self, word: int, before: int) -> tuple[int, int, int]:
        """Offset, tag and number of fields."""
        offset = self._offset(word, before)
        head = self._words[offset >> 3]
        return offset, head >> 56, (head >> 48) & 255

    def _fields(self, offset: int, tag: int, number: int, scalars: int) -> memoryview:
        """The fields of a constructor object of this shape; `self._at` is its offset afterwards."""
        head = self._words[offset >> 3]
        size = _HEAD + 8 * number + scalars
        if head >> 56 != tag or (head >> 48) & 255 != number or (head >> 32) & 0xFFFF != size:
            self._bad(offset + self._base, f"no object of tag {tag} with {number} fields and {scalars} bytes")
        if offset + size > len(self._data):
            self._bad(offset + self._base, "an object that ends behind the file")
        self._at = offset
        start = (offset + _HEAD) >> 3
        return self._words[start : start + number]

    def _struct(self, word: int, before: int, tag: int, number: int, scalars: int = 0) -> tuple[memoryview, int]:
        offset = self._offset(word, before)
        return self._fields(offset, tag, number, scalars), offset

    def _scalar(self, offset: int, fields: int, index: int) -> int:
        return self._data[offset + _HEAD + 8 * fields + index]

    def _array(self, word: int, before: int) -> memoryview:
        offset, tag, _ = self._head(word, before)
        size = self._words[(offset >> 3) + 1] if offset + 24 <= len(self._data) else -1
        if tag != _ARRAY or not 0 <= size <= (len(self._data) - offset - 24) // 8:
            self._bad(word, "no array")
        start = (offset >> 3) + 3
        return self._words[start : start + size]

    def _list(self, word: int, before: int) -> Iterator[tuple[int, int]]:
        """The words of a list's items, each with the offset of the cell that refers to it."""
        while word != 1:
            cell, at = self._struct(word, before, 1, 2)
            yield cell[0], at
            word, before = cell[1], at

    def _string(self, word: int, before: int) -> str:
        """Each string once, however many refer to it.  Two cannot overlap: the head of one is no UTF-8."""
        offset, tag, _ = self._head(word, before)
        if offset in self._strings:
            return self._strings[offset]
        size = self._words[(offset >> 3) + 1] if offset + 32 <= len(self._data) else 0
        if tag != _STRING or not 1 <= size <= len(self._data) - offset - 32:
            self._bad(word, "no string")
        try:
            self._strings[offset] = self._data[offset + 32 : offset + 32 + size - 1].decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadOlean("a string that is no UTF-8") from error
        return self._strings[offset]

    def _nat(self, word: int, before: int) -> int:
        if word & 1:
            return word >> 1
        offset, tag, _ = self._head(word, before)
        if tag != _MPZ or offset + 24 > len(self._data):
            self._bad(word, "no natural number")
        limbs = self._words[(offset >> 3) + 1] >> 32  # of GMP's number: allocated and used limbs, 32 bits each
        start = self._words[(offset >> 3) + 2] - self._base
        if not 0 < limbs < 1 << 31 or start != offset + 24 or start + 8 * limbs > len(self._data):
            self._bad(word, "no natural number")
        return int.from_bytes(self._data[start : start + 8 * limbs], "little")

    def _small(self, word: int, before: int, most: int = MAX_INDEX) -> int:
        """A number where a large one is no term of Lean's: it would panic, and go on with some default."""
        number = self._nat(word, before)
        return number if number <= most else self._bad(word, f"a number above {most}")

    def _bad(self, word: int, what: str) -> NoReturn:
        raise BadOlean(f"at byte {word - self._base}: {what}")

    # Lean's own types

    def _name(self, word: int, before: int) -> Name:
        parts: list[str | int] = []
        todo: list[int] = []
        while word != 1 and word not in self._names:
            offset, tag, _ = self._head(word, before)
            if tag not in (1, 2):
                self._bad(word, "no name")
            fields = self._fields(offset, tag, 2, 8)
            parts.append(self._string(fields[1], offset) if tag == 1 else self._small(fields[1], offset, MAX_PART))
            todo.append(word)
            word, before = fields[0], offset
        name: Name = () if word == 1 else self._names[word]
        for part, at in zip(reversed(parts), reversed(todo), strict=True):
            name = (*name, part)
            self._names[at] = name
            self._parts += len(name)
            if self._parts > MAX_PARTS:
                raise BadOlean(f"names of more than {MAX_PARTS} parts")
        return name

    def _name_list(self, word: int, before: int) -> tuple[Name, ...]:
        return tuple(self._name(item, at) for item, at in self._list(word, before))

    def _import(self, word: int, before: int) -> Name:
        fields, at = self._struct(word, before, 0, 1, 8)
        return self._name(fields[0], at)

    def _build(
        self,
        word: int,
        before: int,
        done: dict[int, int],
        open_node: Callable[[int, int], tuple[tuple[Any, ...], tuple[tuple[int, int], ...]]],
        close_node: Callable[[tuple[Any, ...], list[int]], int],
    ) -> int:
        """The index of the node at `word`, its children first, without recursion.  `open_node`: what is known of a node
        by itself, and the words of its children with the offset that refers to them."""
        stack = [(word, before)]
        opened: dict[int, tuple[tuple[Any, ...], tuple[tuple[int, int], ...]]] = {}
        while stack:
            here, limit = stack[-1]
            if here != 1:  # looked at for every reference, or one to a node that is still open would make a ring
                self._offset(here, limit)
            if here in done:
                stack.pop()
                continue
            if here not in opened:
                opened[here] = open_node(here, limit)
                stack += [child for child in opened[here][1] if child[0] not in done]
            else:
                head, below = opened.pop(here)
                done[here] = close_node(head, [done[child] for child, _ in below])
                stack.pop()
        return done[word]

    def _level(self, word: int, before: int) -> int:
        return self._build(word, before, self._levels, self._open_level, self._close_level)

    def _open_level(self, word: int, before: int) -> tuple[tuple[Any, ...], tuple[tuple[int, int], ...]]:
        if word == 1:
            return ("zero",), ()
        offset, tag, _ = self._head(word, before)
        shapes = {1: ("succ", 1), 2: ("max", 2), 3: ("imax", 2), 4: ("param", 1)}
        if tag not in shapes:
            self._bad(word, "no universe level")
        kind, number = shapes[tag]
        fields = self._fields(offset, tag, number, 8)
        if kind == "param":
            return (kind, self._name(fields[0], offset)), ()
        return (kind,), tuple((child, offset) for child in fields)

    def _close_level(self, head: tuple[Any, ...], below: list[int]) -> int:
        return self._add(self._module.levels, self._same_levels, (*head, *below))

    def _term(self, word: int, before: int) -> int:
        return self._build(word, before, self._terms, self._open_term, self._close_term)

    def _open_term(self, word: int, before: int) -> tuple[tuple[Any, ...], tuple[tuple[int, int], ...]]:
        offset, tag, _ = self._head(word, before)
        if tag == 5:
            fields = self._fields(offset, 5, 2, 8)
            return ("app",), ((fields[0], offset), (fields[1], offset))
        if tag in (6, 7):
            fields = self._fields(offset, tag, 3, 16)
            head = ("lam" if tag == 6 else "forall", self._name(fields[0], offset), self._scalar(offset, 3, 8) & 3)
            return head, ((fields[1], offset), (fields[2], offset))
        if tag == 8:
            fields = self._fields(offset, 8, 4, 16)
            head = ("let", self._name(fields[0], offset), self._scalar(offset, 4, 8) & 1)
            return head, tuple((child, offset) for child in fields[1:])
        if tag == 10:  # an annotation: the kernel does not look at it
            fields = self._fields(offset, 10, 2, 8)
            return ("mdata",), ((fields[1], offset),)
        if tag == 11:
            fields = self._fields(offset, 11, 3, 8)
            return ("proj", self._name(fields[0], offset), self._small(fields[1], offset)), ((fields[2], offset),)
        return self._open_leaf(word, offset, tag), ()

    def _open_leaf(self, word: int, offset: int, tag: int) -> tuple[Any, ...]:
        if tag == 0:
            return "bvar", self._small(self._fields(offset, 0, 1, 8)[0], offset)
        if tag == 3:
            return "sort", self._level(self._fields(offset, 3, 1, 8)[0], offset)
        if tag == 4:
            fields = self._fields(offset, 4, 2, 8)
            name = self._name(fields[0], offset)
            return "const", name, tuple(self._level(item, at) for item, at in self._list(fields[1], offset))
        if tag == 9:
            literal, at = self._struct(self._fields(offset, 9, 1, 8)[0], offset, self._literal_tag(offset), 1)
            if self._literal_tag(offset) == 0:
                return "nat", self._nat(literal[0], at)
            return "string", self._string(literal[0], at)
        return self._bad(word, f"no closed term: tag {tag}")

    def _literal_tag(self, offset: int) -> int:
        return self._head(self._fields(offset, 9, 1, 8)[0], offset)[1] & 1

    def _close_term(self, head: tuple[Any, ...], below: list[int]) -> int:
        if head[0] == "mdata":
            return below[0]
        if head[0] in ("lam", "forall", "let"):
            return self._add(self._module.terms, self._same_terms, (head[0], head[1], *below, head[2]))
        return self._add(self._module.terms, self._same_terms, (*head, *below))

    def _add(self, nodes: list[tuple[Any, ...]], same: dict[tuple[Any, ...], int], node: tuple[Any, ...]) -> int:
        index = same.setdefault(node, len(nodes))
        if index == len(nodes):
            if index >= MAX_NODES:
                raise BadOlean(f"more than {MAX_NODES} terms")
            nodes.append(node)
        return index

    def _constant(self, word: int, before: int) -> Constant:
        outer, tag, _ = self._head(word, before)
        if tag >= len(_KINDS):
            self._bad(word, "no constant")
        inner = self._fields(outer, tag, 1, 0)[0]
        kind = _KINDS[tag]
        fields, at = self._struct(inner, outer, 0, *_SHAPES[kind])
        name, params, term = self._struct(fields[0], at, 0, 3)[0]
        owner = self._offset(fields[0], at)
        common: dict[str, Any] = {
            "name": self._name(name, owner),
            "kind": kind,
            "level_params": self._name_list(params, owner),
            "type": self._term(term, owner),
        }
        return Constant(**common, **self._rest(kind, fields, at))

    def _rest(self, kind: Kind, fields: memoryview, at: int) -> dict[str, Any]:
        """What constants of this kind have beside name, universe parameters and type."""
        if kind == "def":
            return {
                "value": self._term(fields[1], at),
                "hints": self._hints(fields[2], at),
                "all": self._name_list(fields[3], at),
                "safety": self._scalar(at, 4, 0),
            }
        if kind in ("theorem", "opaque"):
            safety = 1 if kind == "theorem" else 1 - (self._scalar(at, 3, 0) & 1)
            return {"value": self._term(fields[1], at), "all": self._name_list(fields[2], at), "safety": safety}
        if kind == "inductive":
            return {
                "num_params": self._small(fields[1], at),
                "all": self._name_list(fields[3], at),
                "constructors": self._name_list(fields[4], at),
                "safety": 1 - (self._scalar(at, 6, 1) & 1),
            }
        if kind == "constructor":
            return {"safety": 1 - (self._scalar(at, 5, 0) & 1)}
        if kind == "recursor":
            return {"safety": 1 - (self._scalar(at, 7, 1) & 1)}
        return {"safety": 1 - (self._scalar(at, 1, 0) & 1)} if kind == "axiom" else {}

    def _hints(self, word: int, before: int) -> str | int:
        if word in (1, 3):
            return "opaque" if word == 1 else "abbrev"
        _, at = self._struct(word, before, 2, 0, 8)
        return int.from_bytes(self._data[at + _HEAD : at + _HEAD + 4], "little")


# Number of fields and of bytes that follow them (padded to 8).
_SHAPES: dict[Kind, tuple[int, int]] = {
    "axiom": (1, 8),
    "def": (4, 8),
    "theorem": (3, 0),
    "opaque": (3, 8),
    "quot": (1, 8),
    "inductive": (6, 8),
    "constructor": (5, 8),
    "recursor": (7, 8),
}
