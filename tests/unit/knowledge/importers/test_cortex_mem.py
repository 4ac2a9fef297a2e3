"""Memory files and indexes of cortex-mem are parsed without their trailers."""

from __future__ import annotations

import json

import pytest
from foreign_memory import chat_message

from cuedeck.knowledge.importers.cortex_mem import (
    parse_foreign_message,
    parse_memory,
    parse_memory_index,
)

TIME = "2026-04-01T10:00:00Z"
UNKNOWN = "1970-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "# key\n\nText.\n\n**Confidence**: 0.90\n\n**Added**: 2026-04-01 10:00:00 UTC",
            ("key", "Text.", TIME),
        ),
        (
            "# key\n\nText.\n\n---\n\n**Added**: 2026-04-01 10:00:00 UTC\n<!-- source-hash: 0f -->\n",
            ("key", "Text.", TIME),
        ),
        ("Only text.", ("name", "Only text.", UNKNOWN)),
        (
            "# key\n\n**Added**: in the middle\n\nlast\n",
            ("key", "**Added**: in the middle\n\nlast", UNKNOWN),
        ),
        (
            "# key\n\na\n\n## Superseded\n\n- b\n\n**Added**: never\n",
            ("key", "a\n\n### Superseded\n\n- b", UNKNOWN),
        ),
    ],
)
def test_a_memory_is_its_key_and_its_text(text: str, wanted: object) -> None:
    found = parse_memory(text, "name", "goal", {})
    assert (found.key, found.text, found.time) == wanted


@pytest.mark.parametrize("text", ["# key", ""])
def test_a_memory_without_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no text"):
        parse_memory(text, "name", "goal", {})


def test_many_empty_lines_are_read_in_linear_time() -> None:
    blank = "\n" * 500_000
    text = f"a{blank}b"
    assert parse_memory(f"# key\n\n{text}\n", "name", "goal", {}).text == text
    message = chat_message("11111111-a", "User", "09:00:00", text)
    assert parse_foreign_message(message).content == text


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"memories":[]}', "[" * 100_000]
)
def test_another_file_is_no_index(text: str) -> None:
    with pytest.raises(ValueError, match=r"Expecting|it "):
        parse_memory_index(text)


def test_a_bad_entry_does_not_hide_the_others() -> None:
    rows = {
        "a": {"file": "goals/a.md", "confidence": 0.5},
        "b": {"memory_type": "goal"},
        "c": 3,
        "d": {"file": "goals/a.md"},
        "e": {"file": "goals/e.md", "source_sessions": "s1"},
    }
    index = parse_memory_index(json.dumps({"memories": rows}))
    assert list(index) == ["goals/a.md", "goals/e.md"]
    assert parse_memory("Text.", "e", "goal", index["goals/e.md"]).sources == ()
