"""Headings of reStructuredText and AsciiDoc documents.

Source: the specifications of both. Indented text and text in code blocks is never a
heading.
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
