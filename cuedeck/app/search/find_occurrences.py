"""Lines of the workspace that contain an identifier in any of its spellings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.parse.identifiers import (
    files_with,
    find_lines,
    last_step,
    split_identifier,
)
from cuedeck.scene.occurrences_section import LONGEST_ROW, line_text

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.scene.mask import Mask


def find_occurrences(
    workspace: Workspace,
    query: str,
    points: Mapping[str, int],
    keep: Callable[[Sequence[str]], Sequence[str]],
) -> list[tuple[str, int]]:
    """Return the path and line of each occurrence of the identifier in a query; none if
    it is not an identifier.

    `points` order the files; `keep` filters them.
    """
    parts = split_identifier(identifier_of(query))
    if not parts:
        return []
    corpus = workspace.corpus
    searched = (*files_with(corpus.postings, parts), *corpus.unranked())
    paths = list(keep(list(dict.fromkeys(searched))))
    paths.sort(key=lambda path: (-points.get(path, 0), path))
    found = []
    for path in paths:
        text = workspace.texts.text(path)
        found += [(path, line) for line in find_lines(text, parts)]
    return found


def identifier_of(query: str) -> str:
    """Return the identifier that a query consists of, for example `push` of
    `AppContext.push()`; else empty.
    """
    name = query.strip().strip("`'\"")
    if "/" in name or any(character.isspace() for character in name):
        return ""
    return last_step(name)


def rows_of(
    lines: Sequence[tuple[str, int]], query: str, mask: Mask
) -> list[dict[str, Any]]:
    """Return occurrences with their masked texts."""
    parts = split_identifier(identifier_of(query))
    return [
        {
            "path": path,
            "line": line,
            "text": line_text(path, line, parts, LONGEST_ROW, mask),
        }
        for path, line in lines
    ]
