"""Stores of both kinds."""

import pytest

from resources.llm.stores import new_owner, open_store
from tests.postgres import postgres  # noqa: F401 - a fixture
from tests.resources.llm.stored import NOW


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    """Where an empty store may be opened: a path, then a URL."""
    if request.param == "sqlite":
        return str(tmp_path / "home" / "replies.sqlite")
    return request.getfixturevalue("postgres").new_place()


@pytest.fixture
def store(place):
    opened = open_store(place)
    yield opened
    opened.close()


@pytest.fixture
def owner(store):
    name = new_owner()
    store.register(name, NOW)
    return name
