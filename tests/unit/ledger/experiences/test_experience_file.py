"""Lines of experiences: read, written, taken out."""

from __future__ import annotations

import json

from cuedeck.ledger.experiences.experience_file import (
    format_experience,
    parse_experiences,
    parse_store,
    without,
)
from cuedeck.model.experience import Experience

PATH = ".cuedeck/experiences.jsonl"
FULL = Experience(
    "k3f",
    "Prefers dark mode",
    "user-preference",
    "s1",
    "2026-01-01T00:00:00Z",
    "r1",
    "public",
    ("src/a.py",),
    0.8,
)


def test_written_experiences_are_read_back() -> None:
    line = format_experience(FULL)
    order = [
        "id",
        "text",
        "sessionId",
        "category",
        "timestamp",
        "recordId",
        "sensitivity",
        "confidence",
        "entities",
    ]
    assert list(json.loads(line)) == order
    (found,) = parse_experiences(line.encode(), PATH).experiences
    assert (found, found.line) == (Experience(**{**_fields(FULL), "line": 1}), 1)


def _fields(experience: Experience) -> dict[str, object]:
    return {
        name: getattr(experience, name)
        for name in Experience.__slots__
        if name != "value"
    }


def test_unknown_keys_are_preserved() -> None:
    line = '{"id":"a","text":"x","mine":[1,2],"entities":"?","confidence":true,"category":7}'
    (found,) = parse_experiences(line.encode(), PATH).experiences
    assert (found.entities, found.confidence, found.category) == ((), 1, "note")
    assert json.loads(format_experience(found))["mine"] == [1, 2]


def test_a_broken_line_hides_no_other() -> None:
    data = b'{"id":"a","text":"one"}\n{"id":"b","te\n[]\n{"id":"c"}\n{"id":"d","text":"two"}\n'
    found = parse_experiences(data, PATH)
    assert [each.id for each in found.experiences] == ["a", "d"]
    assert [(fault.line, fault.message) for fault in found.faults] == [
        (2, "not an entry: not valid JSON"),
        (3, "not an entry: not a JSON object"),
        (4, "not an entry: no text"),
    ]


def test_of_two_lines_with_one_id_the_last_counts() -> None:
    found = parse_experiences(
        b'{"id":"a","text":"old"}\n{"id":"b","text":"x"}\n{"id":"a","text":"new"}\n',
        PATH,
    )
    assert [(each.id, each.text) for each in found.experiences] == [
        ("b", "x"),
        ("a", "new"),
    ]


def test_taking_one_out_leaves_every_other_byte() -> None:
    kept = '{"text":"é","id":"b","mine":1}\r\n\n# a note\n'.encode()
    data = (
        b'{"id":"a","text":"gone"}\n'
        + kept
        + b'{"id":"a","text":"gone"}\n{"id":"a","text":"torn'
    )
    assert without(data, ["a"]) == kept
    assert without(data, []) == data
    assert without(b'{"id":"x","recordId":"r1","text":"to', [], ["r1"]) == b""


def test_an_unknown_label_is_secret() -> None:
    (found,) = parse_experiences(
        b'{"id":"a","text":"x","sensitivity":"hush"}', PATH
    ).experiences
    assert found.is_secret


def test_the_store_of_the_original_is_read_without_its_vectors() -> None:
    rows = [
        {"id": "exp_1", "text": "Prefers tea", "category": "note", "sessionId": "main", "recordId": "r1",
         "timestamp": "2026-11-21T01:31:39.017Z", "vector": [0, 1]},
        {"id": "exp_2", "text": " "}, {"text": "no id"}, 7,
    ]  # fmt: skip
    (found,) = parse_store(json.dumps({"version": 1, "experiences": rows}))
    assert found == Experience(
        "exp_1", "Prefers tea", "note", "main", "2026-11-21T01:31:39.017Z", "r1"
    )
    assert "vector" not in format_experience(found)
    for broken in ("", "[", "[]", '{"experiences":{}}'):
        assert list(parse_store(broken)) == []
