"""Sections of a document, built from its headings in any markup language, the GitHub
slugs of headings, and the headings of reStructuredText and AsciiDoc.

Source: the specifications of both. Indented text and text in code blocks is never a
heading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from unicodedata import category

from cuedeck.model.file import Section

_DROPPED = re.compile(r"[^\w\- ]", re.ASCII)
# Unicode categories that GitHub keeps in addition to letters and marks: numbers, and
# connectors such as `_`.
_KEPT = ("Nd", "Nl", "Pc")


def slugify(title: str) -> str:
    """Return the slug of a heading text, without a number for uniqueness.

    Example: slugify("Error Handling & Übung") == "error-handling--übung"
    """
    text = title.strip().lower()
    if text.isascii():
        return _DROPPED.sub("", text).replace(" ", "-")
    return text.translate(_SLUG)


class Slugger:
    """Generator of unique slugs for the headings of one document: `a`, `a-1`, `a-2`."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def slug(self, title: str) -> str:
        """Return the slug of the next heading.

        Example: the headings `A`, `A`, `A-1` give `a`, `a-1`, `a-1-1`.
        """
        base = slug = slugify(title)
        while slug in self._seen:
            self._seen[base] += 1
            slug = f"{base}-{self._seen[base]}"
        self._seen[slug] = 0
        return slug


class _SlugTable(dict[int, str]):
    """Table for `str.translate`, filled with the characters that occur."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kind = category(char)
        if char == " ":
            char = "-"
        elif char not in "-_" and kind[0] not in "LM" and kind not in _KEPT:
            char = ""
        self[code] = char
        return char


_SLUG = _SlugTable()


class Heading(NamedTuple):
    """A heading and its position."""

    level: int
    line: int
    title: str
    """The heading text without markup."""
    slugged: str
    """The text from which the slug is computed."""
    nested: bool
    """Whether the heading is inside a quote or a list, where it does not open a
    section.
    """


def nest_sections(headings: Iterable[Heading], last: int) -> tuple[Section, ...]:
    """Return the sections in order; `last` is the number of the last line of the
    text.
    """
    slugger = Slugger()
    found: list[tuple[str, str, int, int]] = []
    ends: list[int] = []
    parents: list[int] = []
    open_: list[int] = []
    for heading in headings:
        # GitHub numbers the anchors of nested headings too, although they do not open a
        # section.
        slug = slugger.slug(heading.slugged)
        if heading.nested:
            continue
        while open_ and found[open_[-1]][2] >= heading.level:
            ends[open_.pop()] = heading.line - 1
        parents.append(open_[-1] if open_ else -1)
        open_.append(len(found))
        found.append((heading.title, slug, heading.level, heading.line))
        ends.append(last)
    return tuple(
        Section(*each, end, parent)
        for each, end, parent in zip(found, ends, parents, strict=True)
    )


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
    """Return the sections of a document; the suffix of `path` selects the markup, an
    unknown suffix gives none.
    """
    read = _READERS.get(path[path.rfind(".") :].lower())
    if read is None:
        return ()
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return nest_sections(read(lines), len(lines))


def _restructured(lines: Sequence[str]) -> Iterator[Heading]:
    """Yield the headings of reStructuredText: a title underlined with punctuation,
    optionally overlined.

    The first use of an adornment style assigns the next level to it.
    """
    levels: dict[str, int] = {}
    at = 0
    while at + 1 < len(lines):
        overline = _LINE.fullmatch(lines[at])
        size = 3 if overline and at + 2 < len(lines) else 2
        title = lines[at + 1] if overline else lines[at]
        underline = lines[at + size - 1]
        style = _style(title, underline, overline)
        if not style or not _begins_block(lines, at):
            at += 1
            continue
        level = levels.setdefault(style, len(levels) + 1)
        words = " ".join(_MARKUP.sub(_display_text, title).split())
        yield Heading(
            level=level, line=at + 1, title=words, slugged=words, nested=False
        )
        at += 3 if overline else 2


def _begins_block(lines: Sequence[str], at: int) -> bool:
    if at == 0:
        return True
    before = lines[at - 1]
    return not before.strip() or before.startswith("..")


def _style(title: str, underline: str, overline: re.Match[str] | None) -> str:
    """Return the adornment of a title: its character, twice if it is also overlined;
    empty if it is not a title.
    """
    under = _LINE.fullmatch(underline)
    text = title.strip()
    if under is None or not text or len(text) > _LONGEST or _LINE.fullmatch(title):
        return ""
    if len(underline.rstrip()) < min(len(text), 4):
        return ""
    if overline is None:
        if title[0].isspace():
            return ""
        return under[1]
    if overline[1] != under[1]:
        return ""
    return under[1] * 2


def _display_text(markup: re.Match[str]) -> str:
    text: str = next(filter(None, markup.groups()))
    return text


def _ascii(lines: Sequence[str]) -> Iterator[Heading]:
    fence = ""
    for number, line in enumerate(lines, 1):
        if _FENCE.fullmatch(line):
            mark = line.rstrip()
            if not fence:
                fence = mark
            elif fence == mark:
                fence = ""
            continue
        heading = None
        if len(line) <= _LONGEST:
            heading = _EQUALS.fullmatch(line)
        if heading and not fence:
            words = " ".join(heading[2].split())
            yield Heading(
                level=len(heading[1]),
                line=number,
                title=words,
                slugged=words,
                nested=False,
            )


_READERS: Mapping[str, Callable[[Sequence[str]], Iterator[Heading]]] = {
    ".rst": _restructured,
    ".rest": _restructured,
    ".adoc": _ascii,
    ".asciidoc": _ascii,
}
