"""Lossless JSON edits: members and elements are appended or removed, and the rest of the text is kept.

A slot is a member of an object or an element of an array.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from cuedeck.hosts.edit.json_tree import HINT, Document, Node, Slot, reach, read_json
from cuedeck.model.errors import Invalid
from cuedeck.parse.text_edit import Cut, Insertion, cut, newline_of
from cuedeck.parse.text_offsets import invalid_at, lead

_BLANKS = re.compile(r"[ \t]*")
_END_OF_LINE = re.compile(r"[ \t]*(?:[\r\n]|\Z)")


def put_in(document: Document, keys: Sequence[str], value: Any, *, item: bool = False) -> list[Insertion]:
    """Return the insertions that add `value` at `keys`, or with `item` as an element of the array at `keys`.

    Missing containers are created.

    Raises: Invalid if a value of another type is in the place of a container.
    """
    style = style_of(document)
    way = reach(document.root, keys, document.text)
    is_there = len(way) == len(keys) + 1
    if is_there and way[-1].kind != "array":
        raise invalid_at(document.text, way[-1].start, f"`{keys[-1]}` holds no array", HINT)
    # The insertion is one slot of the deepest existing container.
    written: Any = [value] if item and not is_there else value
    for key in reversed(keys[len(way) :]):
        written = {key: written}
    if not way:
        return _fill(document, style, written)
    name = None if is_there else keys[len(way) - 1]
    return _append(document, style, way[-1], name, written)


def _fill(document: Document, style: Style, value: Any) -> list[Insertion]:
    """Return the insertion of the root value into a file with only blanks and comments."""
    text = document.text
    glue = "" if not text.strip("\ufeff") or text.endswith(("\n", "\r")) else style.newline
    return [Insertion(len(text), f"{glue}{style.write(value, '')}{style.newline}")]


def _append(document: Document, style: Style, into: Node, key: str | None, value: Any) -> list[Insertion]:
    text = document.text
    last = into.slots[-1] if into.slots else None
    after = into.start + 1 if last is None else max(last.node.end, last.comma + 1)
    inside = document.within(after, into.end)
    tail = inside[-1].end if inside else after
    before = line_lead(text, into) + style.indent if last is None else own_lead(text, last)
    name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    ends_line = bool(inside) and text.startswith("//", inside[-1].start)
    if style.inline or (before is None and not ends_line):
        glue = "" if last is None else " "
        written = f"{glue}{name}{style.write(value, '', inline=True)}"
    else:
        before = line_lead(text, into) + style.indent if before is None else before
        written = f"{style.newline}{before}{name}{style.write(value, before)}"
    if last is None:
        closed = style.inline or set("\r\n") & set(text[tail : into.end])
        return [Insertion(tail, written if closed else f"{written}{style.newline}{line_lead(text, into)}")]
    if last.comma >= 0:
        return [Insertion(tail, f"{written},")]
    if tail == after:
        return [Insertion(after, f",{written}")]
    return [Insertion(after, ","), Insertion(tail, written)]


def take_out(document: Document, into: Node, index: int) -> list[Cut]:
    """Return the cuts that remove a slot with one comma, and its line if it is alone on it; comments stay."""
    text, slot = document.text, into.slots[index]
    if is_alone(document, into):
        return [Cut(into.start + 1, into.end - 1)]
    end = slot.node.end
    cuts = []
    if slot.comma >= 0 and text[end : slot.comma].strip():
        cuts.append(Cut(slot.comma, slot.comma + 1))
    elif slot.comma >= 0:
        end = slot.comma + 1
    elif index:
        comma = into.slots[index - 1].comma
        between = text[comma + 1 : slot.start]
        if not between.strip(" \t") or (not between.strip() and _may_join(document, comma, end)):
            return [Cut(comma, end)]
        cuts.append(Cut(comma, comma + 1))
    return sorted([*cuts, _line(document, slot.start, end)], reverse=True)


def is_alone(document: Document, into: Node) -> bool:
    """Return whether a container contains exactly one slot, and no comment outside of the slot."""
    if len(into.slots) != 1:
        return False
    slot = into.slots[0]
    return not document.within(into.start, slot.start) and not document.within(slot.node.end, into.end)


def may_go_with(document: Document, slot: Slot) -> bool:
    """Return whether a slot can be removed together with the only slot in its value, without losing a comment."""
    return is_alone(document, slot.node) and not document.within(slot.start, slot.node.start)


def _line(document: Document, start: int, end: int) -> Cut:
    """Return the cut of a slot with the blanks that belong to it."""
    text = document.text
    left = len(text[:start].rstrip(" \t\r\n"))
    if set("\r\n") & set(text[left:start]):
        blanks = _BLANKS.match(text, end)
        if blanks and _END_OF_LINE.match(text, end) and _ends_in_comment(document, left):
            return Cut(left, blanks.end())  # else the blanks would become part of the comment
        return Cut(left, end) if _may_join(document, left, end) else _with_blanks(text, start, end)
    if _END_OF_LINE.match(text, end) or text[end : end + 1] in "]}":
        return Cut(left, end)
    return _with_blanks(text, start, end)


def _with_blanks(text: str, start: int, end: int) -> Cut:
    blanks = _BLANKS.match(text, end)
    if _END_OF_LINE.match(text, end) or blanks is None:
        return Cut(start, end)
    return Cut(start, blanks.end())


def _may_join(document: Document, left: int, right: int) -> bool:
    """Return whether the text from `right` on may directly follow the text before `left` on one line."""
    text = document.text
    if _END_OF_LINE.match(text, right):
        return True
    rest = text[right:].lstrip(" \t")
    return rest.startswith(("]", "}")) and not _ends_in_comment(document, left)


def _ends_in_comment(document: Document, at: int) -> bool:
    """Return whether a `//` comment ends at `at`."""
    return any(document.text.startswith("//", start) and end == at for start, end in document.comments)


_INDENT = "  "


class Style(NamedTuple):
    """The formatting style of a JSON file."""

    newline: str
    indent: str
    inline: bool
    """Whether the whole document is on one line."""

    def write(self, value: Any, before: str, *, inline: bool = False) -> str:
        """Return a value as JSON; `before` is the indentation of its lines after the first."""
        if inline or self.inline:
            return json.dumps(value, ensure_ascii=False)
        lines = json.dumps(value, ensure_ascii=False, indent=self.indent).split("\n")
        return f"{self.newline}{before}".join(lines)


def style_of(document: Document) -> Style:
    """Return the style of a file; the default indentation is two spaces."""
    text, root = document.text, document.root
    inline = root is not None and bool(root.slots) and not set("\r\n") & set(text[root.start : root.end])
    return Style(newline_of(text), _indent(document) or _INDENT, inline)


def _indent(document: Document) -> str:
    """Return the indentation step of the first container with indented slots, or an empty string."""
    waiting = [] if document.root is None else [document.root]
    while waiting:
        here = waiting.pop()
        for slot in here.slots[:1]:
            inside, outside = own_lead(document.text, slot), line_lead(document.text, here)
            if inside and len(inside) > len(outside) and inside.startswith(outside):
                return inside[len(outside) :]
        waiting += [slot.node for slot in reversed(here.slots)]
    return ""


def own_lead(text: str, slot: Slot) -> str | None:
    """Return the blanks before a slot at the start of its line, or None if other text precedes it."""
    before = lead(text, slot.start)
    return None if before.strip(" \t\ufeff") else before


def line_lead(text: str, node: Node) -> str:
    """Return the indentation of the line on which a node starts."""
    before = lead(text, node.start).removeprefix("\ufeff")
    return before[: len(before) - len(before.lstrip(" \t"))]


def check_json(before: Document, after: str, wanted: Any, gone: Cut | None = None) -> Document:
    """Parse the edited text `after`, and verify its value and comments.

    Raises: Invalid if the value is not `wanted`, or if a comment outside of the span `gone` is missing.
    """
    line = gone.start if gone else 0
    try:
        document = read_json(after)
    except Invalid as error:
        raise invalid_at(before.text, line, "own entries cannot be changed without breaking the file", HINT) from error
    inside = before.within(*gone) if gone else ()
    kept = [before.text[start:end] for start, end in before.comments if Cut(start, end) not in inside]
    if document.value() != wanted or Counter(kept) - Counter(document.said()):
        raise invalid_at(before.text, line, "own entries cannot be changed without risk to the rest", HINT)
    return document


def take_and_check(document: Document, into: Node, index: int) -> Document:
    """Return the document without a slot. Raises: Invalid if the slot cannot be removed safely."""
    slot = into.slots[index]
    after = cut(document.text, take_out(document, into, index))
    return check_json(document, after, document.value(but=slot), Cut(slot.start, slot.node.end))
