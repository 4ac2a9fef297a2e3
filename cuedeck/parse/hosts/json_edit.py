"""Slots put into JSON behind the last one, and slots taken out of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from cuedeck.parse.hosts.edit import Cut, Insertion
from cuedeck.parse.hosts.json_style import Style, line_lead, own_lead, style_of
from cuedeck.parse.hosts.json_tree import HINT, Document, Node, Slot, reach
from cuedeck.parse.splice.places import invalid_at

_BLANKS = re.compile(r"[ \t]*")
_END_OF_LINE = re.compile(r"[ \t]*(?:[\r\n]|\Z)")


def put_in(document: Document, keys: Sequence[str], value: Any, *, item: bool = False) -> list[Insertion]:
    """Put a value below `keys`; with `item`, as an element of the array that is there.

    Containers that are missing are made. Raises: Invalid where something else stands in their place.
    """
    style = style_of(document)
    way = reach(document.root, keys, document.text)
    is_there = len(way) == len(keys) + 1
    if is_there and way[-1].kind != "array":
        raise invalid_at(document.text, way[-1].start, f"`{keys[-1]}` holds no array", HINT)
    # What is put in is one slot of the deepest container that is there.
    written: Any = [value] if item and not is_there else value
    for key in reversed(keys[len(way) :]):
        written = {key: written}
    if not way:
        return _fill(document, style, written)
    name = None if is_there else keys[len(way) - 1]
    return _append(document, style, way[-1], name, written)


def _fill(document: Document, style: Style, value: Any) -> list[Insertion]:
    """Put the root into a file that holds nothing but blanks and comments."""
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
    """Take a slot with one comma, and with its line where it has the line for itself; comments stay."""
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
    """Tell whether a container holds one slot, and no comment beside it."""
    if len(into.slots) != 1:
        return False
    slot = into.slots[0]
    return not document.within(into.start, slot.start) and not document.within(slot.node.end, into.end)


def may_go_with(document: Document, slot: Slot) -> bool:
    """Tell whether a slot whose container holds one thing can go with it: no comment would be lost."""
    return is_alone(document, slot.node) and not document.within(slot.start, slot.node.start)


def _line(document: Document, start: int, end: int) -> Cut:
    """Return the span of a slot with the blanks that belong to it."""
    text = document.text
    left = len(text[:start].rstrip(" \t\r\n"))
    if set("\r\n") & set(text[left:start]):
        blanks = _BLANKS.match(text, end)
        if blanks and _END_OF_LINE.match(text, end) and _ends_in_comment(document, left):
            return Cut(left, blanks.end())  # else the comment would grow by them
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
    """Tell whether what stands right of `right` may follow what stands left of `left` on one line."""
    text = document.text
    if _END_OF_LINE.match(text, right):
        return True
    rest = text[right:].lstrip(" \t")
    return rest.startswith(("]", "}")) and not _ends_in_comment(document, left)


def _ends_in_comment(document: Document, at: int) -> bool:
    """Tell whether a comment that runs to the end of its line ends there."""
    return any(document.text.startswith("//", start) and end == at for start, end in document.comments)
