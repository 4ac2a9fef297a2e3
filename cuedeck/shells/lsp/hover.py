"""Hover texts: what a ref leads to, and decisions and attempts about a place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.layers.read_layer import read_with_layer
from cuedeck.model.errors import CueDeckError
from cuedeck.model.ports import Json
from cuedeck.parse.fence import escaped, fence, language_of, named
from cuedeck.shells.lsp.navigation import place_at
from cuedeck.work.decisions.failed_attempts import list_attempts
from cuedeck.work.decisions.list_decisions import list_decisions

if TYPE_CHECKING:
    from cuedeck.model.scene_values import Target
    from cuedeck.shells.lsp.view import View

_MOST_LINES = 12
"""Lines of the text that a hover shows."""
_LONGEST = 300
"""Characters of a line of a ledger."""
_LONGEST_ABSTRACT = 600


def hover(view: View, params: Any) -> Json | None:
    """Return a description of the ref at a position, and the decisions and attempts
    about it or about the heading or definition there.
    """
    offset = view.offset(params.position)
    target = view.target_at(offset)
    parts = [describe(view, target)] if target is not None else []
    place = place_at(view, offset)
    for each in entries_about(view, place.address) if place is not None else ():
        mark = f" ({each['mark']})" if each["mark"] != "fresh" else ""
        line = escaped(each["line"], _LONGEST)
        parts.append(f"**{each['kind']} {each['id']}**{mark}: {line}")
    if not parts:
        return None
    return {"contents": markdown("\n\n".join(parts))}


def markdown(text: str) -> Json:
    """Return a text as content of the protocol."""
    return {
        "kind": "markdown",
        "value": text,
    }


def describe(view: View, target: Target) -> str:
    """Return the name, status, tokens, abstract and first lines of a target as
    Markdown.
    """
    try:
        abstract = read_with_layer(view.workspace, target.address, "L0")
        whole = read_with_layer(view.workspace, target.address, "L2")
    except CueDeckError as error:
        return escaped(error.message, _LONGEST)
    facts = [named(target.address), target.kind]
    file = view.index.file(target.path)
    if file is not None and file.card is not None and target.whole:
        facts = [f"**{escaped(file.title, _LONGEST)}**", *facts, file.card.status]
    facts.append(f"{whole['tokens']:,} tokens")
    words = abstract["text"].removeprefix(target.address).split()
    rows = whole["text"].split("\n")
    if len(rows) > _MOST_LINES:
        rows[_MOST_LINES:] = ["…"]
    text = "\n".join(rows)
    parts = [" · ".join(facts), escaped(" ".join(words), _LONGEST_ABSTRACT)]
    if text.strip():
        parts.append(fence(text, language_of(target.path)))
    return "\n\n".join(parts)


def entries_about(view: View, address: str) -> Iterator[Json]:
    """Yield the decisions in force and failed attempts about an address, with their
    freshness.
    """
    decisions = list_decisions(view.workspace, affects=address)["decisions"]
    for each in decisions:
        yield {
            **each,
            "kind": "decision",
            "places": each["affects"],
        }
    for each in list_attempts(view.workspace, address)["attempts"]:
        yield {
            **each,
            "kind": "attempt",
            "places": each["on"],
        }
