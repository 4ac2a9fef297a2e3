"""Positions of refs in a text: where a person wrote the target of each link.

The parsers of Markdown, YAML and code give the line of a link. Its target is searched
in this line and the next ones, in the order in which the links are written; one that is
spelled with escapes has no position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.model.file import File, Link
from cuedeck.parse.refs import path_target

DEPENDS_ON = "depends_on"
"""Form of the links that the spans of dependencies have."""
_MORE_LINES = 2
"""Lines after the first on which the target of a wrapped Markdown link may be."""
_BEFORE = {
    "markdown": r"\]\(\s*<?",
    "wiki": r"\[\[\s*",
    "mention": r"(?:@doc/|@ref\[\s*|[\s,])",
}
_AFTER = {
    "markdown": r"(?=[\s>)])",
    "wiki": r"(?=\s*(?:\\?\||\]))",
}
_PLAIN_BEFORE = r"(?<![\w/.#-])(?!refs\s*:)"
_PLAIN_AFTER = r"(?![\w/-])"
_DESTINATION = re.compile(r"\]\(\s*(?:<([^<>\n]*)>|([^\s()<>]+))")


class RefSpan(NamedTuple):
    """The written target of a link."""

    start: int
    """Offset in the text, in characters."""
    end: int
    link: Link


def find_ref_spans(text: str, file: File) -> Iterator[RefSpan]:
    """Yield the positions of the refs and dependencies of a file, in the order of its
    links. Newlines of the text are `\\n`.
    """
    starts = _line_starts(text)
    reached: dict[int, int] = {}
    links = [*file.links, *_dependencies(file, text)]
    for link in links:
        if not 0 < link.line < len(starts):
            continue
        begin = starts[link.line - 1]
        last = link.line
        if link.form == "markdown":
            last = min(last + _MORE_LINES, len(starts) - 1)
        begin = reached.get(link.line, begin)
        found = _find(text, link, begin, starts[last])
        if found is not None:
            reached[link.line] = found.end
            yield found


def _find(text: str, link: Link, begin: int, end: int) -> RefSpan | None:
    before = _BEFORE.get(link.form, _PLAIN_BEFORE)
    after = _AFTER.get(link.form, _PLAIN_AFTER)
    pattern = re.compile(f"(?:{before})({re.escape(link.ref)}){after}")
    match = pattern.search(text, begin, end)
    if match is not None:
        return RefSpan(*match.span(1), link)
    if link.form == "markdown":
        for escaped in _DESTINATION.finditer(text, begin, end):
            group = 1 if escaped[1] is not None else 2
            if path_target(escaped[group]) == link.ref:
                return RefSpan(*escaped.span(group), link)
    return None


def _dependencies(file: File, text: str) -> Iterator[Link]:
    """Yield the dependencies of a card as links with the line of each."""
    if file.card is None:
        return
    names = list(file.card.depends_on)
    is_below = False
    rows = text.split("\n", file.body)
    for line, row in enumerate(rows[: file.body], 1):
        if row.startswith(DEPENDS_ON):
            is_below = True
        if not is_below:
            continue
        for name in tuple(names):
            pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
            if re.search(pattern, row):
                names.remove(name)
                yield Link(name, line, DEPENDS_ON, view="", pin=False)


def _line_starts(text: str) -> list[int]:
    """Return the offset of each line, and the end of the text."""
    starts = [0]
    starts += [each.end() for each in re.finditer("\n", text)]
    return [*starts, len(text)]
