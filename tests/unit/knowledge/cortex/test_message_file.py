"""Messages are read back byte for byte, and those of cortex-mem are read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.cortex.message_file import (
    Message,
    format_header,
    format_message,
    message_digest,
    parse_header,
    parse_message,
    timeline_names,
)

FOREIGN = """\
# 🤖 Assistant

**ID**: `7f1c2d3e-0000-4000-8000-123456789abc`  
**Timestamp**: 2026-03-15 10:30:45 UTC

## Content

The User asked for a plan.

## Metadata

is a heading of the text, too.

## Metadata

```json
{
  "channel": "cli"
}
```
"""  # noqa: W291 - cortex-mem writes a Markdown line break


def message(content: str) -> Message:
    return Message(
        id="1a2b3c4d",
        role="user",
        seq=7,
        time="2026-11-22T09:15:00+01:00",
        participants=("user/ana", "user/o'neil, ben"),
        content=content,
    )


@given(st.text(st.characters(codec="utf-8")))
def test_a_message_is_read_back_byte_for_byte(content: str) -> None:
    text = format_message(message(content))
    found = parse_message(text)
    assert found == message(content)._replace(body_line=found.body_line)
    assert text.split("\n", found.body_line - 1)[-1] == content


@given(
    st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True),
        st.one_of(
            st.text(st.characters(codec="utf-8")),
            st.integers(0, 10**17),
            st.lists(st.text(st.characters(codec="utf-8"))),
        ),
    )
)
def test_a_header_is_read_back(fields: dict[str, str | int | list[str]]) -> None:
    headed = parse_header(format_header(fields.items()) + "body")
    assert (headed.fields, headed.body) == (fields, "body")


def test_a_message_has_a_readable_header() -> None:
    assert format_message(message("Hello\n")) == (
        '---\nid: "1a2b3c4d"\nrole: user\nseq: 7\ntime: 2026-11-22T09:15:00+01:00\n'
        'participants: ["user/ana", "user/o\'neil, ben"]\n---\n\nHello\n'
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1"),
        ("no header", "line 1"),
        ("---\nid: x", "ends with a line"),
        ("---\nid x\n---\n", "line 2"),
        ("---\nid: x\nrole: boss\n---\n", "role must be one of"),
        ("---\nid: x\nrole: user\ntime: noon\n---\n", "time must be RFC 3339"),
        ("---\nid: x\nrole: user\ntime: 2026-11-22T09:15:00Z\n---\n", "seq"),
        ("---\nid: x\nrole: user\ntime: 2026-11-22T09:15:00Z\nseq: 0\n---\n", "seq"),
        ("---\nrole: user\ntime: 2026-11-22T09:15:00Z\nseq: 1\n---\n", "id is missing"),
        ("---\nid: [a]\nrole: [b]\n---\n", "must be a text"),
        ("# Notes\n\ntext", "cortex-mem"),
        ("# 👤 User\n\n**ID**: `x`\n\n## Content\n\ntext", "Timestamp"),
    ],
)
def test_a_broken_message_names_the_fault(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse_message(text)


def test_a_header_edited_by_hand_is_read() -> None:
    text = (
        "---\r\nid: 1a2b3c4d\r\nrole: user\r\nseq: 7\r\n"
        "time: 2026-11-22T09:15:00Z\r\nparticipants: [ana, ben]\r\n---\r\n\r\nHello"
    )
    found = parse_message(text)
    assert (found.id, found.participants, found.content) == (
        "1a2b3c4d",
        ("ana", "ben"),
        "Hello",
    )


def test_a_message_of_cortex_mem_is_read() -> None:
    found = parse_message(FOREIGN)
    assert found == Message(
        id="7f1c2d3e-0000-4000-8000-123456789abc",
        role="assistant",
        seq=0,
        time="2026-03-15T10:30:45Z",
        participants=(),
        content="The User asked for a plan.\n\n## Metadata\n\n"
        "is a heading of the text, too.",
        body_line=8,
        metadata={"channel": "cli"},
    )
    assert FOREIGN.split("\n")[found.body_line - 1] == "The User asked for a plan."


def test_broken_metadata_of_cortex_mem_are_part_of_the_text() -> None:
    found = parse_message(FOREIGN.replace('"cli"', '"cli'))
    assert not found.metadata
    assert found.content.endswith("```")


def test_metadata_are_read_back() -> None:
    values = {"tags": ["a: b", "c"], "importance": 3, "more": {"x": None}}
    message = parse_message(FOREIGN)._replace(seq=1, metadata=values)
    found = parse_message(format_message(message))
    assert found.metadata == values
    assert found.content == message.content


def test_names_of_a_timeline_are_in_utc() -> None:
    there = datetime(2026, 3, 1, 0, 30, 5, tzinfo=timezone(timedelta(hours=2)))
    assert timeline_names(there, "1a2b3c4d") == (
        "2026-02",
        "28",
        "22_30_05_1a2b3c4d.md",
    )
    assert timeline_names(datetime(7, 1, 2, tzinfo=UTC), "x")[0] == "0007-01"


def test_the_id_depends_on_session_number_role_and_text() -> None:
    ids = {
        message_digest(*parts)
        for parts in (
            ("s", 1, "user", "x"),
            ("t", 1, "user", "x"),
            ("s", 2, "user", "x"),
            ("s", 1, "assistant", "x"),
            ("s", 1, "user", "y"),
            ("s", 1, "use", "r\0x"),
        )
    }
    assert len(ids) == 6
