"""Lossless JSON edits: members and elements are appended or removed, and the rest of
the text is kept. Each edit is verified by parsing its result.

A slot is a member of an object or an element of an array.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from cuedeck.agents.edits.json_tree import (
    HINT,
    Document,
    Node,
    Slot,
    SlotPath,
    read_json,
)
from cuedeck.model.errors import Invalid
from cuedeck.parse.text_edit import Cut, Insertion, cut, insert, newline_of
from cuedeck.text.text_offsets import invalid_at, lead

Keys = tuple[str, ...]
"""The keys that lead to a value, outermost first."""

_INDENTED = re.compile(r"[{\[][ \t]*[\r\n]+([ \t]+)[\"{\[]")
"""The first slot of a container that begins a line."""


class Addition(NamedTuple):
    """A value to add to a JSON file."""

    keys: Keys
    """The path of the member, or of the array that gets an element."""
    value: Any
    is_item: bool = False
    """Whether the value is an element of the array at `keys`."""


def put_all(text: str, additions: Iterable[Addition]) -> str:
    """Add values after those that are there; missing containers are created.

    Raises: Invalid if a value of another type is in the place of a container.
    """
    before = read_json(text)
    wanted = before.value()
    for addition in additions:
        text = insert(text, put_in(read_json(text), addition))
        wanted = _with(wanted, addition)
    _check(before, text, wanted)
    return text


def take_all(
    text: str, find: Callable[[Document], SlotPath], *, prunes: bool = False
) -> str:
    """Return the text without each slot that `find` returns; with `prunes`, also
    without the containers that become empty.

    Raises: Invalid if a slot cannot be removed safely.
    """
    document = read_json(text)
    while path := find(document):
        if prunes:
            path = _outermost(document, path)
        container, index = path[-1]
        slot = container.slots[index]
        after = cut(document.text, take_out(document, container, index))
        gone = Cut(slot.start, slot.node.end)
        document = _check(document, after, document.value(but=slot), gone)
    return document.text


def _with(value: Any, addition: Addition) -> Any:
    keys, new, is_item = addition
    if not keys:
        return [*(value or ()), new] if is_item else new
    members = value or {}
    rest = Addition(keys[1:], new, is_item)
    return {**members, keys[0]: _with(members.get(keys[0]), rest)}


def put_in(document: Document, addition: Addition) -> list[Insertion]:
    """Return the insertions that add a value.

    Raises: Invalid if a value of another type is in the place of a container.
    """
    keys, value, is_item = addition
    style = _style_of(document)
    nodes = document.reach(keys)
    exists = len(nodes) == len(keys) + 1
    if exists and nodes[-1].kind != "array":
        raise document.invalid(nodes[-1].start, f"`{keys[-1]}` is not an array")
    if is_item and not exists:
        value = [value]
    # The insertion is one slot of the deepest existing container.
    for key in reversed(keys[len(nodes) :]):
        value = {key: value}
    if not nodes:
        return [_fill(document, style, value)]
    container = nodes[-1]
    name = ""
    if not exists:
        name = f"{_write_inline(keys[len(nodes) - 1])}: "
    if not container.slots:
        return [_add_first(document, style, container, name, value)]
    return _add_last(document, style, container, name, value)


def _fill(document: Document, style: _Style, value: Any) -> Insertion:
    """Return the insertion of the root value into a file with only blanks and
    comments.
    """
    text = document.text
    written = style.write(value, "") + style.newline
    if text.strip("\ufeff") and not text.endswith(("\n", "\r")):
        written = style.newline + written
    return Insertion(len(text), written)


def _add_first(
    document: Document, style: _Style, into: Node, name: str, value: Any
) -> Insertion:
    """Return the insertion of the first slot of a container; `name` is its key with a
    colon, or empty.
    """
    text = document.text
    comments = document.within(into.start + 1, into.end)
    at = comments[-1].end if comments else into.start + 1
    if style.inline:
        return Insertion(at, name + _write_inline(value))
    outside = _line_lead(text, into)
    indent = outside + style.indent
    written = f"{style.newline}{indent}{name}{style.write(value, indent)}"
    if not _has_line_end(text[at : into.end]):
        written += style.newline + outside
    return Insertion(at, written)


def _add_last(
    document: Document, style: _Style, into: Node, name: str, value: Any
) -> list[Insertion]:
    """Return the insertions of a slot after the last one, with a comma between the
    two.
    """
    text = document.text
    last = into.slots[-1]
    after = max(last.node.end, last.comma + 1)
    comments = document.within(after, into.end)
    at = comments[-1].end if comments else after
    ends_in_comment = bool(comments) and text.startswith("//", comments[-1].start)
    indent = _own_lead(text, last)
    if style.inline or (indent is None and not ends_in_comment):
        written = f" {name}{_write_inline(value)}"
    else:
        if indent is None:
            indent = _line_lead(text, into) + style.indent
        written = f"{style.newline}{indent}{name}{style.write(value, indent)}"
    if last.comma >= 0:
        return [Insertion(at, f"{written},")]
    if at == after:
        return [Insertion(after, f",{written}")]
    return [Insertion(after, ","), Insertion(at, written)]


def take_out(document: Document, into: Node, index: int) -> list[Cut]:
    """Return the cuts that remove a slot with one comma, and its line if it is alone on
    it; comments stay.
    """
    if _is_alone(document, into):
        return [Cut(into.start + 1, into.end - 1)]
    slot = into.slots[index]
    end = slot.node.end
    comma = slot.comma
    if comma < 0 and index:
        comma = into.slots[index - 1].comma
    elif comma >= 0 and not document.text[end:comma].strip():
        end = comma + 1
    own = _with_blanks(document, slot.start, end)
    if comma < 0 or own.start <= comma < own.end:
        return [own]
    return sorted([own, Cut(comma, comma + 1)], reverse=True)


def _with_blanks(document: Document, start: int, end: int) -> Cut:
    """Return the cut of a slot with the blanks that belong to it: its whole line, if it
    is alone on it.
    """
    text = document.text
    left = len(text[:start].rstrip(" \t\r\n"))
    right = len(text) - len(text[end:].lstrip(" \t"))
    if text[right : right + 1] in ("", "\n", "\r"):
        return Cut(left, right)
    comments = [each.start for each in document.comments if each.end == left]
    is_after_comment = any(text.startswith("//", at) for at in comments)
    if text[right] in "]}" and not is_after_comment:
        return Cut(left, end)
    return Cut(start, right)


def _outermost(document: Document, path: SlotPath) -> SlotPath:
    """Return the path to the outermost slot with nothing in it but the last one."""
    while len(path) > 1:
        container, index = path[-2]
        slot = container.slots[index]
        has_comment = bool(document.within(slot.start, slot.node.start))
        if has_comment or not _is_alone(document, slot.node):
            break
        path = path[:-1]
    return path


def _is_alone(document: Document, into: Node) -> bool:
    """Return whether a container contains exactly one slot, and no comment outside of
    the slot.
    """
    if len(into.slots) != 1:
        return False
    slot = into.slots[0]
    before = document.within(into.start, slot.start)
    after = document.within(slot.node.end, into.end)
    return not before and not after


def _check(
    before: Document, after: str, wanted: Any, gone: Cut | None = None
) -> Document:
    """Parse the edited text `after`, and verify its value and comments.

    Raises: Invalid if the value is not `wanted`, or if a comment outside of the span
    `gone` is missing.
    """
    at = gone.start if gone else 0
    try:
        document = read_json(after)
    except Invalid as error:
        problem = "own entries cannot be changed without breaking the file"
        raise invalid_at(before.text, at, problem, HINT) from error
    lost = Counter(before.comment_texts())
    lost -= Counter(document.comment_texts())
    if gone:
        lost -= Counter(before.text[start:end] for start, end in before.within(*gone))
    if document.value() != wanted or lost:
        problem = "own entries cannot be changed without risk to the rest"
        raise invalid_at(before.text, at, problem, HINT)
    return document


class _Style(NamedTuple):
    """The formatting style of a JSON file."""

    newline: str
    indent: str
    inline: bool
    """Whether the whole document is on one line."""

    def write(self, value: Any, before: str) -> str:
        """Return a value as JSON; `before` is the indentation of its lines after the
        first.
        """
        if self.inline:
            return _write_inline(value)
        lines = json.dumps(value, ensure_ascii=False, indent=self.indent).split("\n")
        return f"{self.newline}{before}".join(lines)


def _style_of(document: Document) -> _Style:
    text = document.text
    root = document.root
    inline = False
    if root is not None and root.slots:
        inline = not _has_line_end(text[root.start : root.end])
    indented = _INDENTED.search(text)
    indent = indented[1] if indented else "  "
    return _Style(newline_of(text), indent, inline)


def _own_lead(text: str, slot: Slot) -> str | None:
    """Return the blanks before a slot at the start of its line, or None if other text
    precedes it.
    """
    before = lead(text, slot.start)
    return None if before.strip(" \t\ufeff") else before


def _line_lead(text: str, node: Node) -> str:
    before = lead(text, node.start).removeprefix("\ufeff")
    return before[: len(before) - len(before.lstrip(" \t"))]


def _has_line_end(text: str) -> bool:
    return "\n" in text or "\r" in text


def _write_inline(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
