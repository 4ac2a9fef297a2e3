"""JSON of session files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cuedeck.ledger.session_codec import format_session, parse_session
from cuedeck.model.session import Chosen, WorkingFile

STRATEGY = {
    "sessionId": "feature-auth-123",
    "createdAt": "2025-01-15T10:00:00Z",
    "lastAccess": "2025-01-15T10:45:32Z",
    "workflow": "feature-development",
    "currentStep": 3,
    "workingSet": {
        "src/api.ts": {"hash": "abc...", "role": "read", "timestamp": "10:30:00Z"},
        "src/auth.ts": {"hash": "def...", "role": "write", "timestamp": "10:45:00Z"},
    },
    "decisions": [
        {"step": 1, "title": "Use JWT tokens", "timestamp": "10:05:00Z"},
        {"step": 2, "title": "Add to middleware", "timestamp": "10:20:00Z"},
    ],
    "contextChecksum": "xyz123",
}


def read(value: Any) -> Any:
    return parse_session(json.dumps(value).encode())


def test_the_shape_of_the_strategy_is_read_whole() -> None:
    session = read(STRATEGY)
    assert (session.id, session.workflow, session.current_step) == (
        "feature-auth-123",
        "feature-development",
        3,
    )
    assert session.working_set["src/auth.ts"] == WorkingFile(
        "def...", "write", "10:45:00Z"
    )
    assert session.decisions[0] == Chosen("", "Use JWT tokens", "10:05:00Z", 1)
    assert (session.context_checksum, session.status) == ("xyz123", "open")


def test_a_written_session_has_the_documented_shape_and_reads_back() -> None:
    session = read({**STRATEGY, "tokens": 12})
    assert session.rest == {"tokens": 12}
    data = format_session(session)
    assert parse_session(data) == session
    assert format_session(parse_session(data)) == data
    written = json.loads(data)
    assert STRATEGY.keys() | {
        "card",
        "status",
        "progress",
        "next",
        "branch",
        "commit",
        "attempts",
        "schema",
    } <= (written.keys())
    assert isinstance(written["workingSet"], dict)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"sessionId": 3}', b"{", b"\xff"]
)
def test_an_invalid_session_is_an_error(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        parse_session(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    st.dictionaries(st.sampled_from([*STRATEGY, "progress", "notes", "status"]), JSON)
)
def test_odd_values_are_left_out_and_never_a_reason_to_fail(
    value: dict[str, Any],
) -> None:
    session = read({**value, "sessionId": "s"})
    assert parse_session(format_session(session)) == session


CURRENT = {
    **STRATEGY,
    "progress": [{"text": "a", "state": "done", "timestamp": "t"}],
    "notes": [{"text": "a", "timestamp": "t"}],
    "attempts": ["a1"],
    "checkpoints": [
        {
            "timestamp": "t",
            "written": ["a.md"],
            "checked": ["b"],
            "decisions": ["d"],
            "commits": ["c"],
            "done": ["e"],
            "doing": ["f"],
            "todo": ["g"],
        }
    ],
    "shown": {"a.md": "abc"},
    "dirty": {"a.md": "abc"},
}


def mutations(value: Any, odd: Any) -> Iterator[Any]:
    """Yield `odd`, and `value` with each of its parts in turn replaced by `odd`."""
    yield odd
    rows = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, each in rows:
        for part in mutations(each, odd):
            whole = value.copy()
            whole[key] = part
            yield whole


@settings(max_examples=20, deadline=None)
@given(JSON)
@example([])
@example({})
def test_any_part_of_a_session_may_be_another_value(odd: Any) -> None:
    """A list as the state of a progress row raised a TypeError."""
    for value in mutations(CURRENT, odd):
        try:
            session = read(value)
        except ValueError:
            continue
        assert parse_session(format_session(session)) == session


def test_an_escape_cannot_spell_half_of_a_surrogate_pair() -> None:
    r"""A `\ud800` in the card of a session ended scenes and `resume` with an internal
    error.
    """
    session = parse_session(
        rb'{"sessionId": "s", "card": "\ud800", "title": "\ud83d\ude00"}'
    )
    assert (session.card, session.title) == ("?", "\U0001f600")
