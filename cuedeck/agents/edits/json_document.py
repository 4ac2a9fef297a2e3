"""Parser of JSON with comments and trailing commas that gives the offset of every value
and comment. The standard parser decides which text is valid.

A slot is a member of an object or an element of an array.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.parse.text_decoding import BOM
from cuedeck.parse.text_edit import Cut
from cuedeck.parse.toml_reader import read_toml
from cuedeck.text.text_offsets import invalid_at, line_number

HINT = "repair the file by hand; nothing was changed"
_STRING = r'"(?:[^"\\]|\\.)*"'
_COMMENT = re.compile(rf"{_STRING}|(?P<comment>//[^\r\n]*|/\*.*?\*/)", re.DOTALL)
_TRAILING = re.compile(
    rf"{_STRING}|[\[{{][ \t\r\n]*,|(?P<comma>,)(?=[ \t\r\n]*[\]}}])", re.DOTALL
)
_SCALAR = re.compile(rf"{_STRING}|[^ \t\r\n,\]}}]*", re.DOTALL)
_BLANK = re.compile(r"[ \t\r\n]*")
_MAX_DEPTH = 100
_LONGEST_INTEGER = 300

Path = tuple[str | int, ...]
"""The keys and indexes that lead to a value, outermost first."""


class Slot(NamedTuple):
    """The offsets of a value, and of its key."""

    start: int
    """The offset of the key, or of the element."""
    value: int
    end: int
    comma: int
    """The offset of the comma after the slot; -1 if there is none."""


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed JSON file."""

    text: str
    value: Any
    """None for a file without a value. Of duplicate keys the last counts."""
    slots: dict[Path, Slot]
    """The slots by path, those of a container in order; none for such a file."""
    doubles: dict[Path, int]
    """The offset of the second member with a key, by path."""
    comments: tuple[Cut, ...]

    def find(self, keys: Sequence[str]) -> Sequence[str]:
        """Return the existing part of a path of keys.

        Raises: Invalid if the path leads through a value that is not an object, or
        through a duplicate key.
        """
        keys = tuple(keys)
        value = self.value
        for at, key in enumerate(keys if self.slots else ()):
            path = keys[:at]
            if not isinstance(value, dict):
                name = f"`{path[-1]}`" if path else "the file"
                raise self.invalid(self.slots[path].value, f"{name} is not an object")
            if key not in value:
                return path
            if (*path, key) in self.doubles:
                raise self.invalid(self.doubles[*path, key], f"`{key}` occurs twice")
            value = value[key]
        return keys if self.slots else ()

    def inside(self, path: Path) -> list[Slot]:
        """Return the slots of a container in order."""
        depth = len(path)
        return [
            slot
            for each, slot in self.slots.items()
            if len(each) == depth + 1 and each[:depth] == path
        ]

    def comment_texts(self) -> list[str]:
        """Return the texts of all comments, in order."""
        return [self.text[start:end] for start, end in self.comments]

    def within(self, start: int, end: int) -> list[Cut]:
        """Return the comments inside a span."""
        return [
            each for each in self.comments if start <= each.start and each.end <= end
        ]

    def is_alone(self, path: Path) -> bool:
        """Return whether the container of a slot has no other one, and no comment
        outside of the slot.
        """
        outer, slot = self.slots[path[:-1]], self.slots[path]
        before = self.within(outer.value, slot.start)
        after = self.within(slot.end, outer.end)
        return not before and not after and len(self.inside(path[:-1])) == 1

    def invalid(self, at: int, problem: str) -> Invalid:
        """Return the error for a problem at an offset."""
        return invalid_at(self.text, at, problem, HINT)


@lru_cache(maxsize=32)
def read_json(text: str) -> Document:
    """Parse a JSON file. Raises: Invalid for malformed JSON, with its line.

    The last documents are cached, because each check and each edit of a file reads it.
    """
    comments: list[Cut] = []

    def blank_comment(found: re.Match[str]) -> str:
        if found["comment"] is None:
            return found[0]
        comments.append(Cut(*found.span()))
        return " " * len(found[0])

    bare = _COMMENT.sub(blank_comment, text)
    if text.startswith(BOM):
        bare = " " + bare.removeprefix(BOM)
    document = Document(
        text,
        None,
        {},
        {},
        tuple(comments),
    )
    if not bare.strip():
        return document
    plain = _TRAILING.sub(lambda found: " " if found["comma"] else found[0], bare)
    try:
        value = json.loads(plain, parse_int=_integer)
        start = _end_of(_BLANK, bare, 0)
        end = _scan(bare, start, (), document)
    except RecursionError as error:
        raise document.invalid(0, "not valid JSON: it is nested too deeply") from error
    except json.JSONDecodeError as error:
        problem = f"not valid JSON: {error.msg}"
        raise document.invalid(error.pos, problem) from error
    slots = {
        (): Slot(
            start,
            start,
            end,
            -1,
        ),
        **document.slots,
    }
    return Document(
        text,
        value,
        slots,
        document.doubles,
        document.comments,
    )


def _integer(digits: str) -> int | str:
    """Return a number; one of more than 300 digits stays a string."""
    return digits if len(digits) > _LONGEST_INTEGER else int(digits)


def _scan(text: str, at: int, path: Path, found: Document) -> int:
    """Add the slots inside the value at an offset of valid JSON without comments;
    return its end. Raises: RecursionError.
    """
    if len(path) > _MAX_DEPTH:
        raise RecursionError
    if text[at] not in "{[":
        return _end_of(_SCALAR, text, at)
    end = _end_of(_BLANK, text, at + 1)
    index = 0
    while text[end] not in "}]":
        start = value = end
        below: Path = (*path, index)
        if text[at] == "{":
            end = _end_of(_SCALAR, text, start)
            below = (*path, json.loads(text[start:end]))
            colon = _end_of(_BLANK, text, end)
            value = _end_of(_BLANK, text, colon + 1)
        if below in found.slots:
            found.doubles.setdefault(below, start)
        end = _scan(text, value, below, found)
        comma = _end_of(_BLANK, text, end)
        if text[comma] != ",":
            comma = -1
        found.slots[below] = Slot(
            start,
            value,
            end,
            comma,
        )
        end = _end_of(_BLANK, text, max(end, comma + 1))
        index += 1
    return end + 1


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def read_value(name: str, text: str) -> Any:
    """Parse a JSON or TOML file; return None if it is malformed or empty."""
    try:
        if name.endswith(".toml"):
            return read_toml(text)
        # Much faster than `read_json`, and files in the home folder are long.
        return json.loads(text.removeprefix(BOM))
    except Invalid:
        return None
    except (ValueError, RecursionError):
        pass
    try:
        return read_json(text).value
    except Invalid:
        return None


def look_up(value: Any, keys: Sequence[str | int]) -> Any:
    """Return the value at a path, or None."""
    for key in keys:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def as_list(value: Any) -> list[Any]:
    """Return a list unchanged, and an empty one for any other value."""
    return value if isinstance(value, list) else []


def line_of(name: str, text: str, path: Sequence[str | int]) -> int:
    """Return the line of the value at a path in a JSON file; 0 if unknown, and
    always 0 for TOML.
    """
    if name.endswith(".toml"):
        return 0
    try:
        slot = read_json(text).slots.get(tuple(path))
    except Invalid:
        return 0
    return line_number(text, slot.value) if slot else 0
