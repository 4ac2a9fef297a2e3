"""Fuzzy search for cards, docs, source files and sections by parts of their names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.context.search.search_filters import Filters
from cuedeck.graph.anchors import section_name
from cuedeck.model.ports import Json

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.file import File
    from cuedeck.store.index import Index

MOST = 50


_Match = tuple[int, str, Json]
"""Negative score, address and result row."""


def find(
    workspace: Workspace,
    query: str,
    *,
    tags: tuple[str, ...] = (),
    priority: str = "",
    assignee: str = "",
) -> Json:
    """Return the matches of `query`, best first; each of its words must occur in title,
    path, alias or heading.

    `tags`, `priority` and `assignee` limit the result to files with these values. An
    empty query lists cards and docs.
    """
    workspace.refresh()
    words = query.casefold().split()
    filters = Filters(kinds=(), tags=tags, priority=priority, assignee=assignee)
    matches: list[_Match] = []
    for file in workspace.index.files():
        is_listed = bool(words) or file.kind in ("card", "doc")
        if is_listed and filters.matches_fields(file):
            matches += match_file(words, file, workspace.index)
    matches.sort(key=lambda match: match[:2])
    rows = [row for *_, row in matches[:MOST]]
    return {"query": query, "total": len(matches), "results": rows}


def match_file(words: Sequence[str], file: File, index: Index) -> Iterator[_Match]:
    """Yield the matches of folded words in a file and in its headings."""
    title = file.card.title if file.card else file.title
    names = " ".join((file.path, title, *file.aliases))
    row = {"address": file.path, "kind": file.kind, "title": title, "line": 1}
    score = _score(words, posixpath.basename(file.path), names)
    if score or not words:
        yield -score, file.path, row
        return
    for section in file.sections:
        score = _score(words, section.title, f"{file.path} {section.title}")
        if score:
            address = f"{file.path}#{section_name(section, index)}"
            found = {"address": address, "title": section.title, "line": section.start}
            yield 1 - score, f"{file.path}#{section.slug}", row | found


def _score(words: Sequence[str], name: str, text: str) -> int:
    """Return the score of a name, 0 if a word does not occur in `text`."""
    name = name.casefold()
    text = text.casefold()
    score = 1
    for word in words:
        if word not in text:
            return 0
        if name.startswith(word):
            score += 6
        elif word in name:
            score += 4
    return score
