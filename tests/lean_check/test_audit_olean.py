"""The reader of compiled files, on true ones, on damaged ones, and on ones made by hand."""

import contextlib
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lean_check.audit import Question, audit
from lean_check.audit_olean import BadOlean, children, read
from lean_check.process import Limits
from lean_check.sandbox import probe
from tests.lean_check.real import compiled_library, real_toolchain

SOURCE = """
private def secret : Nat := 123456789012345678901234567890123456789
noncomputable def f.{u} (α : Sort u) (a : α) : α := let b := a; (fun c => c) b
structure Pair where
  x : Nat
  y : String := "añ"
theorem t (p : Pair) : p.1 = p.x ∧ 2 + 2 = 4 := ⟨rfl, rfl⟩
theorem s : secret = 123456789012345678901234567890123456789 := rfl
"""


@pytest.fixture(scope="module")
def olean(tmp_path_factory):
    return compiled(SOURCE, tmp_path_factory.mktemp("olean"))


def compiled(source, folder):
    (folder / "Item.lean").write_text(source, encoding="utf-8")
    command = [*real_toolchain().command, "-o", str(folder / "Item.olean"), str(folder / "Item.lean")]
    done = subprocess.run(command, check=False, capture_output=True, cwd=folder, env=real_toolchain().environment())
    assert done.returncode == 0, done.stdout
    return (folder / "Item.olean").read_bytes()


def test_what_a_file_declares_is_read(olean):
    module = read(olean)
    assert ("Init",) in module.imports
    assert not module.is_module
    kinds = {constant.name: constant.kind for constant in module.constants}
    assert kinds["t",] == "theorem"
    assert kinds["Pair",] == "inductive"
    assert kinds["Pair", "mk"] == "constructor"
    assert kinds["Pair", "rec"] == "recursor"
    assert kinds["_private", "Item", 0, "secret"] == "def"
    assert ("nat", 123456789012345678901234567890123456789) in module.terms
    assert ("string", "añ") in module.terms
    universe = next(constant for constant in module.constants if constant.name == ("f",))
    assert universe.level_params == (("u",),)
    statement = next(constant for constant in module.constants if constant.name == ("t",)).type
    assert {("Pair",), ("And",), ("Eq",), ("OfNat", "ofNat")} <= module.used(statement)


def test_every_term_refers_to_earlier_ones_only(olean):
    module = read(olean)
    assert len(module.terms) > 50
    assert all(child < index for index, term in enumerate(module.terms) for child in children(term))


def test_the_whole_test_library_is_read():
    files = sorted(compiled_library().rglob("*.olean"))
    assert len(files) == 7
    assert sum(len(read(file.read_bytes()).constants) for file in files) > 1500


@given(data=st.data())
@settings(max_examples=200)
def test_a_damaged_file_is_refused_or_read_and_nothing_else(olean, data):
    damaged = bytearray(olean)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(olean) // 8 - 1)) * 8
        word = data.draw(st.sampled_from([0, 1, 2**64 - 1, place]) | st.integers(0, 2**64 - 1))
        damaged[place : place + 8] = word.to_bytes(8, "little")
    try:
        module = read(bytes(damaged))
    except BadOlean:
        return
    assert all(child < index for index, term in enumerate(module.terms) for child in children(term))


@given(data=st.data())
def test_pointers_moved_to_other_objects_are_refused_or_read_and_nothing_else(olean, data):
    words = [int.from_bytes(olean[at : at + 8], "little") for at in range(0, len(olean), 8)]
    base = words[10]
    pointers = [at for at, word in enumerate(words) if base < word < base + len(olean) and at > 11]
    first, second = (data.draw(st.sampled_from(pointers)) for _ in range(2))
    damaged = bytearray(olean)
    damaged[first * 8 : first * 8 + 8] = olean[second * 8 : second * 8 + 8]
    with contextlib.suppress(BadOlean):
        read(bytes(damaged))


@given(st.binary(max_size=300), st.integers(0, 200))
def test_no_bytes_break_the_reader(olean, data, kept):
    for candidate in (data, olean[:kept] + data, olean[: len(olean) - kept]):
        with contextlib.suppress(BadOlean):
            read(candidate)


@pytest.fixture
def audited(olean):
    if not probe().works:
        pytest.skip(f"no sandbox on this machine: {probe().detail}")

    def call(data, reference=olean, target="t"):
        return audit(data, real_toolchain(), Limits(timeout_s=30), Question((reference, target)))

    return call


def test_the_audit_takes_the_file_as_it_was_written(audited, olean):
    assert audited(olean).reasons == ()


def test_a_file_whose_hashes_are_forged_is_judged_by_its_terms(audited, olean, tmp_path):
    """Lean keeps a hash and flags in every term, and trusts them; here they are not even read."""
    module = read(olean)
    forged = bytearray(olean)
    for at in range(96, len(olean) - 32, 8):
        head = int.from_bytes(olean[at : at + 8], "little")
        if head >> 56 == 5 and (head >> 48) & 255 == 2 and (head >> 32) & 0xFFFF == 32:  # an application
            forged[at + 24 : at + 32] = bytes(8)
    assert bytes(forged) != olean
    assert read(bytes(forged)).terms == module.terms
    assert audited(bytes(forged)).reasons == ()


def test_a_file_that_claims_another_statement_for_the_same_proof_is_refused_by_the_kernel(audited, olean, tmp_path):
    data = olean.replace(
        int.to_bytes(4 << 1 | 1, 8, "little"), int.to_bytes(5 << 1 | 1, 8, "little")
    )  # every 4 is a 5, in the statement too
    assert data != olean
    found = audited(data)
    assert found.reasons == ("kernel",), found


def test_a_file_of_another_format_is_refused(audited, olean):
    assert audited(b"olean\x01" + olean[6:]).reasons == ("bad_olean",)
    assert audited(b"").reasons == ("bad_olean",)


def objects(olean, tag, fields, size):
    """The offsets of the objects of this shape, the root left out."""
    base, root = (int.from_bytes(olean[at : at + 8], "little") for at in (80, 88))
    shape = tag << 24 | fields << 16 | size
    heads = (at for at in range(96, len(olean) - size, 8) if int.from_bytes(olean[at + 4 : at + 8], "little") == shape)
    return base, [at for at in heads if at != root - base]


def test_a_ring_of_terms_is_refused(olean):
    base, applications = objects(olean, 5, 2, 32)
    rings = 0
    for at in applications:
        function = int.from_bytes(olean[at + 8 : at + 16], "little") - base
        if function in applications:
            ring = bytearray(olean)
            ring[function + 8 : function + 16] = (base + at).to_bytes(8, "little")
            with pytest.raises(BadOlean):
                read(bytes(ring))
            rings += 1
    assert rings >= 5


def test_an_inductive_type_whose_constructors_are_hidden_is_refused_by_the_kernel(audited, olean):
    _, constructors = objects(olean, 0, 5, 56)
    assert constructors
    hidden = bytearray(olean)
    for at in constructors:
        hidden[at + 48] = 1  # unsafe: left out of what the kernel is given
    found = audited(bytes(hidden))
    assert (found.failed, found.reasons) == (None, ("kernel",)), found


def test_names_whose_parts_would_fill_the_memory_are_refused(olean, monkeypatch):
    monkeypatch.setattr("lean_check.audit_olean.MAX_PARTS", 50)
    with pytest.raises(BadOlean, match="more than 50 parts"):
        read(olean)


def test_a_text_that_many_names_share_is_read_once(olean):
    parts = [part for constant in read(olean).constants for part in constant.name if isinstance(part, str)]
    shared = [part for part in set(parts) if len({id(other) for other in parts if other == part}) == 1]
    assert "Pair" in shared
