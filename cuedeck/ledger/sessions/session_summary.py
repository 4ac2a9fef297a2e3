"""One-sentence summary of a session for resuming it: topic, last action, next
action.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cuedeck.ledger.sessions.progress_items import fold_text
from cuedeck.model.session import Item, Session
from cuedeck.text.plain_text import with_full_stop
from cuedeck.text.timestamps import moment_of

_MAX_FILES = 5


def summary(session: Session, topic: str) -> str:
    """Return the resume sentence of a session."""
    return resume_sentence(
        topic_of(session, topic), last_action(session), next_action(session)
    )


def topic_of(session: Session, title: str) -> str:
    """Return the topic of a session: the title of its card, else its workflow, else its
    id.
    """
    return title or session.workflow or session.id


def resume_sentence(
    topic: str, last: str, following: str, quote: Callable[[str], str] = str
) -> str:
    """Return `Continuing … Last action: … Next: …`; `quote` encloses each of the texts,
    for example as quoted data.
    """
    parts = [f"Continuing {with_full_stop(quote(topic))}"]
    if last:
        parts.append(f"Last action: {quote(with_full_stop(last))}")
    if following:
        parts.append(f"Next: {quote(with_full_stop(following))}")
    return " ".join(parts)


def last_action(session: Session, *, seen: bool = True) -> str:
    """Return the last action: a note, a completed item, a decision or the text of a
    checkpoint.

    With `seen`, later files and commits detected by a checkpoint take precedence if
    nothing was reported since the checkpoint before it.
    """
    reported = [(note.timestamp, note.text) for note in session.notes]
    reported += [
        (item.timestamp, item.text) for item in session.progress if item.state == "done"
    ]
    reported += [
        (decision.timestamp, f"Decided: {decision.title}")
        for decision in session.decisions
    ]
    reported += [
        (checkpoint.timestamp, checkpoint.text)
        for checkpoint in session.checkpoints
        if checkpoint.text
    ]
    dated = [(_seconds(timestamp), text) for timestamp, text in reported]
    last, text = max(dated, key=lambda action: action[0], default=(0.0, ""))
    detected = _detected_since(session, last) if seen else ""
    return detected or text


def _detected_since(session: Session, since: float) -> str:
    """Return the last files or commits detected by a checkpoint whose whole interval is
    after `since`; else empty.
    """
    last = ""
    interval_start = 0.0
    for checkpoint in session.checkpoints:
        text = _detected(checkpoint.written, checkpoint.commits)
        if text and interval_start >= since:
            last = text
        interval_start = _seconds(checkpoint.timestamp)
    return last


def next_action(session: Session) -> str:
    """Return the next action: the one set explicitly unless done, else the first open
    item.
    """
    done = set()
    for item in session.progress:
        if item.state == "done":
            done.add(fold_text(item.text))
    if session.next and fold_text(session.next) not in done:
        return session.next
    return first_open(session.progress)


def first_open(items: Sequence[Item]) -> str:
    """Return the first item in progress, else the first to do; empty if none."""
    by_state = {item.state: item.text for item in reversed(items)}
    return by_state.get("doing") or by_state.get("todo") or ""


def _detected(written: tuple[str, ...], commits: tuple[str, ...]) -> str:
    if commits:
        return f"committed {commits[-1]}"
    if not written:
        return ""
    names = ", ".join(written[:_MAX_FILES])
    more = len(written) - _MAX_FILES
    if more > 0:
        return f"wrote {names} and {more} more"
    return f"wrote {names}"


def _seconds(timestamp: str) -> float:
    moment = moment_of(timestamp)
    return moment.timestamp() if moment else 0.0
