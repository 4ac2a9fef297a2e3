"""TOML statements (table headers and key-value pairs) with their offsets in the
text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.parse.text_decoding import BOM

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*)*")
_KEY = re.compile(
    r"""[ \t]*(?:([A-Za-z0-9_-]+)|"((?:[^"\\\r\n]|\\.)*)"|'([^'\r\n]*)')[ \t]*"""
)
_PIECE = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|'
    r"'''.*?'{3,5}|"
    r'"(?:[^"\\\r\n]|\\.)*"|'
    r"'[^'\r\n]*'|"
    r"#[^\r\n]*|[\[{]|[\]}]|[\r\n]|[^\"'#\[\]{}\r\n]+",
    re.DOTALL,
)
_INDENT = re.compile(r"[ \t]*")


class Statement(NamedTuple):
    """A table header, or a key with its value. Offsets are in characters."""

    keys: tuple[str, ...]
    """The full key path from the root of the document."""
    start: int
    end: int
    value: int
    """The offset of the value; -1 for a header."""


def statements(text: str) -> Iterator[Statement]:
    """Yield the statements of a valid TOML document in order."""
    at = 0
    if text.startswith(BOM):
        at = len(BOM)
    table: tuple[str, ...] = ()
    while True:
        at = _past(_BLANK, text, at)
        if at >= len(text):
            return
        start = at
        if text[at] == "[":
            opening = 2 if text.startswith("[[", at) else 1
            table, at = _keys(text, at + opening)
            at += opening
            yield Statement(keys=table, start=start, end=at, value=-1)
        else:
            keys, at = _keys(text, at)
            value = _past(_INDENT, text, at + 1)
            at = _value_end(text, value)
            yield Statement((*table, *keys), start, at, value)


def _keys(text: str, at: int) -> tuple[tuple[str, ...], int]:
    keys = []
    while found := _KEY.match(text, at):
        bare, quoted, literal = found.groups()
        keys.append(
            tomllib.loads(f'k = "{quoted}"')["k"]
            if quoted is not None
            else bare or literal or ""
        )
        at = found.end()
        if not text.startswith(".", at):
            break
        at += 1
    return tuple(keys), at


def _value_end(text: str, at: int) -> int:
    """Return the end offset of the value at `at`: a newline or a comment outside of its
    brackets ends it.
    """
    depth, end = 0, at
    while found := _PIECE.match(text, at):
        piece = found.group()
        if depth == 0 and (piece[0] in "\r\n#"):
            break
        depth += (piece in "[{") - (piece in "]}")
        at = found.end()
        if piece.strip():
            end = at - (len(piece) - len(piece.rstrip()))
    return end


def _past(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
