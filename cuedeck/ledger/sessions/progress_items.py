"""Progress items (done, doing, to do) of a session, from commands and checkboxes of
its card, and the sentence that summarises the session.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cuedeck.model.secret import unnumbered
from cuedeck.model.session import Item, Session, State
from cuedeck.text.plain_text import fold_case, with_full_stop
from cuedeck.text.timestamps import moment_of

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.parse.card_file import Box


MARKS: dict[State, str] = {"done": "✅", "doing": "⏳", "todo": "⏹️"}
_ORDER: tuple[State, ...] = ("done", "doing", "todo")


def record(
    items: Sequence[Item], text: str, state: State, timestamp: str
) -> tuple[Item, ...]:
    """Return the items with one more, or with the item of this text moved to its new
    state.

    The changed item comes last, so done items are in order of completion. An
    unambiguous prefix of an open item names it.
    """
    known = find(items, text)
    others = [each for each in items if each is not known]
    if known:
        text = known.text
    return (*others, Item(text, state, timestamp))


def find(items: Sequence[Item], text: str) -> Item | None:
    """Return the item that `text` names: by its full text, or by the unique prefix of
    one that is not done.
    """
    wanted = fold_text(text)
    for item in items:
        if fold_text(item.text) == wanted:
            return item
    if not wanted:
        return None
    open_items = [item for item in items if item.state != "done"]
    matches = [item for item in open_items if fold_text(item.text).startswith(wanted)]
    if len(matches) != 1:
        return None
    return matches[0]


def gather(items: Sequence[Item], boxes: Sequence[Box]) -> tuple[Item, ...]:
    """Return items and checkboxes merged: done, doing, to do; within each, card order
    first, then the rest.

    An item is done if either source has it as done; otherwise the command's state
    overrides an empty checkbox.
    """
    by_text = {fold_text(item.text): item for item in items}
    merged: list[Item] = []
    for box in boxes:
        item = by_text.pop(fold_text(box.text), Item(box.text, "todo", ""))
        state = item.state
        if box.checked:
            state = "done"
        merged.append(Item(box.text, state, item.timestamp))
    merged += [item for item in items if fold_text(item.text) in by_text]
    return tuple(sorted(merged, key=lambda item: _ORDER.index(item.state)))


def entered_since(
    items: Sequence[Item], state: State, moment: datetime
) -> tuple[str, ...]:
    """Return the texts of items that entered a state after a moment, in order."""
    texts: list[str] = []
    for item in items:
        entered = None
        if item.state == state:
            entered = moment_of(item.timestamp)
        if entered is not None and entered > moment:
            texts.append(item.text)
    return tuple(texts)


def line(item: Item, write: Callable[[str], str] = str) -> str:
    """Return the display line of an item: `✅ …`, `⏳ …`, `⏹️ Need to: …`.

    `write` quotes its text.
    """
    prefix = "Need to: " if item.state == "todo" else ""
    return f"{MARKS[item.state]} {prefix}{write(item.text)}"


def fold_text(text: str) -> str:
    """Return the normalised text by which items are compared."""
    return fold_case(unnumbered(text)).rstrip(".!")


_MAX_FILES = 5


def summary(session: Session, topic: str) -> str:
    """Return the resume sentence of a session."""
    return resume_sentence(
        topic_of(session, topic),
        last_action(session),
        next_action(session),
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
