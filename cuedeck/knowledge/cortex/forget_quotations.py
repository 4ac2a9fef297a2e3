"""Deletion of forgotten statements from the memory cards that quote them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.knowledge.cortex.change_cards import read_card
from cuedeck.knowledge.cortex.forget_memory import forget_memory
from cuedeck.knowledge.cortex.memory_card import (
    STATEMENT,
    MemoryCard,
    Statement,
    format_card,
)
from cuedeck.knowledge.layers.build_layers import build_layers
from cuedeck.ledger.statements.statement_files import StatementFiles
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.store.cortex.cortex_tree import CortexTree

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


def forget_quotations(workspace: Workspace) -> list[str]:
    """Remove forgotten statements from memory cards; a card without others is deleted,
    and so is the text in layers and in the index of recall. Return the addresses of the
    changed cards. Raises: Locked, StorageError.
    """
    forgotten = StatementFiles(workspace.paths).forgotten()
    tree = CortexTree(workspace.paths)
    changed = []
    for place, card in list(_cards(tree)):
        every = (card.current, *card.superseded)
        rest = [left for each in every if (left := _without(each, forgotten))]
        if rest == list(every):
            continue
        changed.append(place.text)
        forget_memory(workspace, place.text)
        if rest:
            current, *superseded = rest
            kept = replace(card, current=current, superseded=tuple(superseded))
            with tree.writing() as writer:
                writer.create(place, format_card(kept).encode())
            build_layers(workspace)
    return changed


def forget_messages(
    workspace: Workspace, is_concerned: Callable[[str], bool], *, dry_run: bool = False
) -> list[str]:
    """Delete the messages in timelines whose text is concerned; return their paths.
    Raises: Locked, StorageError.
    """
    tree = CortexTree(workspace.paths)
    found = []
    for folder, entries in tree.walk(CortexAddress(("session",))):
        assert folder is not None
        for entry in entries:
            place = folder.child(entry.name)
            if entry.is_folder or not entry.name.endswith(".md"):
                continue
            if is_concerned(tree.read(place).decode("utf-8", "replace")):
                found.append(place)
    for place in found:
        if not dry_run:
            forget_memory(workspace, place.text)
    return [place.path for place in found]


def _cards(tree: CortexTree) -> Iterator[tuple[CortexAddress, MemoryCard]]:
    for dimension in ("user", "agent"):
        for folder, entries in tree.walk(CortexAddress((dimension,))):
            assert folder is not None
            for entry in entries:
                place = folder.child(entry.name)
                try:
                    card = None if entry.is_folder else read_card(tree, place)
                except ValueError:
                    continue
                if card is not None:
                    yield place, card


def _without(statement: Statement, forgotten: frozenset[str]) -> Statement | None:
    """Return a statement without its forgotten sources; None if no other is left."""
    sources = tuple(
        each
        for each in statement.sources
        if each.removeprefix(STATEMENT) not in forgotten
    )
    if statement.sources and not sources:
        return None
    return statement._replace(sources=sources)
