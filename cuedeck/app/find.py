"""Find a card, doc, source file or section by a few letters of its name."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any

from cuedeck.app.card_list import same_person

if TYPE_CHECKING:
    from cuedeck.app.project import Project

MOST = 50


def find(
    project: Project, query: str, *, tags: tuple[str, ...] = (), priority: str = "", assignee: str = ""
) -> dict[str, Any]:
    """Return what fits `query`, best first; every word of it must be found in title, path, alias or heading.

    With `tags`, `priority` or `assignee` only cards and docs that carry them.
    """
    project.refresh()
    words = query.casefold().split()
    wanted = {tag.casefold() for tag in tags}
    found: list[tuple[int, str, str, str, int]] = []
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
            found.append((-score, file.path, file.kind, title, 1))
        elif words:
            for section in file.sections:
                score = _score(words, section.title, f"{file.path} {section.title}")
                if score:
                    found.append((-score + 1, f"{file.path}#{section.slug}", file.kind, section.title, section.start))
    found.sort()
    rows = [
        {"address": _sayable(project, address, title, line), "kind": kind, "title": title, "line": line}
        for _, address, kind, title, line in found[:MOST]
    ]
    return {"query": query, "total": len(found), "results": rows}


def _sayable(project: Project, address: str, title: str, line: int) -> str:
    """Return an address with its line for an anchor that is made of a secret: in lower case no mask knows it again."""
    if not project.find_secrets(title) or project.index.file(address) is not None:
        return address
    return f"{address.rpartition('#')[0]}#L{line}"


def _score(words: list[str], name: str, text: str) -> int:
    """Rate a name: each word must occur; a hit at the start of the name counts most."""
    name, text = name.casefold(), text.casefold()
    if not all(word in text for word in words):
        return 0
    return 1 + sum(3 if name.startswith(word) else 2 if word in name else 0 for word in words) * 2
