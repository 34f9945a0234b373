import pytest
from hypothesis import given
from hypothesis import strategies as st

from lean_check.tokens import Lines, tokenize

# pieces on which a tokenizer of Lean goes wrong, put together at random
WORDS = r"""/- -/ -- " \ ' « » r#" "# { } <- |- sorry axiom x' . λ 0b1 1e5 ⁻¹' '' 'a' '"' #exit é := /-- /-! ⟩"""
PIECES = st.sampled_from([*WORDS.split(), " ", "\n", "\u2028", "\0", "\ud800"])
TEXTS = st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200)


@given(TEXTS)
def test_every_text_is_cut_into_tokens_that_lie_in_it_in_order_with_blank_space_between(source):
    position = 0
    for token in tokenize(source).tokens:
        assert source[position : token.start].strip(" \t\r\n") == ""
        assert source.startswith(token.text, token.start)
        assert token.text
        position = token.start + len(token.text)
    assert source[position:].strip(" \t\r\n") == ""


@given(TEXTS)
def test_lines_and_columns_lead_back_to_the_place(source):
    lines = Lines(source)
    rows = source.split("\n")
    assert len(lines) == len(rows)
    for token in tokenize(source).tokens:
        line, column = lines.at(token.start)
        assert rows[line - 1][column] == source[token.start]


@pytest.mark.parametrize(
    "piece", ["/-", "-/", '"', "'", "«", "r#", "{", "x", "0", ".", "a.", "<-", "-", "λ", "\\", 'r"']
)
def test_long_hostile_text_is_cut_to_its_end(piece):
    source = piece * 80_000  # quadratic work on this takes minutes, and the run's time limit ends it
    tokens = tokenize(source).tokens
    starts = [token.start for token in tokens]
    assert starts == sorted(set(starts))
    assert all(source.startswith(token.text[:1], token.start) for token in tokens)


def words(source):
    return [token.text for token in tokenize(source).code() if token.kind == "word"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a -- b\nc", ["a", "c"]),
        ("a /- b /- c -/ d -/ e", ["a", "e"]),
        ("/-- doc -/ a", ["a"]),
        ("/--/ b -/ c", ["c"]),
        ('a "b \\" c" d', ["a", "d"]),
        ("a '\"' b", ["a", "b"]),
        ("a' b'' c", ["a'", "b''", "c"]),
        ("Lean.Elab.x «a b» #exit", ["Lean.Elab.x", "«a b»", "#exit"]),
        ("λx, x", ["x", "x"]),
        ("h.1.le x.1", ["h", "le", "x"]),
        ("f ⁻¹' s f '' t", ["f", "s", "f", "t"]),
        ('r"a\\" b r#"c" "#', ["b"]),
        ("x <--y\nz", ["x", "y", "z"]),
        ("{x //-1 < y}", ["x", "y"]),
    ],
)
def test_code_is_told_from_comments_and_strings(source, expected):
    assert words(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "/--/ a -/",
        "f ''-- s",
        "f ⁻¹'--s",
        "x <--y",
        "\\/-a-/",
        "//-a-/",
        "|--a",
        "0b1axiom",
        "1.e5axiom",
        's!"{sorry}"',
        'r"\\"',
        "/- a",
        '"a',
        "«a",
        "a 'b",
        "'\"'",
    ],
)
def test_where_lean_may_cut_otherwise_the_tokenizer_says_so(source):
    assert tokenize(source).doubts


@pytest.mark.parametrize(
    "source",
    [
        "theorem t (x : ℝ) : x ≥ 0 := by -- why\n  simp",
        "(a)-- b",
        "h' ▸ rfl /- c -/",
        "h.1.le",
        "2.5e3 + x",
    ],
)
def test_ordinary_text_raises_no_doubt(source):
    assert tokenize(source).doubts == ()
