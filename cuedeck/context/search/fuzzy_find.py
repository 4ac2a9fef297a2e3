"""Fuzzy search for cards, docs, source files and sections by parts of their names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.context.search.search_filters import Filters
from cuedeck.graph.anchors import section_name

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.file import File, Section
    from cuedeck.store.index import Index

MOST = 50


_Match = tuple[int, str, "File", "Section | None"]
"""Negative score, address, file, and the section if one matches."""


def find(
    workspace: Workspace,
    query: str,
    *,
    tags: tuple[str, ...] = (),
    priority: str = "",
    assignee: str = "",
) -> dict[str, Any]:
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
            matches += _match_file(words, file)
    matches.sort(key=lambda match: match[:2])
    rows = []
    for _, _, file, section in matches[:MOST]:
        rows.append(_row(file, section, workspace.index))
    return {"query": query, "total": len(matches), "results": rows}


def _match_file(words: Sequence[str], file: File) -> Iterator[_Match]:
    names = " ".join((file.path, _title(file), *file.aliases))
    score = _score(words, posixpath.basename(file.path), names)
    if score:
        yield -score, file.path, file, None
        return
    if not words:
        return
    for section in file.sections:
        score = _score(words, section.title, f"{file.path} {section.title}")
        if score:
            yield 1 - score, f"{file.path}#{section.slug}", file, section


def _row(file: File, section: Section | None, index: Index) -> dict[str, Any]:
    """Return the result row of a file or of one of its sections."""
    if section is None:
        return {
            "address": file.path,
            "kind": file.kind,
            "title": _title(file),
            "line": 1,
        }
    address = f"{file.path}#{section_name(section, index)}"
    return {
        "address": address,
        "kind": file.kind,
        "title": section.title,
        "line": section.start,
    }


def _title(file: File) -> str:
    if file.card:
        return file.card.title
    return file.title


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
