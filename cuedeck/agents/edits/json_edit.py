"""Lossless JSON edits: members and elements are appended or removed, and the rest of
the text is kept.

A slot is a member of an object or an element of an array.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from cuedeck.agents.edits.json_style import (
    Style,
    _has_line_end,
    _write_inline,
    line_lead,
    own_lead,
    style_of,
)
from cuedeck.agents.edits.json_tree import HINT, Document, Node, Slot, reach, read_json
from cuedeck.model.errors import Invalid
from cuedeck.model.replaced_entry import Keys
from cuedeck.parse.text_edit import Cut, Insertion, cut
from cuedeck.text.text_offsets import invalid_at

SlotPath = Sequence[tuple[Node, int]]
"""Path to a slot: each container from the outermost, with the index of the next slot.
"""
_BLANKS = re.compile(r"[ \t]*")
_END_OF_LINE = re.compile(r"[ \t]*(?:[\r\n]|\Z)")


def put_in(
    document: Document, keys: Sequence[str], value: Any, *, item: bool = False
) -> list[Insertion]:
    """Return the insertions that add `value` at `keys`, or with `item` as an element of
    the array at `keys`.

    Missing containers are created.

    Raises: Invalid if a value of another type is in the place of a container.
    """
    style = style_of(document)
    nodes = reach(document.root, keys, document.text)
    exists = len(nodes) == len(keys) + 1
    if exists and nodes[-1].kind != "array":
        raise invalid_at(
            document.text, nodes[-1].start, f"`{keys[-1]}` is not an array", HINT
        )
    written = value
    if item and not exists:
        written = [value]
    # The insertion is one slot of the deepest existing container.
    for key in reversed(keys[len(nodes) :]):
        written = {key: written}
    if not nodes:
        return [_fill(document, style, written)]
    container = nodes[-1]
    name = ""
    if not exists:
        name = f"{_write_inline(keys[len(nodes) - 1])}: "
    if not container.slots:
        return [_add_first(document, style, container, name, written)]
    return _add_last(document, style, container, name, written)


def _fill(document: Document, style: Style, value: Any) -> Insertion:
    """Return the insertion of the root value into a file with only blanks and
    comments.
    """
    text = document.text
    written = style.write(value, "") + style.newline
    if text.strip("\ufeff") and not text.endswith(("\n", "\r")):
        written = style.newline + written
    return Insertion(len(text), written)


def _add_first(
    document: Document, style: Style, into: Node, name: str, value: Any
) -> Insertion:
    """Return the insertion of the first slot of a container; `name` is its key with a
    colon, or empty.
    """
    text = document.text
    comments = document.within(into.start + 1, into.end)
    at = comments[-1].end if comments else into.start + 1
    if style.inline:
        return Insertion(at, name + _write_inline(value))
    outside = line_lead(text, into)
    indent = outside + style.indent
    written = f"{style.newline}{indent}{name}{style.write(value, indent)}"
    if not _has_line_end(text[at : into.end]):
        written += style.newline + outside
    return Insertion(at, written)


def _add_last(
    document: Document, style: Style, into: Node, name: str, value: Any
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
    indent = own_lead(text, last)
    if style.inline or (indent is None and not ends_in_comment):
        written = f" {name}{_write_inline(value)}"
    else:
        if indent is None:
            indent = line_lead(text, into) + style.indent
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
    text = document.text
    slot = into.slots[index]
    end = slot.node.end
    if is_alone(document, into):
        return [Cut(into.start + 1, into.end - 1)]
    if slot.comma >= 0:
        if text[end : slot.comma].strip():
            return [
                Cut(slot.comma, slot.comma + 1),
                _cut_with_line(document, slot.start, end),
            ]
        return [_cut_with_line(document, slot.start, slot.comma + 1)]
    if index == 0:
        return [_cut_with_line(document, slot.start, end)]
    comma = into.slots[index - 1].comma
    between = text[comma + 1 : slot.start]
    is_blank = not between.strip()
    is_on_one_line = not between.strip(" \t")
    if is_on_one_line or (is_blank and _may_join(document, comma, end)):
        return [Cut(comma, end)]
    return [_cut_with_line(document, slot.start, end), Cut(comma, comma + 1)]


def is_alone(document: Document, into: Node) -> bool:
    """Return whether a container contains exactly one slot, and no comment outside of
    the slot.
    """
    if len(into.slots) != 1:
        return False
    slot = into.slots[0]
    before = document.within(into.start, slot.start)
    after = document.within(slot.node.end, into.end)
    return not before and not after


def may_go_with(document: Document, slot: Slot) -> bool:
    """Return whether a slot can be removed together with the only slot in its value,
    without losing a comment.
    """
    return is_alone(document, slot.node) and not document.within(
        slot.start, slot.node.start
    )


def outermost_slot(
    document: Document,
    path: SlotPath,
    keys: Sequence[str],
    made: frozenset[Keys] | None,
) -> tuple[Node, int]:
    """Return (container, index) of the slot to remove: the last of `path`, or the
    outermost with nothing else in it.

    `keys` are the keys of the path; a container is removed only if its keys are in
    `made` (None: any container).
    """
    while 1 < len(path) <= len(keys) + 1:
        container, index = path[-2]
        may_be_removed = made is None or tuple(keys[: len(path) - 1]) in made
        if not may_be_removed or not may_go_with(document, container.slots[index]):
            break
        path = path[:-1]
    return path[-1]


def _cut_with_line(document: Document, start: int, end: int) -> Cut:
    """Return the cut of a slot with the blanks that belong to it."""
    text = document.text
    left = len(text[:start].rstrip(" \t\r\n"))
    ends_line = _END_OF_LINE.match(text, end) is not None
    if not _has_line_end(text[left:start]):
        is_last = ends_line or text[end : end + 1] in "]}"
        if is_last:
            return Cut(left, end)
        return _with_blanks(text, start, end)
    blanks = _BLANKS.match(text, end)
    if blanks and ends_line and _ends_in_comment(document, left):
        # Otherwise the blanks would become part of the comment.
        return Cut(left, blanks.end())
    if _may_join(document, left, end):
        return Cut(left, end)
    return _with_blanks(text, start, end)


def _with_blanks(text: str, start: int, end: int) -> Cut:
    blanks = _BLANKS.match(text, end)
    if _END_OF_LINE.match(text, end) or blanks is None:
        return Cut(start, end)
    return Cut(start, blanks.end())


def _may_join(document: Document, left: int, right: int) -> bool:
    """Return whether the text from `right` on may directly follow the text before
    `left` on one line.
    """
    text = document.text
    if _END_OF_LINE.match(text, right):
        return True
    rest = text[right:].lstrip(" \t")
    if not rest.startswith(("]", "}")):
        return False
    return not _ends_in_comment(document, left)


def _ends_in_comment(document: Document, at: int) -> bool:
    """Return whether a `//` comment ends at `at`."""
    starts = [comment.start for comment in document.comments if comment.end == at]
    return any(document.text.startswith("//", start) for start in starts)


def check_json(
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
        raise invalid_at(
            before.text,
            at,
            "own entries cannot be changed without breaking the file",
            HINT,
        ) from error
    lost = Counter(before.comment_texts())
    lost -= Counter(document.comment_texts())
    if gone:
        lost -= Counter(before.text[start:end] for start, end in before.within(*gone))
    if document.value() != wanted or lost:
        raise invalid_at(
            before.text,
            at,
            "own entries cannot be changed without risk to the rest",
            HINT,
        )
    return document


def take_and_check(document: Document, into: Node, index: int) -> Document:
    """Return the document without a slot. Raises: Invalid if the slot cannot be removed
    safely.
    """
    slot = into.slots[index]
    after = cut(document.text, take_out(document, into, index))
    return check_json(
        document, after, document.value(but=slot), Cut(slot.start, slot.node.end)
    )
