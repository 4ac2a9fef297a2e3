"""Parser of JSON with comments and trailing commas that gives the offset of every value
and comment. The standard parser decides which text is valid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple

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

Kind = Literal["object", "array", "scalar"]


@dataclass(frozen=True, slots=True)
class Node:
    """A value with its offsets; `slots` are the members of an object or the elements of
    an array.
    """

    kind: Kind
    start: int
    end: int
    scalar: Any = None
    slots: tuple[Slot, ...] = ()

    def find(self, key: str) -> Slot | None:
        """Return the member with a key, or None. Of duplicate keys the last counts, as
        in other JSON parsers.
        """
        if self.kind != "object":
            return None
        for slot in reversed(self.slots):
            if slot.key == key:
                return slot
        return None

    def value(self, but: Slot | None = None) -> Any:
        """Return the Python value of the node, without the slot `but`."""
        if self.kind == "scalar":
            return self.scalar
        slots = [slot for slot in self.slots if slot is not but]
        if self.kind == "object":
            return {slot.key: slot.node.value(but) for slot in slots}
        return [slot.node.value(but) for slot in slots]


class Slot(NamedTuple):
    """A member of an object or an element of an array."""

    start: int
    """The offset of the key, or of the element."""
    key: str
    """The key of a member; empty for an element."""
    node: Node
    comma: int
    """The offset of the comma after the slot; -1 if there is none."""


SlotPath = tuple[tuple[Node, int], ...]
"""Path to a slot: each container from the outermost, with the index of the next slot.
"""


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed JSON file."""

    text: str
    root: Node | None
    """None for a file without a value."""
    comments: tuple[Cut, ...]

    def value(self, but: Slot | None = None) -> Any:
        """Return the Python value of the file, without the slot `but`; None if the file
        has no value.
        """
        return None if self.root is None else self.root.value(but)

    def reach(self, keys: Sequence[str]) -> tuple[Node, ...]:
        """Return the existing nodes on the path `keys`, starting with the root.

        Raises: Invalid if the path leads through a value that is not an object, or
        through a duplicate key.
        """
        if self.root is None:
            return ()
        nodes = [self.root]
        name = "the file"
        for key in keys:
            container = nodes[-1]
            if container.kind != "object":
                raise self.invalid(container.start, f"{name} is not an object")
            members = [slot for slot in container.slots if slot.key == key]
            if not members:
                break
            if len(members) > 1:
                raise self.invalid(members[1].start, f"`{key}` occurs twice")
            nodes.append(members[0].node)
            name = f"`{key}`"
        return tuple(nodes)

    def find(self, keys: Sequence[str]) -> Node | None:
        """Return the value at a path of keys, or None. Raises: Invalid as `reach`
        does.
        """
        nodes = self.reach(keys)
        return nodes[-1] if len(nodes) > len(keys) else None

    def path(self, keys: Sequence[str]) -> SlotPath:
        """Return the path to the member at `keys`; empty if there is none. Raises:
        Invalid as `reach` does.
        """
        nodes = self.reach(keys)
        if len(nodes) <= len(keys):
            return ()
        steps = []
        for container, child in pairwise(nodes):
            children = [slot.node for slot in container.slots]
            index = next(at for at, node in enumerate(children) if node is child)
            steps.append((container, index))
        return tuple(steps)

    def comment_texts(self) -> list[str]:
        """Return the texts of all comments, in order."""
        return [self.text[start:end] for start, end in self.comments]

    def within(self, start: int, end: int) -> Sequence[Cut]:
        """Return the comments inside a span."""
        return [
            each for each in self.comments if start <= each.start and each.end <= end
        ]

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
    if not bare.strip():
        return Document(text, None, tuple(comments))
    try:
        _load(_TRAILING.sub(_without_comma, bare))
        root = _read_node(bare, _end_of(_BLANK, bare, 0))
    except RecursionError as error:
        problem = "not valid JSON: it is nested too deeply"
        raise invalid_at(text, 0, problem, HINT) from error
    except json.JSONDecodeError as error:
        problem = f"not valid JSON: {error.msg}"
        raise invalid_at(text, error.pos, problem, HINT) from error
    return Document(text, root, tuple(comments))


def _without_comma(found: re.Match[str]) -> str:
    return " " if found["comma"] else found[0]


def _load(text: str) -> Any:
    return json.loads(text, parse_int=_integer)


def _integer(digits: str) -> int | str:
    """Return a number; one of more than 300 digits stays a string."""
    return digits if len(digits) > _LONGEST_INTEGER else int(digits)


def _read_node(text: str, at: int, depth: int = 0) -> Node:
    """Return the value at an offset of valid JSON without comments. Raises:
    RecursionError.
    """
    if depth > _MAX_DEPTH:
        raise RecursionError
    opening = text[at]
    if opening not in "{[":
        end = _end_of(_SCALAR, text, at)
        return Node("scalar", at, end, _load(text[at:end]))
    slots = []
    end = _end_of(_BLANK, text, at + 1)
    while text[end] not in "}]":
        slot = _read_slot(text, end, opening == "{", depth)
        slots.append(slot)
        end = _end_of(_BLANK, text, max(slot.node.end, slot.comma + 1))
    kind: Kind = "object" if opening == "{" else "array"
    return Node(kind, at, end + 1, slots=tuple(slots))


def _read_slot(text: str, start: int, is_member: bool, depth: int) -> Slot:
    key, at = "", start
    if is_member:
        end = _end_of(_SCALAR, text, start)
        key = _load(text[start:end])
        colon = _end_of(_BLANK, text, end)
        at = _end_of(_BLANK, text, colon + 1)
    node = _read_node(text, at, depth + 1)
    comma = _end_of(_BLANK, text, node.end)
    return Slot(start, key, node, comma if text.startswith(",", comma) else -1)


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def read_value(name: str, text: str) -> Any:
    """Parse a JSON or TOML file; return None if it is malformed or empty."""
    if name.endswith(".toml"):
        try:
            return read_toml(text)
        except Invalid:
            return None
    try:
        # Much faster than `read_json`, and files in the home folder are long.
        return json.loads(text.removeprefix(BOM))
    except (ValueError, RecursionError):
        pass
    try:
        return read_json(text).value()
    except Invalid:
        return None


def look_up(value: Any, keys: Sequence[str]) -> Any:
    """Return the value at a path of keys, or None."""
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def line_of(name: str, text: str, keys: Sequence[str]) -> int:
    """Return the line of the value at a path of keys in a JSON file; 0 if unknown, and
    always 0 for TOML.
    """
    if name.endswith(".toml"):
        return 0
    try:
        node = read_json(text).find(keys)
    except Invalid:
        return 0
    if node is None:
        return 0
    return line_number(text, node.start)
