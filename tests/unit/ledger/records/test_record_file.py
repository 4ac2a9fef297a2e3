"""Lines of records, as another program writes and reads them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.records.record_file import (
    format_record,
    parse_line,
    parse_records,
    value_of,
)

LINE = (
    '- {"id":"f1df838f","sessionId":"main","category":"note","text":"summary 1\\nsecond é \\"q\\"",'
    '"provenance":{"sourceChannel":"main","confidence":0.8,"timestamp":"2026-11-02T01:31:39.005Z",'
    '"sensitivity":"operational"}}'
)


def test_a_line_of_the_original_is_written_as_it_was_read() -> None:
    record = parse_line(LINE).record
    assert record is not None
    assert (record.id, record.session, record.category) == ("f1df838f", "main", "note")
    assert (record.confidence, record.sensitivity) == (0.8, "operational")
    assert format_record(value_of(record)) == LINE


def test_whole_numbers_are_written_without_a_point_and_lone_surrogates_escaped() -> (
    None
):
    assert (
        format_record({"a": 1.0, "b": [0.0, 0.5], "c": "\ud83d\u2028é"})
        == '- {"a":1,"b":[0,0.5],"c":"\\ud83d\u2028é"}'
    )


def test_unknown_keys_are_preserved() -> None:
    line = (
        '- {"id":"a","text":"x","mood":"fine","provenance":{"by":"me","timestamp":"t"}}'
    )
    record = parse_line(line).record
    assert record is not None
    again = json.loads(format_record(value_of(record))[2:])
    assert again["mood"] == "fine"
    assert again["provenance"]["by"] == "me"


def test_e23_bullets_that_hold_other_json_are_no_records() -> None:
    kinds = [
        "2026",
        "true",
        "[ ]",
        '"x"',
        "null",
        "0",
        "{}",
        '{"id":"a"}',
        '{"text":7}',
        "{broken",
        "prose",
    ]
    text = "".join(f"- {kind}\n" for kind in kinds) + '-{"text":"x"}\n'
    lines = parse_records(text).lines
    assert [line.record for line in lines] == [None] * len(lines)
    assert [line.fault for line in lines] == [
        *["not a JSON object"] * 6,
        *["no text"] * 3,
        "broken JSON",
        "",
        "not the shape of a record",
        "",
    ]


def test_indented_lines_and_carriage_returns_are_read() -> None:
    records = parse_records(
        '   - {"id":"a","text":"x"}\r\n\t- {"id":"b","text":"y"}'
    ).records
    assert [(record.id, record.line) for record in records] == [("a", 1), ("b", 2)]


def test_only_a_newline_ends_a_line() -> None:
    text = (
        '- {"id":"a","text":"one\u2028two\u0085three\x1cfour"}\n- {"id":"b","text":"y"}'
    )
    assert [
        record.id for record in parse_records(text.replace("\x1c", "\\u001c")).records
    ] == ["a", "b"]


def test_e20_a_record_without_sensitivity_is_private() -> None:
    records = parse_records(
        '- {"id":"a","text":"x"}\n- {"id":"b","text":"x","provenance":{"sensitivity":null}}'
    ).records
    assert [record.sensitivity for record in records] == [
        "private-user",
        "private-user",
    ]


def test_an_unknown_sensitivity_counts_as_secret() -> None:
    (record,) = parse_records(
        '- {"id":"a","text":"x","provenance":{"sensitivity":"Secret"}}'
    ).records
    assert record.is_secret


@pytest.mark.parametrize("mark", ["* ", "+ ", "-", "-\t", "1. ", "> - ", "- [x] ", ""])
def test_the_json_of_a_record_in_another_shape_is_no_prose(mark: str) -> None:
    (line,) = parse_records(
        mark + '{"id":"a","text":"x","provenance":{"sensitivity":"secret"}}'
    ).lines
    assert (line.record, line.fault) == (None, "not the shape of a record")


@pytest.mark.parametrize("label", ['["secret"]', '"Secret"', "1", '{"a":1}'])
def test_a_label_of_another_shape_is_taken_for_secret(label: str) -> None:
    (record,) = parse_records(
        f'- {{"id":"a","text":"x","provenance":{{"sensitivity":{label}}}}}'
    ).records
    assert record.is_secret


def test_a_record_without_an_id_is_identified_by_its_text() -> None:
    one, same, other = parse_records(
        '- {"text":"x"}\n- {"text":"x"}\n- {"text":"y"}'
    ).records
    assert one.id == same.id != other.id


@given(st.text())
def test_the_lines_of_a_file_are_the_file(text: str) -> None:
    assert "\n".join(line.text for line in parse_records(text).lines) == text


@given(
    st.text(),
    st.dictionaries(
        st.text(), st.floats(allow_nan=False, allow_infinity=False) | st.text()
    ),
)
def test_written_values_are_read_back(text: str, rest: dict[str, float | str]) -> None:
    record = parse_line(format_record({"id": "a", **rest, "text": text})).record
    assert record is not None
    assert record.text == text
