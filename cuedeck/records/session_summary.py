"""One-sentence summary of a session for resuming it: topic, last action, next action."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cuedeck.model.session import Item, Session
from cuedeck.parse.plain_text import with_full_stop
from cuedeck.parse.timestamps import moment_of
from cuedeck.records.progress_items import fold_text

_MOST_FILES = 5


def summary(session: Session, topic: str) -> str:
    """Return the resume sentence of a session."""
    return resume_sentence(topic_of(session, topic), last_action(session), next_action(session))


def topic_of(session: Session, title: str) -> str:
    """Return the topic of a session: the title of its card, else its workflow, else its id."""
    return title or session.workflow or session.id


def resume_sentence(topic: str, last: str, following: str, quote: Callable[[str], str] = str) -> str:
    """Return `Continuing … Last action: … Next: …`; `quote` encloses each of the texts, for example as quoted data."""
    parts = [f"Continuing {with_full_stop(quote(topic))}"]
    if last:
        parts.append(f"Last action: {quote(with_full_stop(last))}")
    if following:
        parts.append(f"Next: {quote(with_full_stop(following))}")
    return " ".join(parts)


def last_action(session: Session, *, seen: bool = True) -> str:
    """Return the last action: a note, a completed item, a decision or the text of a checkpoint.

    With `seen`, later files and commits detected by a checkpoint take precedence if nothing was reported since the
    checkpoint before it.
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
    """Return the last files or commits detected by a checkpoint whose whole interval is after `when`; else empty."""
    found, begun = "", 0.0
    for each in session.checkpoints:
        text = _seen(each.written, each.commits)
        found = text if text and begun >= when else found
        begun = _when(each.timestamp)
    return found


def next_action(session: Session) -> str:
    """Return the next action: the one set explicitly unless done, else the first open item."""
    done = {fold_text(item.text) for item in session.progress if item.state == "done"}
    if session.next and fold_text(session.next) not in done:
        return session.next
    return first_open(session.progress)


def first_open(items: Sequence[Item]) -> str:
    """Return the first item in progress, else the first to do; empty if none."""
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
