"""The syntax tree of a text, for no more work than a text is worth.

What is not of its language can keep a parser busy for minutes. Its work is counted, never timed, so that the answer
depends on the text alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_WORK = 1_000_000
"""Units; one is about a microsecond. Half a megabyte of what people write takes up to 700,000."""
MIN_BYTES = 16_000
"""Texts that are shorter are never too much work."""
_CHUNK = 1_024
_NAME_CHUNK = 64
"""Once there is a tree, what is read is the text of one node, mostly a name."""
_CHUNK_WORK = 20
_STEP_WORK = 50
_FAULT_WORK = 16
_RECOVERY_WORK = {
    "detect_error": _FAULT_WORK,
    "recover_to_previous": _FAULT_WORK,
    "recover_with_missing": _FAULT_WORK,
    "skip_token": _FAULT_WORK,
    "removed": 1,
}
"""By the first words of what the parser logs; it logs the same for every text, only not how long it takes."""
_STRIDE = 512
"""Steps from one whose log is read to the next; all of them would cost ten times the parse."""
_LOST = 16
"""Steps that one counts for which begins where the parser has lost its way; such may be a thousand times as long."""


def read_tree(parser: Parser, data: bytes) -> Node | None:
    """Return the root of the tree of a text; None when there is no end of its faults."""
    # The nodes keep the tree alive.
    if len(data) < MIN_BYTES:
        return parser.parse(data).root_node
    work = _Work(parser, data)
    try:
        root = parser.parse(work.read, progress_callback=work.is_too_much).root_node
    except ValueError:
        parser.reset()
        return None
    finally:
        del parser.logger
    work.end()
    return root


class _Work:
    """What a parser has done for a text: steps, bytes looked at, and recoveries, of which a sample is counted."""

    def __init__(self, parser: Parser, data: bytes) -> None:
        self._parser = parser
        self._data = data
        self._chunk = _CHUNK
        self._left = MAX_WORK
        self._steps = 0
        """Since the last one whose log was read."""
        self._due = _STRIDE
        self._logged = 0

    def read(self, at: int, _: object) -> bytes:
        """Return some of the text. It has to be true to the end: parsers crash where a text they know is gone."""
        self._left -= _CHUNK_WORK
        return self._data[at : at + self._chunk]

    def is_too_much(self, _: int, lost: bool) -> bool:
        """Take note of a hundred operations; tell whether the parser is to stop."""
        self._left -= _STEP_WORK
        self._steps += 1
        if self._due <= 0:
            del self._parser.logger
            self._left -= self._logged * self._steps
            self._steps = self._logged = 0
            self._due = _STRIDE
        self._due -= _LOST if lost else 1
        if self._due <= 0:
            self._parser.logger = self._log
        return self._left < 0

    def end(self) -> None:
        """Serve the nodes of the tree from now on."""
        self._chunk = _NAME_CHUNK

    def _log(self, _: object, message: str) -> None:
        self._logged += _RECOVERY_WORK.get(message.partition(" ")[0], 0)


MAX_BYTES = 512_000
MAX_ROW = 5_000
MAX_MEAN_ROW = 300
MAX_NESTING = 500
MIN_REPEATED_ROWS = 1_000
MAX_REPEATS = 20
MAX_COMMENT_WORK = 4_000_000
"""Each comment that never ends is looked for up to the end of the file: openings times bytes."""

_OPENING = b"([{"
_CLOSING = b")]}"
_OTHERS = bytes(byte for byte in range(256) if byte not in _OPENING + _CLOSING)
_SAME = bytes.maketrans(_OPENING + _CLOSING, b"((()))")


def misfit(data: bytes, rows: Sequence[str], block_comments: bool) -> str:
    """Return why a text is no source that people wrote; empty when it may be one."""
    if len(data) > MAX_BYTES:
        return f"larger than {MAX_BYTES:,} bytes"
    longest = max(map(len, rows))
    if longest > MAX_ROW:
        return f"a line of {longest:,} characters"
    if len(data) > max(MAX_ROW, MAX_MEAN_ROW * len(rows)):
        return f"lines of {len(data) // len(rows):,} characters on average"
    if len(rows) >= MIN_REPEATED_ROWS and len(set(rows)) * MAX_REPEATS < len(rows):
        return "the same lines over and over"
    if block_comments and _open_comments(data) * len(data) > MAX_COMMENT_WORK:
        return "comments that never end"
    return f"brackets nested more than {MAX_NESTING} deep" if _is_deep(data) else ""


def _open_comments(data: bytes) -> int:
    openings = data.count(b"/*")
    return openings and max(openings - data.count(b"*/"), data.count(b"/*", data.rfind(b"*/") + 1))


def _is_deep(data: bytes) -> bool:
    # Taking away all innermost pairs, over and over, takes as many rounds as brackets lie in each other.
    brackets = data.translate(_SAME, _OTHERS)
    for _ in range(MAX_NESTING):
        rest = brackets.replace(b"()", b"")
        if len(rest) == len(brackets):
            return rest.count(b"(") > MAX_NESTING
        brackets = rest
    return True
