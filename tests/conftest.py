"""Settings of all tests."""

import pytest
from hypothesis import settings

# two cores shared with other workers: the clock decides nothing, and a failure must be found again
settings.register_profile("stepforge", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("stepforge")


@pytest.fixture(scope="module")
def wire_server():
    """A scripted server of the providers' APIs, one for a test module."""
    from tests.wire import WireServer  # most modules need none

    with WireServer() as running:
        yield running


@pytest.fixture
def wire(wire_server):
    """That server with a script of its own for each test."""
    from tests.wire import Script

    wire_server.reset(Script())
    return wire_server
