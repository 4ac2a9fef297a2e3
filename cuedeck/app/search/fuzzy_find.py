"""Fuzzy search for cards, docs, source files and sections by parts of their names."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any

from cuedeck.app.cards.list_cards import same_person
from cuedeck.graph.anchors import section_name

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.file import File, Section

MOST = 50


def find(
    project: Workspace, query: str, *, tags: tuple[str, ...] = (), priority: str = "", assignee: str = ""
) -> dict[str, Any]:
    """Return the matches of `query`, best first; each of its words must occur in title, path, alias or heading.

    `tags`, `priority` and `assignee` limit the result to files with these values. An empty query lists cards and docs.
    """
    project.refresh()
    words = query.casefold().split()
    wanted = {tag.casefold() for tag in tags}
    found: list[tuple[int, str, File, Section | None]] = []
    for file in project.index.files():
        card = file.card
        if wanted and wanted.isdisjoint(tag.casefold() for tag in (card.tags if card else file.tags)):
            continue
        if priority and (not card or card.priority != priority):
            continue
        if assignee and (not card or not same_person(card.assignee, assignee)):
            continue
        if not words and file.kind not in ("card", "doc"):
            continue
        title = card.title if card else file.title
        score = _score(words, posixpath.basename(file.path), " ".join((file.path, title, *file.aliases)))
        if score:
            found.append((-score, file.path, file, None))
        elif words:
            for section in file.sections:
                score = _score(words, section.title, f"{file.path} {section.title}")
                if score:
                    found.append((-score + 1, f"{file.path}#{section.slug}", file, section))
    found.sort(key=lambda each: each[:2])
    rows = [_row(project, file, section) for _, _, file, section in found[:MOST]]
    return {"query": query, "total": len(found), "results": rows}


def _row(project: Workspace, file: File, section: Section | None) -> dict[str, Any]:
    """Return the result row of a file or of one of its sections."""
    if section is None:
        title = file.card.title if file.card else file.title
        return {"address": file.path, "kind": file.kind, "title": title, "line": 1}
    address = f"{file.path}#{section_name(section, project.index)}"
    return {"address": address, "kind": file.kind, "title": section.title, "line": section.start}


def _score(words: list[str], name: str, text: str) -> int:
    """Return the score of a name, 0 if a word does not occur in `text`.

    A word at the start of the name counts most, then a word elsewhere in the name.
    """
    name, text = name.casefold(), text.casefold()
    if not all(word in text for word in words):
        return 0
    return 1 + sum(3 if name.startswith(word) else 2 if word in name else 0 for word in words) * 2
