"""Fuzzy search for cards, docs, source files and sections by parts of their names."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence, Set
from typing import TYPE_CHECKING, Any

from cuedeck.app.cards.list_cards import same_person
from cuedeck.graph.anchors import section_name

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.file import File, Section

MOST = 50


_Match = tuple[int, str, "File", "Section | None"]
"""Negative score, address, file, and the section if one matches."""


def find(
    workspace: Workspace, query: str, *, tags: tuple[str, ...] = (), priority: str = "", assignee: str = ""
) -> dict[str, Any]:
    """Return the matches of `query`, best first; each of its words must occur in title, path, alias or heading.

    `tags`, `priority` and `assignee` limit the result to files with these values. An empty query lists cards and docs.
    """
    workspace.refresh()
    words = query.casefold().split()
    wanted = {tag.casefold() for tag in tags}
    found: list[_Match] = []
    for file in workspace.index.files():
        is_listed = bool(words) or file.kind in ("card", "doc")
        if is_listed and _has_values(file, wanted, priority, assignee):
            found += _matches(words, file)
    found.sort(key=lambda each: each[:2])
    rows = [_row(workspace, file, section) for _, _, file, section in found[:MOST]]
    return {"query": query, "total": len(found), "results": rows}


def _has_values(file: File, tags: Set[str], priority: str, assignee: str) -> bool:
    """Return whether a file has one of the tags (in lower case), the priority and the assignee, as far as given."""
    card = file.card
    if tags and tags.isdisjoint(tag.casefold() for tag in (card.tags if card else file.tags)):
        return False
    if priority and (card is None or card.priority != priority):
        return False
    return not assignee or (card is not None and same_person(card.assignee, assignee))


def _matches(words: Sequence[str], file: File) -> Iterator[_Match]:
    """Yield the match of a file, else those of its sections."""
    title = file.card.title if file.card else file.title
    score = _score(words, posixpath.basename(file.path), " ".join((file.path, title, *file.aliases)))
    if score:
        yield -score, file.path, file, None
        return
    for section in file.sections if words else ():
        score = _score(words, section.title, f"{file.path} {section.title}")
        if score:
            yield -score + 1, f"{file.path}#{section.slug}", file, section


def _row(workspace: Workspace, file: File, section: Section | None) -> dict[str, Any]:
    """Return the result row of a file or of one of its sections."""
    if section is None:
        title = file.card.title if file.card else file.title
        return {"address": file.path, "kind": file.kind, "title": title, "line": 1}
    address = f"{file.path}#{section_name(section, workspace.index)}"
    return {"address": address, "kind": file.kind, "title": section.title, "line": section.start}


def _score(words: Sequence[str], name: str, text: str) -> int:
    """Return the score of a name, 0 if a word does not occur in `text`.

    A word at the start of the name counts most, then a word elsewhere in the name.
    """
    name, text = name.casefold(), text.casefold()
    if not all(word in text for word in words):
        return 0
    return 1 + sum(3 if name.startswith(word) else 2 if word in name else 0 for word in words) * 2
