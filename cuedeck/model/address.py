"""Addresses: `path`, `path#anchor` and `path#L10-L40`. Pure string functions without
any lookup.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_COLUMN = r"(?:[Cc]\d+)?"
_LINES = rf"[Ll](\d+){_COLUMN}(?:(-)(?:[Ll]?(\d+){_COLUMN})?)?$"


class LineRange(NamedTuple):
    """Line numbers of an anchor such as `L10-L40`; an `end` of 0 means the end of the
    file.
    """

    start: int
    end: int


def split_anchor(text: str) -> tuple[str, str]:
    """Split `path#anchor` at the first `#`; the anchor is empty when there is none."""
    path, _, anchor = text.partition("#")
    return path, anchor


def join_anchor(path: str, anchor: str) -> str:
    """Join `path` and `anchor`; return the path unchanged if the anchor is empty."""
    if anchor:
        return f"{path}#{anchor}"
    return path


def parse_lines(anchor: str) -> LineRange | None:
    """Parse `L10`, `L10-L40`, `L10-40` or `L10-`, also with the columns of a permalink
    (`L10C2-L40C7`); return None if the anchor is not a line range.
    """
    match = re.match(_LINES, anchor)
    if match is None:
        return None
    start = int(match.group(1))
    if match.group(2) is None:
        return LineRange(start, start)
    return LineRange(start, int(match.group(3) or 0))


def format_lines(start: int, end: int) -> str:
    """Return the canonical anchor of a line range: `L10-L40`, or `L10` for a single
    line.
    """
    if start == end:
        return f"L{start}"
    return f"L{start}-L{end}"


def nfc(text: str) -> str:
    """Return a text in NFC: file systems and editors differ in the form in which they
    store marks, and people cannot see it.
    """
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def name_key(name: str) -> str:
    """Return the comparison key of a name: case, whitespace, hyphens, underscores and
    the Unicode form are ignored.
    """
    return nfc(re.sub(r"[\s_-]+", "-", name.strip()).casefold())


def overlaps(one: str, other: str) -> bool:
    """Return whether two addresses are equal, or one is a whole file and the other a
    part of it.
    """
    if one == other:
        return True
    if one.startswith(f"{other}#"):
        return True
    return other.startswith(f"{one}#")


def is_within(address: str, wanted: str) -> bool:
    """Return whether an address overlaps `wanted`, or lies below `wanted` if that is a
    folder (`src/`).
    """
    return overlaps(address, wanted) or (
        wanted.endswith("/") and address.startswith(wanted)
    )
