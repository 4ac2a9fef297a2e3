"""Text edits by character offset: insertions, cuts and
replacements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cuedeck.text.text_offsets import NEWLINE


class Insertion(NamedTuple):
    """A text to insert before the offset `at`."""

    at: int
    text: str


class Cut(NamedTuple):
    """A span to remove."""

    start: int
    end: int


class Swap(NamedTuple):
    """A span and its replacement."""

    start: int
    end: int
    text: str = ""


def newline_of(text: str) -> str:
    """Return the first newline of a text, or `\\n` if it has none."""
    found = NEWLINE.search(text)
    return found.group() if found else "\n"


def insert(text: str, insertions: Iterable[Insertion]) -> str:
    """Return the text with insertions; their offsets refer to the given text."""
    for at, added in sorted(insertions, reverse=True):
        text = text[:at] + added + text[at:]
    return text


def cut(text: str, cuts: Sequence[Cut]) -> str:
    """Apply cuts one after the other; the offsets of each refer to the result of the
    one before.
    """
    for start, end in cuts:
        text = text[:start] + text[end:]
    return text


def swap(text: str, swaps: Iterable[Swap]) -> str:
    """Apply replacements one after the other; the offsets of each refer to the result
    of the one before.
    """
    for start, end, instead in swaps:
        text = text[:start] + instead + text[end:]
    return text


def swaps_between(text: str, wanted: str) -> tuple[Swap, ...]:
    """Return the line-based replacements that turn `text` into `wanted`, last position
    first, without common edges.
    """
    from difflib import SequenceMatcher

    lines = text.splitlines(keepends=True)
    wanted_lines = wanted.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, lines, wanted_lines, autojunk=False)
    swaps = []
    for kind, left, right, first, last in matcher.get_opcodes():
        if kind != "equal":
            replacement = "".join(wanted_lines[first:last])
            swaps.append(_trimmed(text, starts[left], starts[right], replacement))
    return tuple(reversed(swaps))


def _trimmed(text: str, start: int, end: int, instead: str) -> Swap:
    while start < end and instead and text[start] == instead[0]:
        start += 1
        instead = instead[1:]
    while start < end and instead and text[end - 1] == instead[-1]:
        end -= 1
        instead = instead[:-1]
    return Swap(start, end, instead)
