"""Deletion of memories, messages and sessions of the cortex tree by address.

A deleted text must not remain in a summary of it: the layers of the file and of the
folders above it are deleted, too, and the layers of the folders are built again. The
index of recall forgets the text at once. A memory quotes messages, and a message may be
quoted by memories; these are separate files, so the answer lists them and they stay.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.cortex.change_cards import read_card
from cuedeck.knowledge.cortex.cortex_sessions import read_metadata, write_metadata
from cuedeck.knowledge.cortex.memory_card import (
    STATEMENT,
    Statement,
    format_card,
    parse_card,
)
from cuedeck.knowledge.layers.build_layers import build_layers
from cuedeck.knowledge.layers.layer_file import LEVELS, parse_layer_file
from cuedeck.knowledge.recall.sync_index import with_index
from cuedeck.ledger.statement_files import StatementFiles
from cuedeck.model.cortex_address import CortexAddress, parse_cortex_address
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter, day_addresses
from cuedeck.store.cortex.layer_store import layer_name, read_layer_data

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_SESSION_PARTS = 2
"""Number of parts of the address of a session."""


def forget_memory(
    workspace: Workspace, text: str, *, dry_run: bool = False
) -> dict[str, Any]:
    """Delete a file or a folder of the tree with its layers; return the deleted paths.

    Layers that were edited or written by another program stay and are listed. With
    `dry_run` nothing is deleted. A top folder, such as `cortex://user`, is never
    deleted. Raises: CortexAddressError, NotFound, Invalid, Locked, StorageError,
    ConfigurationError.
    """
    address = parse_cortex_address(text)
    if address.parent is None:
        raise Invalid(
            f"{address.text} is a top folder of the cortex tree and is never deleted",
            hint="give the address of one user, agent, session, memory or message",
        )
    tree = CortexTree(workspace.paths)
    with tree.writing() as writer:
        kind = tree.kind_of(address)
        if not kind:
            raise NotFound(
                f"{address.text} does not exist", hint="check the names in the address"
            )
        made, kept = _layers(tree, address)
        files = [address.path]
        if kind == "folder":
            files = [place.path for place in tree.files(address)]
        sources = _sources(tree, address)
        quoted_by = _quoting_cards(tree, address)
        if not dry_run:
            for folder, name in made:
                writer.write_layers(folder, {name: None})
            _forget_in_metadata(tree, writer, address)
            writer.remove(address)
    if not dry_run:
        if os.path.exists(workspace.paths.recall_index):
            workspace.refresh()
            with_index(workspace, lambda index, notes: None)
        build_layers(workspace)
    above = [layer for layer in made if "/" not in layer[1]]
    rebuilt = [
        layer for layer in above if dry_run or tree.read_reserved(*layer) is not None
    ]
    return {
        "address": address.text,
        "kind": kind,
        "files": files,
        "layers": _paths(made),
        "rebuilt": _paths(rebuilt),
        "kept": _paths(kept),
        "sources": sources,
        "quoted_by": quoted_by,
        "dry_run": dry_run,
    }


def _paths(layers: list[tuple[CortexAddress, str]]) -> list[str]:
    return [f"{folder.path}/{name}" for folder, name in layers]


def _layers(
    tree: CortexTree, address: CortexAddress
) -> tuple[list[tuple[CortexAddress, str]], list[tuple[CortexAddress, str]]]:
    """Return folder and name of the existing layers that may contain text from an
    address: those of the file, and those of the folders above it.

    The first list has the layers that CueDeck made, the second those that were edited
    or written by another program.
    """
    made: list[tuple[CortexAddress, str]] = []
    kept: list[tuple[CortexAddress, str]] = []
    folder, name = address.parent, address.name
    while folder is not None:
        for level in LEVELS:
            data = read_layer_data(tree, folder, name, level)
            layer = parse_layer_file(data)
            is_made = layer is not None and not layer.is_edited
            if data:
                place = folder, layer_name(name, level)
                (made if is_made else kept).append(place)
        if name:
            name = ""
        else:
            folder = folder.parent
    return made, kept


def _forget_in_metadata(
    tree: CortexTree, writer: CortexWriter, address: CortexAddress
) -> None:
    if address.dimension != "session" or len(address.parts) <= _SESSION_PARTS:
        return
    session = CortexAddress(address.parts[:_SESSION_PARTS])
    metadata = read_metadata(tree, session, writer)
    if metadata is None:
        return
    messages = [
        entry.address
        for day in day_addresses(tree, session)
        for entry in tree.entries(day)
    ]
    kept = sum(not place.is_within(address) for place in messages)
    sources = {}
    for key, mark in metadata.sources.items():
        _, _, message = mark.partition(" ")
        place = parse_cortex_address(message)
        if not place.is_within(address):
            sources[key] = mark
    last = metadata.last_message
    if last and parse_cortex_address(last).is_within(address):
        last = ""
    changed = replace(metadata, message_count=kept, last_message=last, sources=sources)
    write_metadata(writer, session, changed)


def _quoting_cards(tree: CortexTree, address: CortexAddress) -> list[str]:
    if address.dimension != "session":
        return []
    quoted = address.text.encode()
    return [
        place.text for place in _files_of_owners(tree) if quoted in tree.read(place)
    ]


def _files_of_owners(tree: CortexTree) -> Iterator[CortexAddress]:
    for dimension in ("user", "agent"):
        yield from tree.files(CortexAddress((dimension,)))


def _sources(tree: CortexTree, address: CortexAddress) -> list[str]:
    """Return the lines of messages that the memory at an address quotes."""
    try:
        card = parse_card(tree.read(address).decode())
    except (Invalid, NotFound, ValueError):
        return []
    statements = (card.current, *card.superseded)
    return [source for statement in statements for source in statement.sources]


def forget_quotations(workspace: Workspace) -> list[str]:
    """Remove forgotten statements from memory cards; a card without others is deleted,
    and so is the text in layers and in the index of recall. Return the addresses of the
    changed cards. Raises: Locked, StorageError.
    """
    forgotten = StatementFiles(workspace.paths).forgotten()
    tree = CortexTree(workspace.paths)
    changed = []
    for place in list(_files_of_owners(tree)):
        try:
            card = read_card(tree, place)
        except ValueError:
            continue
        if card is None:
            continue
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
    for place in tree.files(CortexAddress(("session",))):
        text = tree.read(place).decode("utf-8", "replace")
        if place.name.endswith(".md") and is_concerned(text):
            found.append(place)
    for place in found:
        if not dry_run:
            forget_memory(workspace, place.text)
    return [place.path for place in found]


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
