"""Whether a text is worth a syntax tree. The answer depends on the text alone, never on time."""

from __future__ import annotations

from collections.abc import Sequence

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
