"""Lossless edits of a card's front matter: only the lines that must change are changed.

The YAML parser gives the position of a key, value or list item, and the edit replaces
exactly that span. Every edit is verified by parsing the result: `Invalid` is raised
unless the key has the requested value and all other keys and the body are unchanged.
Offsets are in characters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import yaml  # type: ignore[import-untyped,unused-ignore]

from cuedeck.model.errors import Invalid
from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.parse.text_decoding import BOM, decode, decode_exactly
from cuedeck.parse.text_edit import Swap, newline_of, swap
from cuedeck.parse.yaml_quoting import STRICT_KEYS, quote, quote_list
from cuedeck.parse.yaml_reader import TOO_DEEP, compose, explain
from cuedeck.text.text_offsets import (
    NEWLINE,
    invalid_at,
    lead,
    line_number,
    line_start,
    newline_at,
    next_line,
)

_OPEN = re.compile(r"---[ \t]*(?:\r\n|\r|\n|\Z)")
_CLOSE = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")
_COLON = re.compile(r"\s*:")
_COMMA_KEYS = ("tags", "depends_on")
"""Keys whose value may be a comma-separated string instead of a list."""
_NOTHING = ("", "~", "null", "Null", "NULL")


def set_key(data: bytes, key: str, value: str) -> bytes:
    r"""Set a front-matter key to a string; add the key, or the front matter, if
    missing.

    A value that already parses to `value` is not rewritten; a quoted value stays
    quoted.

    Raises: Invalid for a file that is not UTF-8, for broken front matter, or when no
    safe edit exists. Example: `set_key(b"---\nstatus: todo\n---\n", "status", "done")`
    is `b"---\nstatus: done\n---\n"`.
    """
    card = _Card(data)
    entry = card.find(key)
    style = ""
    if entry is not None:
        if entry.node.value == value:
            return data
        style = entry.style
    written = quote(value, strict=key in STRICT_KEYS, like=style)
    edit = entry.replace(written) if entry else card.add_entry(key, f" {written}")
    return card.apply(edit, key, value)


def add_item(data: bytes, key: str, item: str) -> bytes:
    """Append an item to a list, unless the list already contains it.

    A block list stays a block list, and a flow list stays a flow list. A string becomes
    a flow list, of its parts if the key allows commas. A missing key is added as a
    block list.

    Raises: Invalid like `set_key`, and if the list has an alias.
    """
    card = _Card(data)
    entry = card.find(key)
    if entry is None:
        written = f"{card.newline}{card.item_indent}- {quote(item)}"
        return card.apply(card.add_entry(key, written), key, [item])
    items = entry.items()
    if any(item in spellings for spellings in items):
        return data
    texts = [text for text, _ in items]
    texts.append(item)
    return card.apply(entry.addition(texts), key, texts)


def remove_item(data: bytes, key: str, item: str) -> bytes:
    """Remove every item of a list whose value, source text or `ref:` (for a mapping) is
    `item`.

    The key stays after its last item was removed. Raises: Invalid like `add_item`.
    """
    while True:
        card = _Card(data)
        entry = card.find(key)
        if entry is None:
            return data
        items = entry.items()
        index = next((at for at, each in enumerate(items) if item in each), -1)
        if index < 0:
            return data
        texts = [text for text, _ in items]
        del texts[index]
        data = card.apply(entry.removal(index, texts), key, texts)


class _Card:
    """A card file: the YAML of its front matter is `text[start:end]`, which is empty at
    the start of a file without it. Raises: Invalid, as `set_key`.
    """

    def __init__(self, data: bytes) -> None:
        self.text = text = decode_exactly(data)
        self.start = self.end = len(BOM) if text.startswith(BOM) else 0
        self.pairs: list[tuple[Any, Any]] = []
        self.newline = newline_of(text)
        """The newline before the closing `---`, else the first one of the file."""
        self.indent = ""
        """The blanks before every key."""
        opening = _OPEN.match(text, self.start)
        self.fenced = opening is not None
        if opening is None:
            return
        closing = _CLOSE.search(text, opening.end())
        if closing is None:
            hint = "end it with a line that contains only ---"
            raise invalid_at(text, 0, "the front matter is not closed", hint)
        self.start, self.end = opening.end(), closing.start()
        self.newline = newline_at(text, self.end)
        root = self._compose()
        if root is None:
            return
        if not isinstance(root, yaml.MappingNode) or root.flow_style:
            problem = "the front matter is not made of lines"
            hint = "write it as lines of `key: value`"
            raise invalid_at(text, self.start, problem, hint)
        self.pairs = root.value
        self.indent = re.sub(r"[^ ].*", "", lead(text, self.span(self.pairs[0][0])[0]))

    def _compose(self) -> Any:
        matter = self.text[self.start : self.end]
        try:
            return compose(matter)
        except RecursionError:
            raise invalid_at(self.text, self.start, TOO_DEEP) from None
        except yaml.YAMLError as error:
            row, problem, hint = explain(error, NEWLINE.sub("\n", matter))
            line = line_number(self.text, self.start) + row
            raise Invalid.on(line, problem, hint) from error

    @property
    def item_indent(self) -> str:
        """The blanks before the dashes of a new list: as in the first block list of the
        file, else two more than a key.
        """
        for _, value in self.pairs:
            if isinstance(value, yaml.SequenceNode) and not value.flow_style:
                return lead(self.text, self.dash(value.value[0]))
        return self.indent + "  "

    def span(self, node: Any) -> tuple[int, int]:
        """Return the offsets of a node, without blanks and comments after it."""
        start = node.start_mark.index + self.start
        end = node.end_mark.index + self.start
        if isinstance(node, yaml.ScalarNode):
            return start, start + len(self.text[start:end].rstrip(" \t\r\n"))
        if not node.flow_style:
            last = node.value[-1]
            end = self.span(last[1] if isinstance(last, tuple) else last)[1]
        return start, end

    def dash(self, item: Any) -> int:
        return self.text.rindex("-", 0, self.span(item)[0])

    def line_after(self, item: Any) -> int:
        """Return the start of the line after an item of a block list."""
        return next_line(self.text, max(self.span(item)[1], self.dash(item) + 1))

    def find(self, key: str) -> _Entry | None:
        """Return a key, or None. Raises: Invalid if it occurs twice."""
        found = [pair for pair in self.pairs if pair[0].value == key]
        if len(found) > 1:
            problem = f"{key!r} occurs twice in the front matter"
            at = self.span(found[1][0])[0]
            raise invalid_at(self.text, at, problem, "remove one of them")
        return _Entry(self, key, *found[0]) if found else None

    def others(self, key: str) -> list[tuple[str, object]]:
        """Return the other keys with their values."""
        matter = split_front_matter("", decode(self.text.encode()).text, "error")
        return [item for item in matter.values.items() if item[0] != key]

    def add_entry(self, key: str, rest: str) -> Swap:
        """Return the edit that adds a last key; `rest` is the text after its colon."""
        newline = self.newline
        written = f"{self.indent}{quote(key)}:{rest}{newline}"
        if not self.fenced:
            written = f"---{newline}{written}---{newline}"
        return Swap(self.end, self.end, written)

    def apply(self, edit: Swap, key: str, wanted: str | list[str]) -> bytes:
        """Apply an edit of one key, and verify the result by parsing it.

        Raises: Invalid if the key has not the wanted value or items, or if another key
        or the body has changed.
        """
        changed = swap(self.text, [edit]).encode()
        try:
            after = _Card(changed)
            entry = after.find(key)
            found = entry and entry.node.value
            if entry and isinstance(wanted, list):
                found = [text for text, _ in entry.items()]
            is_safe = found == wanted and after.others(key) == self.others(key)
        except Invalid:
            is_safe = False
        if is_safe and after.text.endswith(self.text[self.end :]):
            return changed
        problem = f"{key!r} cannot be changed without risk to the rest"
        raise invalid_at(self.text, edit.start, problem)


class _Entry:
    """A key of the front matter with its value."""

    def __init__(self, card: _Card, key: str, name: Any, node: Any) -> None:
        self.card = card
        self.key = key
        self.node = node
        self.start, self.end = card.span(node)
        name_end = card.span(name)[1]
        colon = _COLON.match(card.text, name_end)
        self.after_colon = colon.end() if colon else name_end
        self.is_alias = self.start < name_end
        self.is_list = isinstance(node, yaml.SequenceNode)
        is_scalar = isinstance(node, yaml.ScalarNode)
        self.is_block = not is_scalar and not node.flow_style
        self.style: str = (is_scalar and node.style) or ""

    def items(self) -> list[tuple[str, str]]:
        """Return text and source text of each item of a list; of a string its parts at
        commas, if the key allows them. Raises: Invalid for a mapping, and for an anchor
        or alias.
        """
        text = self.card.text
        value: Any = self.node.value
        spans = [self.card.span(node) for node in value if self.is_list]
        has_anchor = self.is_alias or text.startswith("&", self.start)
        if has_anchor or any(start < self.start for start, _ in spans):
            problem = f"the value of {self.key!r} is shared by an alias"
            raise invalid_at(text, self.after_colon, problem)
        if isinstance(self.node, yaml.MappingNode):
            problem = f"the value of {self.key!r} is not a list"
            raise invalid_at(text, self.start, problem)
        if self.is_list:
            sources = [text[start:end] for start, end in spans]
            return list(zip(map(_text_of, value, sources), sources, strict=True))
        if not self.style and value in _NOTHING:
            return []
        parts = value.split(",") if self.key in _COMMA_KEYS else [value]
        return [(part.strip(), part.strip()) for part in parts if part.strip()]

    def replace(self, written: str) -> Swap:
        """Return the edit that replaces the value; a comment after the value stays."""
        if self.is_alias:
            problem = f"the value of {self.key!r} is an alias"
            raise invalid_at(self.card.text, self.after_colon, problem)
        if self.is_block:
            return Swap(self.after_colon, self.end, f" {written}")
        if self.start == self.end:
            return Swap(self.start, self.start, f" {written}")
        return Swap(self.start, self.end, written)

    def addition(self, texts: Sequence[str]) -> Swap:
        """Return the edit that adds the last of the items."""
        card, nodes = self.card, self.node.value
        item = texts[-1]
        if not self.is_list:
            if self.start < self.end:
                return self.replace(quote_list(texts, like=self.style))
            after = next_line(card.text, self.after_colon)
            newline = newline_at(card.text, after)
            return Swap(after, after, f"{card.item_indent}- {quote(item)}{newline}")
        styles = [node.style for node in nodes if isinstance(node, yaml.ScalarNode)]
        like = styles[-1] if styles else ""
        written = quote(item, flow=not self.is_block, like=like or "")
        if not nodes:
            inside = card.text.index("[", self.start) + 1
            return Swap(inside, inside, written)
        start, end = card.span(nodes[-1])
        if not self.is_block:
            return Swap(end, end, f", {written}")
        dash = card.dash(nodes[-1])
        blanks = card.text[dash + 1 : start]
        if not blanks or blanks.strip(" \t"):
            blanks = " "
        after = card.line_after(nodes[-1])
        indent, newline = lead(card.text, dash), newline_at(card.text, after)
        return Swap(after, after, f"{indent}-{blanks}{written}{newline}")

    def removal(self, index: int, rest: Sequence[str]) -> Swap:
        """Return the edit that removes an item, of which `rest` stays."""
        card, nodes = self.card, self.node.value
        text = card.text
        if not self.is_list:
            if rest:
                return self.replace(quote_list(rest))
            return Swap(self.after_colon, self.end)
        if self.is_block:
            start = line_start(text, card.dash(nodes[index]))
            return Swap(start, card.line_after(nodes[index]))
        start, end = cut_start, cut_end = card.span(nodes[index])
        if rest and index < len(rest):
            cut_end = card.span(nodes[index + 1])[0]
        elif rest:
            cut_start = card.span(nodes[index - 1])[1]
        elif comma := re.compile(r"\s*,").match(text, end):
            cut_end = comma.end()
        if "#" in text[cut_start:start] + text[end:cut_end]:
            problem = f"a comment is between the items of {self.key!r}"
            raise invalid_at(text, start, problem)
        return Swap(cut_start, cut_end)


def _text_of(node: Any, written: str) -> str:
    """Return a scalar, the `ref:` of a mapping, or else the source text."""
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if name.value == "ref" and isinstance(value, yaml.ScalarNode):
                return str(value.value)
    return written
