"""Files of hosts as text, and edits of them that can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cuedeck.parse.text_offsets import NEWLINE


class Insertion(NamedTuple):
    """A text and the place before which it comes."""

    at: int
    text: str


class Cut(NamedTuple):
    """A span that goes."""

    start: int
    end: int


class Swap(NamedTuple):
    """A span and what comes in its place."""

    start: int
    end: int
    text: str = ""


def newline_of(text: str) -> str:
    """Return the first newline of a text, by default `\\n`."""
    found = NEWLINE.search(text)
    return found.group() if found else "\n"


def insert(text: str, insertions: Iterable[Insertion]) -> tuple[str, tuple[Cut, ...]]:
    """Make the insertions; return the new text, and the cuts of it that undo them, from the end on."""
    cuts = []
    shift = 0
    for at, added in sorted(insertions):
        at += shift
        text = text[:at] + added + text[at:]
        cuts.append(Cut(at, at + len(added)))
        shift += len(added)
    return text, tuple(reversed(cuts))


def cut(text: str, cuts: Sequence[Cut]) -> str:
    """Make the cuts one after the other, each in what the one before has left."""
    for start, end in cuts:
        text = text[:start] + text[end:]
    return text


def swap(text: str, swaps: Iterable[Swap]) -> str:
    """Make the swaps one after the other, each in what the one before has left."""
    for start, end, instead in swaps:
        text = text[:start] + instead + text[end:]
    return text


def swaps_between(text: str, wanted: str) -> tuple[Swap, ...]:
    """Return swaps that make one text of another, from the end on; they hold no text that both have on a line."""
    from difflib import SequenceMatcher

    old, new = text.splitlines(keepends=True), wanted.splitlines(keepends=True)
    starts, news = _starts(old), _starts(new)
    found = []
    for kind, left, right, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            found.append(_trimmed(text, starts[left], starts[right], wanted[news[first] : news[last]]))
    return tuple(reversed(found))


def _starts(lines: Sequence[str]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts


def _trimmed(text: str, start: int, end: int, instead: str) -> Swap:
    """Return a swap without what begins and ends both sides alike."""
    while start < end and instead and text[start] == instead[0]:
        start, instead = start + 1, instead[1:]
    while start < end and instead and text[end - 1] == instead[-1]:
        end, instead = end - 1, instead[:-1]
    return Swap(start, end, instead)
