"""Progress items (done, doing, to do) from commands and from the checkboxes of the
active card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cuedeck.model.secret_placeholder import unnumbered
from cuedeck.model.session import Item, State
from cuedeck.text.plain_text import fold_case
from cuedeck.text.timestamps import moment_of

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.parse.checkboxes import Box

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
