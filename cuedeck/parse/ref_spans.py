"""Positions of refs in a text: where a person wrote the target of each link.

The parsers of Markdown, YAML and code give the line of a link. Its target is searched
in this line and the next ones, in the order in which the links are written; one that is
spelled with escapes has no position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
_DEFINITION = re.compile(
    r"(?<![^\r\n])[ \t>]*\[(?!\^)([^\[\]]+)\]:\s*(?:<([^<>\r\n]*)>|([^\s<>]+))"
)
_USE = re.compile(r"!?\[([^\[\]]+)\](?:\[([^\[\]]*)\])?(?![(:])")
"""A link with the text and the label of a definition, or with one that is both."""


class RefSpan(NamedTuple):
    """The written target of a link."""

    start: int
    """Offset in the text, in characters."""
    end: int
    link: Link
    label: tuple[int, int]
    """Offsets of the label if the target is in a definition, else those of the
    target.
    """

    def touches(self, start: int, end: int) -> bool:
        """Return whether the target or its label touches a range."""
        is_in_label = self.label[0] <= end and start <= self.label[1]
        return is_in_label or (self.start <= end and start <= self.end)


def find_ref_spans(text: str, starts: Sequence[int], file: File) -> Iterator[RefSpan]:
    """Yield the positions of the refs and dependencies of a file, in the order of its
    links. `starts` are the offsets of the lines of the text.
    """
    starts = [*starts, len(text)]
    reached: dict[int, int] = {}
    definitions: dict[tuple[str, str], tuple[int, int]] = {}
    if "]:" in text:
        for match in _DEFINITION.finditer(text):
            group = match.lastindex or 0
            key = _label_key(match[1]), path_target(match[group])
            definitions.setdefault(key, match.span(group))
    links = [*file.links, *_dependencies(file, text, starts)]
    for link in links:
        if not 0 < link.line < len(starts):
            continue
        begin = reached.get(link.line, starts[link.line - 1])
        last = link.line
        if link.form == "markdown":
            last = min(last + _MORE_LINES, len(starts) - 1)
        end = starts[last]
        found = _find(text, link, begin, end)
        if definitions and link.form == "markdown":
            end = found[0] if found else end
            used = _find_use(text, link, begin, end, definitions)
            found = used or found
        if found is not None:
            reached[link.line] = found.label[1]
            yield found


def _find(text: str, link: Link, begin: int, end: int) -> RefSpan | None:
    before = _BEFORE.get(link.form, _PLAIN_BEFORE)
    after = _AFTER.get(link.form, _PLAIN_AFTER)
    pattern = re.compile(f"(?:{before})({re.escape(link.ref)}){after}")
    match = pattern.search(text, begin, end)
    if match is not None:
        return RefSpan(*match.span(1), link, match.span(1))
    if link.form == "markdown":
        for escaped in _DESTINATION.finditer(text, begin, end):
            place = escaped.span(escaped.lastindex or 0)
            if path_target(text[slice(*place)]) == link.ref:
                return RefSpan(*place, link, place)
    return None


def _find_use(
    text: str,
    link: Link,
    begin: int,
    end: int,
    definitions: Mapping[tuple[str, str], tuple[int, int]],
) -> RefSpan | None:
    """Return the position of a reference-style link, whose target is in a
    definition.
    """
    for match in _USE.finditer(text, begin, end):
        group = 2 if match[2] else 1
        found = definitions.get((_label_key(match[group]), link.ref))
        if found is not None and match[0][0] == "[":
            return RefSpan(*found, link, match.span(group))
    return None


def _label_key(label: str) -> str:
    return " ".join(label.split()).casefold()


def _dependencies(file: File, text: str, starts: Sequence[int]) -> Iterator[Link]:
    """Yield the dependencies of a card as links with the line of each."""
    if file.card is None:
        return
    names = list(file.card.depends_on)
    is_below = False
    for line in range(1, min(file.body + 1, len(starts))):
        row = text[starts[line - 1] : starts[line]]
        if row.startswith(DEPENDS_ON):
            is_below = True
        if not is_below:
            continue
        for name in tuple(names):
            pattern = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
            if re.search(pattern, row):
                names.remove(name)
                yield Link(name, line, DEPENDS_ON, view="", pin=False)
