"""Parsed output of a system: the files it names, the order of its headings, and the
lines it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.scenes.lines import canonical, weight

_WORD = re.compile(r"""[^\s"'`<>()|,;:*=\[\]{}#]+""")
_SHORTEST_PATH = 4
"""Minimum number of characters of a path."""
_OCCURRENCE = re.compile(r"[\s*`-]*([^\s`:]+):\d+:?`?[:\s]\s?(.*)$")
"""A line of a file with its place, `path:42: text`."""
_LITTLE_ELSE = 40
"""Maximum number of non-blank characters in a heading, without its path."""


class Outline(NamedTuple):
    """A parsed output."""

    named: frozenset[str]
    """Every file that the output names."""
    headed: Sequence[str]
    """Files with a heading: a line that names one path and little else. Order: of first
    appearance.
    """
    shown: dict[str, list[str]]
    """By file: the canonical lines that name it or follow its heading."""
    lines: Sequence[str]
    """All lines, canonical."""


class Paths:
    """The files of a tree, as found in running text."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._known = frozenset(paths)
        self._odd = [path for path in paths if not _WORD.fullmatch(path)]
        self._found: dict[str, str | None] = {}

    def within(self, line: str) -> list[str]:
        """Return the files that a line names. Order: as named; paths of several words
        come last.
        """
        if "." not in line and "/" not in line:
            return []
        return list(
            dict.fromkeys(
                [*self._words(line), *(path for path in self._odd if path in line)]
            )
        )

    def _words(self, line: str) -> Iterator[str]:
        for match in _WORD.finditer(line):
            word = match[0]
            if len(word) >= _SHORTEST_PATH:
                if word not in self._found:
                    self._found[word] = self._find(word)
                if found := self._found[word]:
                    yield found

    def _find(self, word: str) -> str | None:
        plain = word.rstrip(".")
        if plain.startswith("./") or not plain.startswith("."):
            plain = plain.lstrip("./")
        for whole in (plain, word):
            if whole in self._known:
                return whole
        # A path with something before it; a bare file name is never enough.
        steps = plain.split("/")
        tails = ("/".join(steps[at:]) for at in range(1, len(steps) - 1))
        return next((tail for tail in tails if tail in self._known), None)


def read_outline(text: str, paths: Paths) -> Outline:
    """Parse an output."""
    named: dict[str, None] = {}
    headed: dict[str, None] = {}
    shown: dict[str, list[str]] = {}
    lines = []
    current = ""
    for row in text.split("\n"):
        occurrence = _OCCURRENCE.match(row)
        places = paths.within(occurrence[1]) if occurrence else []
        if occurrence and places:
            lines.append(canonical(occurrence[2]))
            named[places[0]] = None
            shown.setdefault(places[0], []).append(lines[-1])
            continue
        line = canonical(row)
        lines.append(line)
        hits = paths.within(row)
        named.update(dict.fromkeys(hits))
        if (
            len(hits) == 1
            and weight(row.replace(hits[0], "", 1).strip()) <= _LITTLE_ELSE
        ):
            current = hits[0]
            headed[current] = None
        for path in dict.fromkeys([*hits, current] if current else hits):
            shown.setdefault(path, []).append(line)
    return Outline(frozenset(named), list(headed), shown, lines)
