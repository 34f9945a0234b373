"""The `Definitions`, jobs, plans, and the command line."""
