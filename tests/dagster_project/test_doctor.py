def test_the_doctor_says_what_is_there_and_how_to_get_what_is_not(cli, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-secret")
    said = cli("doctor")
    assert said.code == 0
    assert "the pipeline can run" in said.out
    assert "install Lean 4 with elan" in said.out
    assert "bwrap" in said.out
    assert "apt install chromium" in said.out
    assert "MATHPIX_APP_ID" in said.out
    assert "tesseract" in said.out
    assert "sk-planted-secret" not in said.out


def test_a_home_that_cannot_be_used_is_the_first_thing_to_mend(cli, tmp_path):
    (tmp_path / "file").write_text("")
    cli.root = tmp_path / "file" / "home"
    said = cli("doctor")
    assert said.code == 2
    assert "cannot be written" in said.out
    assert "the pipeline cannot run: home" in said.out
