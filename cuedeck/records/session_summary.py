"""What is said to whoever goes on with a session: where it stands, what came last, what is next."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.model.session import Item, Session
from cuedeck.parse.plain_text import with_full_stop
from cuedeck.parse.timestamps import moment_of
from cuedeck.records.progress_items import fold_text

_MOST_FILES = 5


def summary(session: Session, topic: str) -> str:
    """Return the sentence of a resume: `Continuing … Last action: … Next: …`."""
    last, following = last_action(session), next_action(session)
    parts = [f"Continuing {with_full_stop(topic or session.workflow or session.id)}"]
    if last:
        parts.append(f"Last action: {with_full_stop(last)}")
    if following:
        parts.append(f"Next: {with_full_stop(following)}")
    return " ".join(parts)


def last_action(session: Session, *, seen: bool = True) -> str:
    """Return what was done last: a note, something that got done, a decision, the words of a checkpoint.

    With `seen` also what a checkpoint saw from outside, where nobody said anything since the one before it.
    """
    told = [
        *((note.timestamp, note.text) for note in session.notes),
        *((item.timestamp, item.text) for item in session.progress if item.state == "done"),
        *((each.timestamp, f"Decided: {each.title}") for each in session.decisions),
        *((each.timestamp, each.text) for each in session.checkpoints if each.text),
    ]
    when, text = max(((_when(moment), text) for moment, text in told), key=lambda each: each[0], default=(0.0, ""))
    return (_seen_since(session, when) or text) if seen else text


def _seen_since(session: Session, when: float) -> str:
    """Return what was seen last by a checkpoint whose whole stretch lies behind a moment; empty for nothing."""
    found, begun = "", 0.0
    for each in session.checkpoints:
        text = _seen(each.written, each.commits)
        found = text if text and begun >= when else found
        begun = _when(each.timestamp)
    return found


def next_action(session: Session) -> str:
    """Return what comes next: what was said to, else what is being done, else the first thing to do."""
    done = {fold_text(item.text) for item in session.progress if item.state == "done"}
    if session.next and fold_text(session.next) not in done:
        return session.next
    return first_open(session.progress)


def first_open(items: Sequence[Item]) -> str:
    """Return the first thing that is being done, else the first to do; empty for none."""
    by_state = {item.state: item.text for item in reversed(items)}
    return by_state.get("doing") or by_state.get("todo") or ""


def _seen(written: tuple[str, ...], commits: tuple[str, ...]) -> str:
    if commits:
        return f"committed {commits[-1]}"
    more = f" and {len(written) - _MOST_FILES} more" if len(written) > _MOST_FILES else ""
    return f"wrote {', '.join(written[:_MOST_FILES])}{more}" if written else ""


def _when(timestamp: str) -> float:
    moment = moment_of(timestamp)
    return moment.timestamp() if moment else 0.0
