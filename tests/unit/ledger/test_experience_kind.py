"""Lines of experiences: read, written, taken out."""

from __future__ import annotations

import json
from dataclasses import replace

from cuedeck.ledger.codecs import parse_log
from cuedeck.ledger.kinds.experience_kind import EXPERIENCE, foreign_experiences
from cuedeck.model.memory_record import Experience

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


def read(text: str) -> tuple[Experience, ...]:
    return EXPERIENCE.read(parse_log(text.encode(), EXPERIENCE.path).entries)


def test_written_experiences_are_read_back() -> None:
    line = EXPERIENCE.format(FULL)
    order = "id text sessionId category timestamp recordId sensitivity confidence"
    assert list(json.loads(line)) == [*order.split(), "entities"]
    assert read(line) == (replace(FULL, line=1),)


def test_unknown_keys_are_preserved() -> None:
    line = '{"id":"a","text":"x","mine":[1,2],"entities":"?","confidence":true,"category":7}'
    (found,) = read(line)
    assert (found.entities, found.confidence, found.category) == ((), 1, "note")
    assert json.loads(EXPERIENCE.format(found))["mine"] == [1, 2]


def test_of_two_lines_with_one_id_the_last_counts() -> None:
    found = read(
        '{"id":"a","text":"old"}\n{"id":"b","text":"x"}\n{"id":"c"}\n{"id":"a","text":"new"}\n'
    )
    assert [(each.id, each.text) for each in found] == [("b", "x"), ("a", "new")]


def test_taking_one_out_leaves_every_other_byte() -> None:
    kept = '{"text":"é","id":"b","mine":1}\r\n\n# a note\n'
    line = '{"id":"a","text":"gone"}\n'
    text = f'{line}{kept}{line}{{"id":"a","text":"torn'
    assert EXPERIENCE.without(text, ["a"]) == kept
    assert EXPERIENCE.without(text, []) == text
    torn = '{"id":"x","recordId":"r1","text":"to'
    assert EXPERIENCE.without(torn, [], ["r1"]) == ""


def test_a_replaced_entry_keeps_its_place_and_a_new_one_follows() -> None:
    text = '{"id":"a","text":"x"}\r\nprose\n{"id":"b","text":"y"}\n{"id":"c"}'
    lines = {"a": '{"id":"a","text":"new"}', "d": '{"id":"d"}'}
    assert EXPERIENCE.replaced(text, ["a", "b"], lines) == (
        '{"id":"a","text":"new"}\r\nprose\n{"id":"c"}\n{"id":"d"}\n'
    )


def test_an_unknown_label_is_secret() -> None:
    (found,) = read('{"id":"a","text":"x","sensitivity":"hush"}')
    assert found.is_secret


def test_the_store_of_the_original_is_read_without_its_vectors() -> None:
    rows = [
        {"id": "exp_1", "text": "Prefers tea", "category": "note", "sessionId": "main", "recordId": "r1",
         "timestamp": "2026-11-21T01:31:39.017Z", "vector": [0, 1]},
        {"id": "exp_2", "text": " "}, {"text": "no id"}, 7,
    ]  # fmt: skip
    store = json.dumps({"version": 1, "experiences": rows})
    (found,) = foreign_experiences(store)
    assert found == Experience(
        "exp_1", "Prefers tea", "note", "main", "2026-11-21T01:31:39.017Z", "r1"
    )
    assert "vector" not in EXPERIENCE.format(found)
    for broken in ("", "[", "[]", '{"experiences":{}}'):
        assert list(foreign_experiences(broken)) == []
