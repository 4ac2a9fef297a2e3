"""TOML reader that reports every failure as `Invalid` with a line, and the statements
of a document with their offsets.

The time that `tomllib` needs grows with the square of the number of parts of a key. So
the length of a text and the number of parts are limited before it is parsed: a
repository contains the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.model.ports import Json
from cuedeck.parse.text_decoding import BOM, CONFLICT, CONFLICT_HINT, conflict_line

MOST_CHARACTERS = 2_000_000
"""Length of a text that is parsed."""
MOST_PARTS = 20
"""Parts of a dotted key or of the name of a table."""
_PIECE = (
    r"(?P<skipped>#[^\n]*+|'{3}(?:[^']|'(?!''))*+(?:'{3}|\Z)"
    r'''|"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z))'''
    r"""|(?P<part>[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\[^\n])*+"?|'[^'\n]*+'?)|(?P<space>[ \t]++)|(?P<dot>\.)|(?P<other>.)"""
)
"""Divides every text into pieces, in time that grows with its length."""
_AT = r"\s*\(at (?:line (\d+), column \d+|end of document)\)"


def read_toml(text: str, hint: str = "correct that line") -> Json:
    """Parse a TOML document.

    Raises: Invalid for a text or a key that is too long; for invalid TOML, with its
    line (the last line if a construct is not closed); and without a line for excessive
    nesting or a number with too many digits.
    """
    text = text.removeprefix(BOM)
    _check_size(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Invalid.on(0, "it is nested too deeply", hint) from None
    except tomllib.TOMLDecodeError as error:
        conflict = conflict_line(text)
        if conflict:
            raise Invalid.on(conflict, CONFLICT, CONFLICT_HINT) from error
        message = str(error)
        found = re.search(_AT, message)  # the line is only available in the message
        line = text.rstrip().count("\n") + 1
        if found and found[1]:
            line = int(found[1])
        reason = re.sub(_AT, "", message)
        raise Invalid.on(line, f"not valid TOML: {reason}", hint) from error
    except ValueError:
        raise Invalid.on(0, "a number has more digits than can be read", hint) from None


def _check_size(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        problem = f"a TOML file must have at most {MOST_CHARACTERS:,} characters, got {len(text):,}"
        raise Invalid.on(0, problem, "shorten the file")
    if all(line.count(".") < MOST_PARTS for line in text.split("\n")):
        # A key ends on its line.
        return
    dots = 0
    for found in re.finditer(_PIECE, text, re.DOTALL):
        kind = found.lastgroup
        if kind == "dot":
            dots += 1
        elif kind not in ("part", "space"):
            dots = 0
        if dots >= MOST_PARTS:
            line = text.count("\n", 0, found.start()) + 1
            raise Invalid.on(
                line, f"a key must have at most {MOST_PARTS} parts", "shorten the key"
            )


_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*)*")
_KEY = re.compile(
    r"""[ \t]*(?:([A-Za-z0-9_-]+)|"((?:[^"\\\r\n]|\\.)*)"|'([^'\r\n]*)')[ \t]*"""
)
_VALUE_PIECE = re.compile(
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
    while found := _VALUE_PIECE.match(text, at):
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
