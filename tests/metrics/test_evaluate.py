import pytest

from stepforge.errors import BadRequest
from stepforge.metrics._base import METRICS, Options
from stepforge.metrics._evaluate import evaluate
from stepforge.metrics._rows import find, parameters, parse, type_in_words


def rows_of(name, *rows):
    return [METRICS[name].row.model_validate(row) for row in rows]


def run(name, rows, by=(), resamples=200, **settings):
    metric = METRICS[name]
    return evaluate(metric, rows, Options(metric.parameters(**settings), by, 0, resamples))


def answers(rights, **labels):
    return [
        {"id": k, "verdict": "equal" if right else "different", **{name: of[k] for name, of in labels.items()}}
        for k, right in enumerate(rights)
    ]


def test_values_are_broken_down_by_the_labels_at_hand_and_the_groups_add_up():
    labels = {"difficulty": ["easy", "hard", "easy", None], "step_length": [3, 30, 12, None], "colour": list("rrgr")}
    rows = rows_of("faa", *answers([True, False, True, False], **labels))
    found = run("faa", rows, by=("colour",))
    assert set(found["by"]) == {"difficulty", "step_length", "colour"}
    assert {k: v["FAA"]["value"] for k, v in found["by"]["difficulty"].items()} == {"easy": 1, "hard": 0, "unknown": 0}
    assert list(found["by"]["step_length"]) == ["1-4", "9-12", "25+", "unknown"]
    for groups in found["by"].values():
        assert sum(group["FAA"]["n"] for group in groups.values()) == 4
    assert found["ignored_fields"] == []
    assert run("faa", rows)["ignored_fields"] == ["colour"]


def test_a_label_that_no_row_has_or_that_is_an_id_is_refused():
    rows = rows_of("faa", *answers([True] * 300))
    with pytest.raises(BadRequest, match="no row has this field"):
        run("faa", rows, by=("colour",))
    with pytest.raises(BadRequest, match="300 different values"):
        run("faa", rows, by=("id",))
    with pytest.raises(BadRequest, match="a value is list"):
        run("faa", rows_of("faa", {"id": 1, "verdict": "equal", "tags": ["a"]}), by=("tags",))


def test_samples_of_one_item_are_resampled_together():
    alone = rows_of("faa", *answers([True, False] * 20))
    twice = [*alone, *alone]
    one, two = run("faa", alone)["values"]["FAA"], run("faa", twice)["values"]["FAA"]
    assert one == two
    apart = [row.model_copy(update={"id": f"other {row.id}"}) for row in alone]
    more = run("faa", [*alone, *apart])["values"]["FAA"]
    assert more["n"] == 80
    assert more["high"] - more["low"] < one["high"] - one["low"]


def test_the_interval_holds_the_truth_in_most_samples():
    from random import Random

    rng, inside = Random(5), 0
    for _ in range(60):
        rows = rows_of("faa", *answers([rng.random() < 0.6 for _ in range(80)]))
        value = run("faa", rows)["values"]["FAA"]
        inside += value["low"] <= 0.6 <= value["high"]
    assert inside >= 51  # 95 % are expected; fewer than 51 of 60 happen once in 10,000


def test_failures_are_counted_by_cause_and_undecided_apart():
    rows = rows_of(
        "faa",
        {"verdict": "equal"},
        {"verdict": None},
        {"failure": "refused"},
        {"failure": "not_accessible"},
        {"verdict": "undecided"},
    )
    found = run("faa", rows)
    assert (found["values"]["FAA"]["value"], found["values"]["FAA"]["n"]) == (0.25, 4)
    assert found["failures"] == {"missing": 1, "refused": 1}
    assert (found["undecided"], found["not_accessible"], found["rows"]) == (1, 1, 5)


def complaint(metric, *lines):
    with pytest.raises(Exception, match=r"^f.jsonl:\d+: ") as caught:
        parse([line.encode() if isinstance(line, str) else line for line in lines], METRICS[metric], "f.jsonl")
    return str(caught.value)


def test_a_bad_row_is_named_by_file_line_and_field_with_what_to_do():
    good = '{"id": "p", "kind": "choice", "judge": true}'
    said = complaint("mv-math", good, "", '{"kind": "chioce", "judge": true}')
    assert said.startswith("f.jsonl:3: field kind: input should be 'choice'")
    assert '"chioce"' in said
    assert said.endswith("stepforge metric mv-math --row")
    assert "judge is missing (is it 'jugde'?)" in complaint("mv-math", '{"kind": "choice", "jugde": true}')
    assert "more sub-answers right" in complaint("mv-math", '{"kind": "multistep", "judge": "3/2"}')
    assert "no JSON object" in complaint("mv-math", "{'kind': 1}")
    assert "not a JSON object" in complaint("mv-math", '[{"kind": "choice"}]')
    assert "no JSON object" in complaint("mv-math", b"\xff\xfe\x00")
    assert "no JSON object" in complaint("mv-math", "[" * 100_000)
    assert "finite" in complaint("overlap", '{"reference": "a", "reply": "b", "step_length": 1e999}')
    assert len(complaint("mv-math", '{"kind": "%s", "judge": true}' % ("x" * 100_000))) < 400


def test_a_byte_order_mark_and_empty_lines_are_no_rows():
    text = '\ufeff{"id": "p", "verdict": "equal"}\r\n\r\n{"id": "q", "verdict": null}\r\n'.encode()
    assert [row.id for row in parse(text.splitlines(keepends=True), METRICS["faa"], "f")] == ["p", "q"]


def test_parameters_are_set_by_name_and_checked():
    metric = METRICS["geolaux"]
    assert parameters(metric, ["alpha=2.5"]).alpha == 2.5
    for setting in ("alpha=-1", "alpha=nan", "beta=1", "alpha"):
        with pytest.raises(BadRequest, match="--set"):
            parameters(metric, [setting])
    with pytest.raises(BadRequest, match="did you mean geolaux"):
        find("geolux")


def test_types_are_told_as_json_knows_them():
    assert type_in_words(tuple[int, ...] | None) == "array of whole number or null"
    assert type_in_words(tuple[int | None, ...]) == "array of (whole number or null)"
    assert type_in_words(tuple[tuple[int, int], ...]) == "array of [whole number, whole number]"
    assert type_in_words(dict[str, float]) == "object with values of number"
