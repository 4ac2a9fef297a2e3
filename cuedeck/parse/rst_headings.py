"""Headings of reStructuredText and AsciiDoc documents.

Source: the specifications of both. Indented text and text in code blocks is never a heading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from cuedeck.model.file import Section
from cuedeck.parse.sections import Heading, nest_sections

_LINE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*")
_MARKUP = re.compile(
    r":[\w:+.-]+:`~?([^`<]+?)(?: *<[^`>]*>)?`"  # a role: its display text
    r"|`([^`<]+?) *<[^`>]*>`__?|``([^`]+)``|`([^`]+)`_*|\*+([^*]+)\*+"
)
_EQUALS = re.compile(r"(={1,6})[ \t]+(\S[^\n]*)")
_FENCE = re.compile(r"(?:-{4,}|\.{4,}|`{3,}|/{4,}|\+{4,})[ \t]*")
_LONGEST = 200
"""Maximum length of a heading in characters."""


def read_sections(path: str, text: str) -> tuple[Section, ...]:
    """Return the sections of a document; the suffix of `path` selects the markup, an unknown suffix gives none."""
    read = _READERS.get(path[path.rfind(".") :].lower())
    if read is None:
        return ()
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return nest_sections(read(lines), len(lines))


def _restructured(lines: Sequence[str]) -> Iterator[Heading]:
    """Yield the headings of reStructuredText: a title underlined with punctuation, optionally overlined.

    The first use of an adornment style assigns the next level to it.
    """
    kinds: dict[tuple[str, bool], int] = {}
    at = 0
    while at + 1 < len(lines):
        over = _LINE.fullmatch(lines[at])
        title = lines[at + 1] if over else lines[at]
        below = lines[at + 2] if over and at + 2 < len(lines) else lines[at + 1]
        under = _LINE.fullmatch(below)
        begins = at == 0 or not lines[at - 1].strip() or lines[at - 1].startswith("..")
        if under is None or not begins or (over and over[1] != under[1]) or not _is_title(title, below, bool(over)):
            at += 1
            continue
        level = kinds.setdefault((under[1], over is not None), len(kinds) + 1)
        words = " ".join(_MARKUP.sub(lambda match: next(filter(None, match.groups())), title).split())
        yield Heading(level, at + 1, words, words, False)
        at += 3 if over else 2


def _is_title(title: str, below: str, overlined: bool) -> bool:
    text = title.strip()
    long_enough = len(below.rstrip()) >= min(len(text), 4)
    plain = text and len(text) <= _LONGEST and _LINE.fullmatch(title) is None
    return bool(plain and long_enough and (overlined or not title[0].isspace()))


def _ascii(lines: Sequence[str]) -> Iterator[Heading]:
    """Yield the headings of AsciiDoc: a title after one to six `=`."""
    fence = ""
    for number, line in enumerate(lines, 1):
        if _FENCE.fullmatch(line):
            fence = "" if line.rstrip() == fence else fence or line.rstrip()
        elif not fence and len(line) <= _LONGEST and (found := _EQUALS.fullmatch(line)):
            words = " ".join(found[2].split())
            yield Heading(len(found[1]), number, words, words, False)


_READERS: Mapping[str, Callable[[Sequence[str]], Iterator[Heading]]] = {
    ".rst": _restructured,
    ".rest": _restructured,
    ".adoc": _ascii,
    ".asciidoc": _ascii,
}
