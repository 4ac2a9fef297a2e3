"""Parser of JSON with comments and trailing commas that keeps the offset of every value
and comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, NoReturn

from cuedeck.parse.text_decoding import BOM
from cuedeck.parse.text_edit import Cut
from cuedeck.text.text_offsets import invalid_at

_BLANK = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null")
_WORD_GOES_ON = re.compile(r"[\w.+-]")
_CLOSING = {"{": "}", "[": "]"}
HINT = "repair the file by hand; nothing was changed"
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
        if self.root is None:
            return None
        return self.root.value(but)

    def find(self, keys: Sequence[str]) -> Node | None:
        """Return the value at a path of keys, or None. Raises: Invalid as `reach`
        does.
        """
        nodes = reach(self.root, keys, self.text)
        if len(nodes) > len(keys):
            return nodes[-1]
        return None

    def comment_texts(self) -> list[str]:
        """Return the texts of all comments, in order."""
        return [self.text[start:end] for start, end in self.comments]

    def within(self, start: int, end: int) -> Sequence[Cut]:
        """Return the comments inside a span."""
        return [
            each for each in self.comments if start <= each.start and each.end <= end
        ]


@lru_cache(maxsize=32)
def read_json(text: str) -> Document:
    """Parse a JSON file. Raises: Invalid for malformed JSON, with its line.

    The last documents are cached, because each check and each edit of a file reads it.
    """
    return _Reader(text).document()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = len(BOM) if text.startswith(BOM) else 0
        self.comments: list[Cut] = []

    def document(self) -> Document:
        self._skip()
        root = None
        if self.at < len(self.text):
            root = self._node(0)
            self._skip()
        if self.at < len(self.text):
            self._fail("text follows the end of the JSON")
        return Document(self.text, root, tuple(self.comments))

    def _skip(self) -> None:
        """Skip blanks and comments; collect the comments."""
        while True:
            blank = _BLANK.match(self.text, self.at)
            self.at = blank.end() if blank else self.at
            comment = _COMMENT.match(self.text, self.at)
            if comment is None:
                return
            self.comments.append(Cut(comment.start(), comment.end()))
            self.at = comment.end()

    def _node(self, depth: int) -> Node:
        letter = self.text[self.at : self.at + 1]
        if letter in _CLOSING and letter:
            return self._container(letter, depth)
        start = self.at
        if letter == '"':
            text = self._string()
            return Node("scalar", start, self.at, text)
        found = _SCALAR.match(self.text, start)
        if found is None or _WORD_GOES_ON.match(self.text, found.end()):
            self._fail("a value is missing or cannot be read")
        self.at = found.end()
        return Node("scalar", start, self.at, _scalar(found.group()))

    def _string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            self._fail(
                "a string is not closed, or contains a character that JSON does not allow"
            )
        self.at = found.end()
        return str(json.loads(found.group()))

    def _container(self, opening: str, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            self._fail("it is nested too deeply")
        start = self.at
        self.at += 1
        slots = tuple(self._slots(_CLOSING[opening], depth))
        self.at += 1
        kind: Kind = "object" if opening == "{" else "array"
        return Node(kind, start, self.at, None, slots)

    def _slots(self, closing: str, depth: int) -> Iterator[Slot]:
        self._skip()
        while not self.text.startswith(closing, self.at):
            start = self.at
            key = ""
            if closing == "}":
                key = self._key()
            node = self._node(depth + 1)
            self._skip()
            comma = self.at if self.text.startswith(",", self.at) else -1
            self.at += comma >= 0
            yield Slot(start, key, node, comma)
            self._skip()
            if comma < 0 and not self.text.startswith(closing, self.at):
                self._fail(f"a comma or `{closing}` is missing")

    def _key(self) -> str:
        if not self.text.startswith('"', self.at):
            self._fail("a key in double quotes is missing")
        key = self._string()
        self._skip()
        if not self.text.startswith(":", self.at):
            self._fail("a colon is missing")
        self.at += 1
        self._skip()
        return key

    def _fail(self, problem: str) -> NoReturn:
        raise invalid_at(self.text, self.at, f"not valid JSON: {problem}", HINT)


def _scalar(word: str) -> Any:
    """Return the value of a number, boolean or null; a number of more than 300
    characters stays a string.
    """
    if len(word) > _LONGEST_INTEGER:
        return word
    return json.loads(word)


def reach(root: Node | None, keys: Sequence[str], text: str) -> tuple[Node, ...]:
    """Return the existing nodes on the path `keys`, starting with the root.

    Raises: Invalid if the path leads through a value that is not an object, or through
    a duplicate key.
    """
    if root is None:
        return ()
    nodes = [root]
    name = "the file"
    for key in keys:
        container = nodes[-1]
        if container.kind != "object":
            raise invalid_at(text, container.start, f"{name} is not an object", HINT)
        members = [slot for slot in container.slots if slot.key == key]
        if not members:
            break
        if len(members) > 1:
            hint = "remove one of them; nothing was changed"
            raise invalid_at(text, members[1].start, f"`{key}` occurs twice", hint)
        nodes.append(members[0].node)
        name = f"`{key}`"
    return tuple(nodes)


def index_of(container: Node, child: Node) -> int:
    """Return the index of the slot with a value."""
    nodes = [slot.node for slot in container.slots]
    return next(at for at, node in enumerate(nodes) if node is child)
