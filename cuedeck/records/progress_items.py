"""Progress items (done, doing, to do) from commands and from the checkboxes of the active card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cuedeck.model.secret_placeholder import unnumbered
from cuedeck.model.session import Item, State
from cuedeck.parse.timestamps import moment_of

if TYPE_CHECKING:
    from datetime import datetime

    from cuedeck.parse.checkboxes import Box

MARKS: dict[State, str] = {"done": "✅", "doing": "⏳", "todo": "⏹️"}


_ORDER: tuple[State, ...] = ("done", "doing", "todo")


def record(items: Sequence[Item], text: str, state: State, timestamp: str) -> tuple[Item, ...]:
    """Return the items with one more, or with the item of this text moved to its new state.

    The changed item comes last, so done items are in order of completion. An unambiguous prefix of an open item names
    it.
    """
    known = find(items, text)
    item = Item(known.text if known else text, state, timestamp)
    return (*(each for each in items if each is not known), item)


def find(items: Sequence[Item], text: str) -> Item | None:
    """Return the item that `text` names: by its full text, or by the unique prefix of one that is not done."""
    wanted = fold_text(text)
    same = [each for each in items if fold_text(each.text) == wanted]
    if same:
        return same[0]
    begun = [each for each in items if each.state != "done" and wanted and fold_text(each.text).startswith(wanted)]
    return begun[0] if len(begun) == 1 else None


def gather(items: Sequence[Item], boxes: Sequence[Box]) -> tuple[Item, ...]:
    """Return items and checkboxes merged: done, doing, to do; within each, card order first, then the rest.

    An item is done if either source says so; otherwise the command's state overrides an empty checkbox.
    """
    said = {fold_text(item.text): item for item in items}
    found: list[Item] = []
    for box in boxes:
        item = said.pop(fold_text(box.text), None)
        state: State = "done" if box.checked else item.state if item else "todo"
        found.append(Item(box.text, state, item.timestamp if item else ""))
    found += [item for item in items if fold_text(item.text) in said]
    return tuple(sorted(found, key=lambda item: _ORDER.index(item.state)))


def said_since(items: Sequence[Item], state: State, moment: datetime) -> tuple[str, ...]:
    """Return the texts of items that entered a state after a moment, in order."""
    told = ((each.text, moment_of(each.timestamp)) for each in items if each.state == state)
    return tuple(text for text, when in told if when is not None and when > moment)


def line(item: Item, write: Callable[[str], str] = str) -> str:
    """Return the display line of an item: `✅ …`, `⏳ …`, `⏹️ Need to: …`. `write` quotes its text."""
    return f"{MARKS[item.state]} {'Need to: ' if item.state == 'todo' else ''}{write(item.text)}"


def fold_text(text: str) -> str:
    """Return the normalised text by which items are compared."""
    return " ".join(unnumbered(text).casefold().split()).rstrip(".!")
