"""Entry point of the command `stepforge`.

Worker processes import the main module again: this one imports nothing until it is run, so that a worker does not pay
for the whole command line.
"""


def main() -> None:
    """Run the command line."""
    from dagster_project.cli import main as run  # noqa: PLC0415 - see above

    run()
