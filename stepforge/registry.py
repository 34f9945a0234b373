"""Registries that fill themselves: a module of a package registers its entry when it is imported, and all are."""

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar


class Named(Protocol):
    """An entry of a registry."""

    @property
    def name(self) -> str:
        """The entry's name, unique in its registry."""
        ...


E = TypeVar("E", bound=Named)


class Registry(Generic[E]):
    """Entries by name. A name used twice or a module that fails to import stops the program: an entry that vanished
    quietly is a wrong table."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._entries: dict[str, E] = {}
        self._loaded = False

    def register(self, entry: E) -> E:
        """Add `entry`.  Raises: ValueError if its name is taken."""
        if entry.name in self._entries:
            raise ValueError(f"{self._package}: the name {entry.name!r} is registered twice")
        self._entries[entry.name] = entry
        return entry

    def _load(self) -> None:
        if not self._loaded:
            package = importlib.import_module(self._package)
            for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
                if not module.startswith("_"):
                    importlib.import_module(f"{self._package}.{module}")
            self._loaded = True

    def __getitem__(self, name: str) -> E:
        self._load()
        try:
            return self._entries[name]
        except KeyError:
            known = ", ".join(sorted(self._entries))
            raise KeyError(f"{self._package} has no entry {name!r}; it has: {known}") from None

    def __iter__(self) -> Iterator[E]:
        self._load()
        return iter([self._entries[name] for name in sorted(self._entries)])

    def __contains__(self, name: object) -> bool:
        self._load()
        return name in self._entries
