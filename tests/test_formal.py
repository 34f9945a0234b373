import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepforge.formal import (
    MAX_CODE_CHARS,
    fenced_lean,
    header_of,
    is_wordless,
    lean_code,
    masked,
    read_file,
    renamed,
    without_proof,
)

LEAN = st.text(st.sampled_from("theoremlmadf :=()/-\"'\\ \n`let⟨⟩@[]sorry"), max_size=200)


@given(LEAN | st.text(max_size=200))
def test_masking_keeps_every_place_and_line(text):
    found = masked(text)
    assert len(found) == len(text)
    assert [i for i, c in enumerate(found) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
    assert all(a in (b, " ") for a, b in zip(found, text, strict=True))


def test_comments_nest_and_literals_hide_them():
    assert masked("a /- b /- c -/ := -/ d") == "a                    d"
    assert masked('a "-- \\" := " b -- :=\nc') == "a            " + " b      \nc"
    assert masked("x' '\"' y'") == "x'     y'"


@given(LEAN)
def test_any_text_is_cut_into_theorems_that_are_parts_of_it(text):
    for theorem in read_file(text).theorems:
        assert theorem.formal in text
        assert theorem.name in theorem.formal


@pytest.mark.parametrize(
    ("formal", "statement"),
    [
        ("theorem t : 1 = 1 := rfl", "theorem t : 1 = 1 := sorry\n"),
        ("theorem t : 1 = 1 :=", "theorem t : 1 = 1 := sorry\n"),
        (
            "theorem t (h : x = 1 := by simp) : x = 1 := by\n  exact h",
            "theorem t (h : x = 1 := by simp) : x = 1 := sorry\n",
        ),
        ("theorem t : 1 = 1 -- := here\n  := rfl", "theorem t : 1 = 1 -- := here\n  := sorry\n"),
        ("theorem t : let x := 1; x = 1 := rfl", "theorem t : let x := 1; x = 1 := rfl\n"),
        ("def f := 1\ntheorem t : f = 1 := rfl", "def f := 1\ntheorem t : f = 1 := rfl\n"),
        ("theorem t : ∀ n, n = n\n  | 0 => rfl\n  | _ => rfl", "theorem t : ∀ n, n = n\n  | 0 => rfl\n  | _ => rfl\n"),
    ],
)
def test_a_statement_ends_where_its_proof_begins(formal, statement):
    assert without_proof(formal) == statement


def test_a_header_is_what_stands_before_the_first_declaration():
    assert (
        header_of("import A -- why\n/- no -/\nopen B\n\n@[simp]\ntheorem t : True := trivial") == "import A\n\nopen B"
    )
    assert header_of("theorem t : True := trivial") == header_of("") == ""


def test_a_theorem_gets_a_namespace_unless_it_names_the_root():
    assert renamed("@[simp] theorem a.b {x} : True := h", "N") == "@[simp] theorem N.a.b {x} : True := h"
    assert renamed("theorem _root_.a : True := h", "N") == "theorem _root_.a : True := h"
    assert renamed("def a := 1", "N") == "def a := 1"


def test_a_question_that_shows_the_theorem_is_no_words():
    lean = "import A\n\ntheorem mathd_1 (x : ℝ) : x = x := sorry"
    assert is_wordless("theorem mathd_1 (x : ℝ) : x = x", lean)
    assert not is_wordless("By the theorem, x is x.", lean)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("```lean\na\n```", "a\n"),
        ("First\n```lean\na\n```\nthen\n```lean4\nb\n```\ndone", "b\n"),
        ("```lean\na\n```\n```python\nb\n```\n```\nc\n```", "a\n"),
        ("```\na\n```\n```text\nb\n```", "a\n"),
        ("````lean\n```\n````", "```\n"),
        ("```lean\na\n```\n```lean\nb", "a\n"),
        ("```lean\n \n```", None),
        ("```lean\na", None),
        ("theorem t : True := trivial", None),
        ("", None),
        ("```lean\n" + "a" * MAX_CODE_CHARS + "\n```", None),
    ],
)
def test_the_last_closed_block_of_lean_in_a_reply_counts(reply, code):
    assert lean_code(reply) == code


@given(st.text(max_size=300).filter(str.strip))
def test_code_that_is_fenced_is_read_back(code):
    code = "\n".join(code.splitlines())
    found = lean_code(f"Here:\n{fenced_lean(code)}\n")
    assert (found or "").rstrip() == code.rstrip()


def test_long_hostile_texts_take_linear_time():
    for unit in ("/-", '"', "`", "```lean\n", "@[", "theorem a (", "/-- -/\ntheorem t :", "'\\", ":= let "):
        text = unit * (400_000 // len(unit))
        lean_code(text)
        without_proof(text)
        read_file(text[:100_000])
