"""Settings of all tests."""

from hypothesis import settings

# two cores shared with other workers: the clock decides nothing, and a failure must be found again
settings.register_profile("stepforge", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("stepforge")
