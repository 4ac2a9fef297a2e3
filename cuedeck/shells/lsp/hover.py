"""Hover texts: what a ref leads to, and decisions and attempts about a place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.layers.read_layer import read_with_layer
from cuedeck.model.address import overlaps, split_anchor
from cuedeck.model.errors import CueDeckError
from cuedeck.model.ports import Json
from cuedeck.parse.fence import escaped, fence, language_of, named
from cuedeck.shells.lsp.navigation import place_at, symbol_at, target_at
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
    """Return a description of the ref, heading or definition at a position."""
    offset = view.offset(params.position)
    target = target_at(view, offset)
    parts = [describe(view, target)] if target is not None else []
    if target is None and symbol_at(view, offset) is None:
        return None
    place = target or place_at(view, offset)
    if place is not None:
        parts += entry_lines(entries_about(view, place.address))
    text = "\n\n".join(filter(None, parts))
    return (
        {
            "contents": {
                "kind": "markdown",
                "value": text,
            }
        }
        if text
        else None
    )


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
    text = "\n".join(rows[:_MOST_LINES])
    if len(rows) > _MOST_LINES:
        text = f"{text}\n…"
    parts = [" · ".join(facts)]
    parts.append(escaped(" ".join(words), _LONGEST_ABSTRACT))
    if text.strip():
        parts.append(fence(text, language_of(target.path)))
    return "\n\n".join(parts)


def entries_about(view: View, address: str) -> list[Json]:
    """Return the decisions in force and failed attempts about an address, with their
    freshness.
    """
    path, _ = split_anchor(address)
    found = []
    rows = list_decisions(view.workspace, affects=path)
    for each in rows["decisions"]:
        found.append(
            {
                **each,
                "kind": "decision",
                "places": each["affects"],
            }
        )
    rows = list_attempts(view.workspace, path)
    for each in rows["attempts"]:
        found.append(
            {
                **each,
                "kind": "attempt",
                "places": each["on"],
            }
        )
    about = []
    for each in found:
        if any(overlaps(place, address) for place in each["places"]):
            about.append(each)
    return about


def entry_lines(entries: Sequence[Json]) -> list[str]:
    """Return one line of Markdown for each entry."""
    lines = []
    for each in entries:
        title = f"**{each['kind']} {each['id']}**"
        if each["mark"] != "fresh":
            title += f" ({each['mark']})"
        lines.append(f"{title}: {escaped(each['line'], _LONGEST)}")
    return lines
