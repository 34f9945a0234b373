"""What a batch wants of its problems, from its contest.toml to the reasons of selection."""

from datetime import UTC, datetime

from resources.batches import BatchFile, Manifest, Settings
from stepforge.vocabulary import Reason
from tests.pipeline import CommandLine, chain, write_set

PROOF = {"id": "proof", "language": "en", "type": "proof", "question": "Prove that 2 + 2 = 4.", "solution": "It is."}
SUM = {
    "id": "sum", "language": "en", "type": "free_form", "answer": "110148563.0",
    "question": "Compute 38471 * 2937 + 77712 / 48 - 9913 * 287 + 51.",
}  # fmt: skip


def refused(line):
    assert line("build", "--batch", "b", "--to", "selected_problems").code == 0
    return line.home.store.pointer("selected_problems", "b").dropped


def test_settings_of_a_contest_decide_what_is_selected_and_make_that_stage_alone_anew(tmp_path, capsys):
    line = CommandLine(tmp_path / "home", capsys)
    folder = write_set(tmp_path / "contest", [chain(0), PROOF, SUM])
    assert line("ingest", folder, "--batch", "b").code == 0
    assert refused(line) == {str(Reason.CUMBERSOME_CALCULATION): 1}
    before = line.home.store.pointer("clean_problems", "b")
    (folder / "contest.toml").write_text("final_answer_only = true\nsolution_needed = true\nkeep_calculations = true\n")
    assert line("ingest", folder, "--batch", "b", "--replace").code == 0
    assert refused(line) == {str(Reason.PROOF_ONLY): 1, str(Reason.MISSING_SOLUTION): 1}
    assert line.home.store.pointer("clean_problems", "b").data_version == before.data_version


def test_what_is_wanted_is_no_part_of_the_version_of_the_files():
    file = BatchFile(path="a", sha256="0", size_bytes=1, arrived_at=datetime(2026, 1, 2, tzinfo=UTC))
    plain, strict = (
        Manifest(batch="b", settings=settings, files=(file,))
        for settings in (Settings(), Settings(final_answer_only=True))
    )
    assert plain.version() == strict.version()
    assert (plain.wanted_version(), strict.wanted_version()) == ("soundness", "final_answer_only")
