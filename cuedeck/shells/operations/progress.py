"""Progress items: done, doing and todo."""

from collections.abc import Iterator, Mapping
from typing import Any

from cuedeck.shells.call import Call
from cuedeck.shells.operation import Words, operation, topic
from cuedeck.work.sessions import session_progress

topic(
    "progress",
    "Record progress: done, doing and todo items.",
    'cuedeck progress done "Created user model"',
)


def _started_for_it(answer: Mapping[str, Any]) -> Iterator[str]:
    if answer["started"]:
        yield f"session {answer['session']} was started for it"


def _record_progress(call: Call, text: str, state: Any) -> dict[str, Any]:
    return session_progress.record_progress(call.workspace, text, state)


def _line(answer: Mapping[str, Any]) -> str:
    return str(answer["line"])


@operation(
    "progress done",
    'cuedeck progress done "Login endpoint"',
    _line,
    notes=_started_for_it,
)
def record_done(call: Call, text: Words) -> dict[str, Any]:
    """Record a finished item."""
    return _record_progress(call, text, "done")


@operation(
    "progress doing",
    'cuedeck progress doing "Login endpoint"',
    _line,
    notes=_started_for_it,
)
def record_doing(call: Call, text: Words) -> dict[str, Any]:
    """Record an item in progress."""
    return _record_progress(call, text, "doing")


@operation(
    "progress todo",
    'cuedeck progress todo "Login endpoint"',
    _line,
    notes=_started_for_it,
)
def record_todo(call: Call, text: Words) -> dict[str, Any]:
    """Record an open item."""
    return _record_progress(call, text, "todo")


def _progress_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    heads = [(None, f"session {answer['session']}, without a card")]
    for card in answer["cards"]:
        notes = ["active"] if card["active"] else []
        if card["session"]:
            notes.append(f"session {card['session']}")
        head = " ".join(filter(None, ["card", card["id"], card["title"]]))
        heads.append((card["id"], f"{head} ({', '.join(notes)})"))
    for identity, head in heads:
        rows = [each for each in answer["progress"] if each["card"] == identity]
        lines = [each["line"] for each in rows]
        if not lines and identity is None:
            continue
        yield f"{head}:"
        yield from lines or ["nothing yet"]
    if len(heads) == 1 and not answer["progress"]:
        yield "nothing yet"


@operation("progress list", "cuedeck progress list", _progress_lines)
def list_progress(call: Call) -> dict[str, Any]:
    """List the progress items and the check boxes of the card.

    If the open session is on another card than the active one, both are listed.
    """
    return session_progress.list_progress(call.workspace)
