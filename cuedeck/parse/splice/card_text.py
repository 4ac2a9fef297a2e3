"""The text of a card file, cut at its fences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.parse.exact import BOM, decode_exactly
from cuedeck.parse.splice.places import NEWLINE, invalid_at, lead, newline_at
from cuedeck.parse.splice.tree import Node, read_tree

_OPEN = re.compile(r"---[ \t]*(?:\r\n|\r|\n|\Z)")
_CLOSE = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")
_COLON = re.compile(r"\s*:")


class Entry(NamedTuple):
    """A key of the front matter with its value."""

    name: Node
    value: Node


@dataclass(frozen=True, slots=True)
class CardText:
    """A file cut into the text before `start`, the YAML, and the text from `end` on."""

    text: str
    start: int
    end: int
    fenced: bool
    root: Node

    @property
    def entries(self) -> list[Entry]:
        """The keys in the order of the file."""
        return [Entry(*pair) for pair in self.root.pairs]

    @property
    def indent(self) -> str:
        """The blanks before every key."""
        before = lead(self.text, self.root.children[0].start) if self.root.children else ""
        # An explicit key has its `? ` between the blanks and itself.
        return before[: len(before) - len(before.lstrip(" "))]

    @property
    def item_indent(self) -> str:
        """The blanks before the dashes of a new list: as in the file's other block lists, else two more."""
        for _, value in self.entries:
            if value.kind == "list" and not value.flow:
                return lead(self.text, self.dash(value.children[0]))
        return self.indent + "  "

    @property
    def newline(self) -> str:
        """The newline before the closing fence, else the first of the file."""
        if self.fenced:
            return newline_at(self.text, self.end)
        first = NEWLINE.search(self.text)
        return first.group() if first else "\n"

    def find(self, key: str) -> Entry | None:
        """Return the entry of a key.

        Raises: Invalid for a key that stands twice.
        """
        found = [entry for entry in self.entries if entry.name.kind == "scalar" and entry.name.text == key]
        if len(found) > 1:
            problem = f"{key!r} stands twice in the front matter"
            raise invalid_at(self.text, found[1].name.start, problem, "remove one of them")
        return found[0] if found else None

    def after_colon(self, entry: Entry) -> int:
        """Return the place after the colon of an entry."""
        colon = _COLON.match(self.text, entry.name.end)
        return colon.end() if colon else entry.name.end

    def dash(self, item: Node) -> int:
        """Return the place of the dash before an item of a block list."""
        return self.text.rindex("-", 0, item.start)


def read_card_text(data: bytes) -> CardText:
    """Read a file; one without front matter has an empty map where it would stand.

    Raises: Invalid for a file that is not UTF-8, and for front matter that is not closed or not made of keys.
    """
    text = decode_exactly(data)
    start = len(BOM) if text.startswith(BOM) else 0
    nothing = Node("map", start, start)
    fence = _OPEN.match(text, start)
    if fence is None:
        return CardText(text, start, start, False, nothing)
    close = _CLOSE.search(text, fence.end())
    if close is None:
        raise invalid_at(text, start, "the front matter is not closed", "end it with a line that holds only ---")
    root = read_tree(text[: close.start()], fence.end()) or nothing
    if root.kind != "map":
        raise invalid_at(text, root.start, "the front matter holds no keys", "write it as lines of `key: value`")
    return CardText(text, fence.end(), close.start(), True, root)
