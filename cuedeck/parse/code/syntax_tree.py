"""The syntax tree of a text, within a limit of work.

A text in another language can occupy a parser for minutes. The work is counted, not
timed, so that the result depends on the text alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

    from cuedeck.parse.languages.base import Grammar

MAX_WORK = 1_000_000
"""Units of about a microsecond. 512 kB of hand-written source takes up to 700,000."""
MIN_BYTES = 16_000
"""Shorter texts are parsed without a limit."""
_CHUNK = 1_024
_NAME_CHUNK = 64
"""Size of a chunk once the tree is complete: such chunks are texts of nodes, mostly
names.
"""
_CHUNK_WORK = 20
_STEP_WORK = 50
_LOST_WORK = 800
"""Units of a step that begins in an error state: it may take a thousand times as
long as another.
"""


@cache
def parser_of(grammar: Grammar) -> Parser | None:
    """Return a parser for a grammar, or None if no compatible version of it is
    installed.
    """
    try:
        from tree_sitter import Language, Parser

        return Parser(
            Language(getattr(import_module(grammar.module), grammar.function)())
        )
    except (ImportError, AttributeError, ValueError):
        # An old wheel may lack the function; another version may have an incompatible
        # binary interface.
        return None


def read_tree(parser: Parser, data: bytes) -> Node | None:
    """Return the root of the syntax tree of a text, or None if the work exceeds the
    limit.
    """
    # The nodes keep the tree alive.
    if len(data) < MIN_BYTES:
        return parser.parse(data).root_node
    left = MAX_WORK
    chunk = _CHUNK

    def read(at: int, _: object) -> bytes:
        # The text must not change later: parsers crash if a known part is gone.
        nonlocal left
        left -= _CHUNK_WORK
        return data[at : at + chunk]

    def is_exceeded(_: int, lost: bool) -> bool:
        # A step is a hundred operations.
        nonlocal left
        left -= _LOST_WORK if lost else _STEP_WORK
        return left < 0

    try:
        root = parser.parse(read, progress_callback=is_exceeded).root_node
    except ValueError:
        parser.reset()
        return None
    # From now on, the nodes of the tree read small chunks.
    chunk = _NAME_CHUNK
    return root


MAX_BYTES = 512_000
MAX_ROW = 5_000
MAX_MEAN_ROW = 300
MAX_NESTING = 500
MIN_REPEATED_ROWS = 1_000
MAX_REPEATS = 20
MAX_COMMENT_WORK = 4_000_000
"""Unclosed comments times bytes: the parser searches the end of each up to the end of
the file.
"""

_OPENING = b"([{"
_CLOSING = b")]}"
_OTHERS = bytes(byte for byte in range(256) if byte not in _OPENING + _CLOSING)
_SAME = bytes.maketrans(_OPENING + _CLOSING, b"((()))")


def rejection_reason(data: bytes, rows: Sequence[str], block_comments: bool) -> str:
    """Return why a text cannot be hand-written source, or an empty string if it can
    be.
    """
    if len(data) > MAX_BYTES:
        return f"larger than {MAX_BYTES:,} bytes"
    longest = max(map(len, rows))
    if longest > MAX_ROW:
        return f"a line of {longest:,} characters"
    if len(data) > max(MAX_ROW, MAX_MEAN_ROW * len(rows)):
        return f"lines of {len(data) // len(rows):,} characters on average"
    if len(rows) >= MIN_REPEATED_ROWS and len(set(rows)) * MAX_REPEATS < len(rows):
        return "the same lines repeated many times"
    if block_comments and _unclosed_comments(data) * len(data) > MAX_COMMENT_WORK:
        return "comments without an end"
    if not _is_deep(data):
        return ""
    return f"brackets nested more than {MAX_NESTING} deep"


def _unclosed_comments(data: bytes) -> int:
    openings = data.count(b"/*")
    return openings and max(
        openings - data.count(b"*/"), data.count(b"/*", data.rfind(b"*/") + 1)
    )


def _is_deep(data: bytes) -> bool:
    # Each round removes all innermost pairs, so the number of rounds is the depth.
    brackets = data.translate(_SAME, _OTHERS)
    for _ in range(MAX_NESTING):
        rest = brackets.replace(b"()", b"")
        if len(rest) == len(brackets):
            return rest.count(b"(") > MAX_NESTING
        brackets = rest
    return True
