"""Memory files and indexes of cortex-mem are parsed without their trailers."""

from __future__ import annotations

import json

import pytest
from foreign_memory import chat_message

from cuedeck.knowledge.cortex.foreign_memory import (
    ForeignMemory,
    parse_memory_file,
    parse_memory_index,
)
from cuedeck.knowledge.cortex.foreign_session import parse_foreign_message

TIME = "2026-04-01T10:00:00Z"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "# key\n\nText.\n\n**Confidence**: 0.90\n\n**Added**: 2026-04-01 10:00:00 UTC",
            ForeignMemory("key", "Text.", TIME, "0.90"),
        ),
        (
            "# key\n\nText.\n\n---\n\n**Added**: 2026-04-01 10:00:00 UTC\n<!-- source-hash: 0f -->\n",
            ForeignMemory("key", "Text.", TIME, ""),
        ),
        ("Only text.", ForeignMemory("", "Only text.", "", "")),
        ("# key", ForeignMemory("key", "", "", "")),
        ("", ForeignMemory("", "", "", "")),
        (
            "# key\n\n**Added**: in the middle\n\nlast\n",
            ForeignMemory("key", "**Added**: in the middle\n\nlast", "", ""),
        ),
        (
            "# key\n\na\n\n## Superseded\n\n- b\n\n**Added**: never\n",
            ForeignMemory("key", "a\n\n### Superseded\n\n- b", "", ""),
        ),
    ],
)
def test_a_memory_is_its_key_and_its_text(text: str, wanted: ForeignMemory) -> None:
    assert parse_memory_file(text) == wanted


def test_many_empty_lines_are_read_in_linear_time() -> None:
    blank = "\n" * 500_000
    assert parse_memory_file(f"# key\n\na{blank}b\n").text == f"a{blank}b"
    text = f"a{blank}b"
    message = chat_message("11111111-a", "User", "09:00:00", text)
    assert parse_foreign_message(message).message.content == text


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"memories":[]}', "[" * 100_000]
)
def test_another_file_is_no_index(text: str) -> None:
    with pytest.raises(ValueError, match=r"Expecting|it "):
        parse_memory_index(text)


def test_a_bad_entry_does_not_hide_the_others() -> None:
    rows = {
        "a": {"file": "goals/a.md", "memory_type": "goal", "confidence": 0.5},
        "b": {"memory_type": "goal"},
        "c": 3,
        "d": {"file": "goals/a.md"},
        "e": {"file": "goals/e.md", "memory_type": "new", "source_sessions": "s1"},
    }
    index = parse_memory_index(json.dumps({"memories": rows}))
    assert list(index.entries) == ["goals/a.md", "goals/e.md"]
    assert (index.entries["goals/a.md"].id, index.entries["goals/a.md"].kind) == (
        "a",
        "goal",
    )
    assert index.entries["goals/e.md"].kind is None
    assert index.faults == (
        "`b` names no file",
        "`c` names no file",
        "`d` names the file of `a`",
    )
