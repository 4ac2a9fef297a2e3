"""The text of a card, split at the `---` lines of its front matter, with verified
edits. Offsets are in characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.parse.frontmatter_edit.yaml_nodes import Meaning, Node, read_tree
from cuedeck.parse.text_decoding import BOM, decode_exactly
from cuedeck.parse.text_edit import Swap
from cuedeck.text.text_offsets import NEWLINE, invalid_at, lead, newline_at

_OPEN = re.compile(r"---[ \t]*(?:\r\n|\r|\n|\Z)")
_CLOSE = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")
_COLON = re.compile(r"\s*:")


class KeyEntry(NamedTuple):
    """A key of the front matter with its value."""

    name: Node
    value: Node


@dataclass(frozen=True, slots=True)
class CardText:
    """A card file: the YAML of its front matter is `text[start:end]`."""

    text: str
    start: int
    end: int
    fenced: bool
    root: Node

    @property
    def entries(self) -> list[KeyEntry]:
        """The keys and values in file order."""
        return [KeyEntry(*pair) for pair in self.root.pairs]

    @property
    def indent(self) -> str:
        """The blanks before every key."""
        if not self.root.children:
            return ""
        before = lead(self.text, self.root.children[0].start)
        # An explicit key (`? key`) has `? ` between the blanks and the key.
        return before[: len(before) - len(before.lstrip(" "))]

    @property
    def item_indent(self) -> str:
        """The blanks before the dashes of a new list: as in the file's first block
        list, else two more than a key.
        """
        for _, value in self.entries:
            if value.kind == "list" and not value.flow:
                return lead(self.text, self.dash(value.children[0]))
        return self.indent + "  "

    @property
    def newline(self) -> str:
        """The newline before the closing `---`, else the first newline of the file,
        else `\\n`.
        """
        if self.fenced:
            return newline_at(self.text, self.end)
        first = NEWLINE.search(self.text)
        return first.group() if first else "\n"

    def find(self, key: str) -> KeyEntry | None:
        """Return the entry of a key, or None if it is missing.

        Raises: Invalid for a duplicate key.
        """
        scalars = [entry for entry in self.entries if entry.name.kind == "scalar"]
        found = [entry for entry in scalars if entry.name.text == key]
        if len(found) > 1:
            problem = f"{key!r} occurs twice in the front matter"
            raise invalid_at(
                self.text, found[1].name.start, problem, "remove one of them"
            )
        return found[0] if found else None

    def after_colon(self, entry: KeyEntry) -> int:
        """Return the offset after the colon of an entry."""
        colon = _COLON.match(self.text, entry.name.end)
        if colon:
            return colon.end()
        return entry.name.end

    def dash(self, item: Node) -> int:
        """Return the offset of the dash before an item of a block list."""
        return self.text.rindex("-", 0, item.start)


def read_card_text(data: bytes) -> CardText:
    """Parse a card file; without front matter, its root is an empty map at the start of
    the file.

    Raises: Invalid if the file is not UTF-8, or the front matter is not closed, invalid
    or not a mapping.
    """
    text = decode_exactly(data)
    start = 0
    if text.startswith(BOM):
        start = len(BOM)
    nothing = Node("map", start, start)
    fence = _OPEN.match(text, start)
    if fence is None:
        return CardText(text=text, start=start, end=start, fenced=False, root=nothing)
    close = _CLOSE.search(text, fence.end())
    if close is None:
        raise invalid_at(
            text,
            start,
            "the front matter is not closed",
            "end it with a line that contains only ---",
        )
    root = read_tree(text[: close.start()], fence.end()) or nothing
    if root.kind != "map":
        raise invalid_at(
            text,
            root.start,
            "the front matter contains no keys",
            "write it as lines of `key: value`",
        )
    return CardText(
        text=text, start=fence.end(), end=close.start(), fenced=True, root=root
    )


Check = Callable[[CardText, KeyEntry | None], bool]
"""A predicate: whether a key of the edited card has its intended value."""


def insertion(at: int, text: str) -> Swap:
    """Return the edit that inserts `text` at an offset."""
    return Swap(at, at, text)


def apply_edits(
    card: CardText, edits: Sequence[Swap], key: str, is_done: Check
) -> bytes:
    """Apply edits of one key, and verify the result by parsing it.

    Raises: Invalid if the key does not pass `is_done`, or if another key or the body
    has changed.
    """
    text = card.text
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    data = text.encode("utf-8")
    if not _is_safe(card, data, key, is_done):
        first = min(edits).start
        raise invalid_at(
            card.text, first, f"{key!r} cannot be changed without risk to the rest"
        )
    return data


def _is_safe(before: CardText, data: bytes, key: str, is_done: Check) -> bool:
    try:
        after = read_card_text(data)
        if not is_done(after, after.find(key)):
            return False
    except Invalid:
        return False
    if _others(after, key) != _others(before, key):
        return False
    body = before.text[before.end :]
    return after.text[after.end :].endswith(body)


def _others(card: CardText, key: str) -> list[Meaning]:
    meanings = []
    for name, value in card.entries:
        if name.text != key:
            meanings += [name.meaning(), value.meaning()]
    return meanings
