"""What is done, being done and to do: said by commands, and checked off in the active card."""

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
    """Return the items with one more, or with the one of this text moved to its new state.

    What is done stands in the order in which it got done; a beginning that fits one open item alone names it.
    """
    known = find(items, text)
    item = Item(known.text if known else text, state, timestamp)
    return (*(each for each in items if each is not known), item)


def find(items: Sequence[Item], text: str) -> Item | None:
    """Return the item that `text` names: by its words, or by the beginning of one that is not done."""
    wanted = fold_text(text)
    same = [each for each in items if fold_text(each.text) == wanted]
    if same:
        return same[0]
    begun = [each for each in items if each.state != "done" and wanted and fold_text(each.text).startswith(wanted)]
    return begun[0] if len(begun) == 1 else None


def gather(items: Sequence[Item], boxes: Sequence[Box]) -> tuple[Item, ...]:
    """Return everything: what is done, being done, to do; of each the boxes of the card in their order, then the rest.

    What is done in one place is done; otherwise commands know better than an empty box.
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
    """Return the texts of what came into a state after a moment, in the order in which it did."""
    told = ((each.text, moment_of(each.timestamp)) for each in items if each.state == state)
    return tuple(text for text, when in told if when is not None and when > moment)


def line(item: Item, write: Callable[[str], str] = str) -> str:
    """Return an item as it is told: `✅ …`, `⏳ …`, `⏹️ Need to: …`. `write` quotes its words."""
    return f"{MARKS[item.state]} {'Need to: ' if item.state == 'todo' else ''}{write(item.text)}"


def fold_text(text: str) -> str:
    """Return what makes two texts the same item."""
    return " ".join(unnumbered(text).casefold().split()).rstrip(".!")
