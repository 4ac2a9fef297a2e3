"""The text of a card file, cut at its fences."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.parse.frontmatter_edit.yaml_nodes import Meaning, Node, read_tree
from cuedeck.parse.text_decoding import BOM, decode_exactly
from cuedeck.parse.text_offsets import NEWLINE, invalid_at, lead, newline_at

_OPEN = re.compile(r"---[ \t]*(?:\r\n|\r|\n|\Z)")
_CLOSE = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")
_COLON = re.compile(r"\s*:")


class KeyEntry(NamedTuple):
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
    def entries(self) -> list[KeyEntry]:
        """The keys in the order of the file."""
        return [KeyEntry(*pair) for pair in self.root.pairs]

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

    def find(self, key: str) -> KeyEntry | None:
        """Return the entry of a key.

        Raises: Invalid for a key that stands twice.
        """
        found = [entry for entry in self.entries if entry.name.kind == "scalar" and entry.name.text == key]
        if len(found) > 1:
            problem = f"{key!r} stands twice in the front matter"
            raise invalid_at(self.text, found[1].name.start, problem, "remove one of them")
        return found[0] if found else None

    def after_colon(self, entry: KeyEntry) -> int:
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


Check = Callable[[CardText, KeyEntry | None], bool]
"""Whether a key of the edited card has the value it was meant to get."""


class Edit(NamedTuple):
    """The text that replaces a span of the file."""

    start: int
    end: int
    text: str


def apply_edits(card: CardText, edits: Sequence[Edit], key: str, is_done: Check) -> bytes:
    """Make the edits and read the result back, so that no edit can damage what it did not mean.

    Raises: Invalid when the key does not pass `is_done`, or when another key or the body has changed.
    """
    text = card.text
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    data = text.encode("utf-8")
    if not _is_safe(card, data, key, is_done):
        first = min(edits).start
        raise invalid_at(card.text, first, f"{key!r} cannot be changed without risk to the rest")
    return data


def _is_safe(before: CardText, data: bytes, key: str, is_done: Check) -> bool:
    try:
        after = read_card_text(data)
        return (
            is_done(after, after.find(key))
            and _others(after, key) == _others(before, key)
            and after.text[after.end :].endswith(before.text[before.end :])
        )
    except Invalid:
        return False


def _others(card: CardText, key: str) -> list[Meaning]:
    return [node.meaning() for entry in card.entries if entry.name.text != key for node in entry]
