"""Lossless edits of JSON: members and elements are added or removed, and the rest of
the text is kept. Each edit is verified by parsing its result.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from cuedeck.agents.edits.json_document import (
    Document,
    Path,
    Slot,
    look_up,
    read_json,
)
from cuedeck.model.errors import Invalid
from cuedeck.parse.text_decoding import BOM
from cuedeck.parse.text_edit import Cut, cut, newline_of
from cuedeck.text.text_offsets import lead


def add(text: str, keys: Sequence[str], new: Any, *, is_item: bool = False) -> str:
    """Add a value as the last member at `keys`, or as the last element of the array
    there; missing containers are created.

    Raises: Invalid if a value of another type is in the place of a container.
    """
    document = read_json(text)
    path = tuple(document.find(keys))
    wanted = deepcopy(document.value)
    name = ""
    if document.slots and path == tuple(keys):
        inner = look_up(wanted, path)
        if not isinstance(inner, list):
            at = document.slots[path].value
            raise document.invalid(at, f"`{keys[-1]}` is not an array")
        inner.append(new)
    else:
        # The addition is one slot of the deepest existing container.
        new = [new] if is_item else new
        for key in reversed(keys[len(path) + 1 :]):
            new = {key: new}
        name = keys[len(path)]
        if wanted is None:
            wanted = {}
        look_up(wanted, path)[name] = new
        name = f"{_inline(name)}: "
    after = _with_slot(document, path, name, new)
    _check(document, after, wanted)
    return after


_INDENTED = re.compile(r"[{\[][ \t]*[\r\n]+([ \t]+)[\"{\[]")
"""The first slot of a container that begins a line."""
_LINE_END = re.compile(r"[\r\n]")


def _with_slot(document: Document, path: Path, name: str, value: Any) -> str:
    """Return the text with a new last slot of a container, or of an object that the
    file does not have yet; `name` is the key with a colon, or empty.
    """
    text = document.text
    newline = newline_of(text)
    if not document.slots:
        lines = _lines(value, f"{newline}  ", "  ")
        written = f"{{{newline}  {name}{lines}{newline}}}{newline}"
        is_line = not text.strip(BOM) or text.endswith(("\n", "\r"))
        return f"{text}{'' if is_line else newline}{written}"
    outer = document.slots[path]
    last = next(reversed(document.inside(path)), None)
    after = max(last.end, last.comma + 1) if last else outer.value + 1
    comments = document.within(after, outer.end)
    at = comments[-1].end if comments else after
    is_after_line = bool(comments) and text.startswith("//", comments[-1].start)
    indent = _indent_of(document, outer, last, is_after_line)
    if indent is None:
        written = f"{' ' if last else ''}{name}{_inline(value)}"
    else:
        lines = _lines(value, f"{newline}{indent}", _step_of(text))
        written = f"{newline}{indent}{name}{lines}"
        if not last and not _LINE_END.search(text[at : outer.end]):
            written += newline + _lead_of(text, outer.value)
    comma, tail = "", ""
    if last:
        comma, tail = ("", ",") if last.comma >= 0 else (",", "")
    return f"{text[:after]}{comma}{text[after:at]}{written}{tail}{text[at:]}"


def _indent_of(
    document: Document, outer: Slot, last: Slot | None, is_after_line: bool
) -> str | None:
    """Return the indentation of a new slot after `last` in a container; None if it does
    not begin a line, which it must after a comment up to the end of a line.
    """
    text = document.text
    whole = document.slots[()]
    if len(document.slots) > 1 and not _LINE_END.search(text[: whole.end]):
        return None
    if last:
        before = lead(text, last.start)
        if not before.strip(f" \t{BOM}"):
            return before
        if not is_after_line:
            return None
    return _lead_of(text, outer.value) + _step_of(text)


def _lead_of(text: str, at: int) -> str:
    """Return the indentation of the line that contains `at`."""
    before = lead(text, at).removeprefix(BOM)
    return before[: len(before) - len(before.lstrip(" \t"))]


def _step_of(text: str) -> str:
    style = _INDENTED.search(text)
    return style[1] if style else "  "


def _lines(value: Any, newline: str, indent: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=indent).split("\n")
    return newline.join(lines)


def _inline(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def take_all(text: str, find: Callable[[Any], Path]) -> str:
    """Return the text without each slot whose path `find` returns for the value of the
    file, and without the containers that become empty.

    Raises: Invalid if a slot cannot be removed safely.
    """
    document = read_json(text)
    while path := find(document.value):
        while len(path) > 1 and document.is_alone(path):
            slot = document.slots[path[:-1]]
            if document.within(slot.start, slot.value):
                break
            path = path[:-1]
        slot = document.slots[path]
        wanted = deepcopy(document.value)
        del look_up(wanted, path[:-1])[path[-1]]
        gone = Cut(slot.start, slot.end)
        document = _check(document, take_out(document, path), wanted, gone)
    return document.text


def take_out(document: Document, path: Path) -> str:
    """Return the text without a slot, one comma, and the line if the slot is alone on
    it; comments stay.
    """
    text, slot = document.text, document.slots[path]
    if document.is_alone(path):
        outer = document.slots[path[:-1]]
        return text[: outer.value + 1] + text[outer.end - 1 :]
    end, comma = slot.end, slot.comma
    inside = document.inside(path[:-1])
    index = inside.index(slot)
    if comma < 0 and index:
        comma = inside[index - 1].comma
    elif comma >= 0 and not text[end:comma].strip():
        end = comma + 1
    own = _with_blanks(document, slot.start, end)
    if comma < 0 or own.start <= comma < own.end:
        return cut(text, [own])
    return cut(text, sorted([own, Cut(comma, comma + 1)], reverse=True))


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
        raise before.invalid(at, problem) from error
    lost = Counter(before.comment_texts())
    lost -= Counter(document.comment_texts())
    if gone:
        lost -= Counter(before.text[start:end] for start, end in before.within(*gone))
    if document.value != wanted or lost:
        problem = "own entries cannot be changed without risk to the rest"
        raise before.invalid(at, problem)
    return document
