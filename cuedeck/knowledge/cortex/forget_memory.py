"""Deletion of memories, messages and sessions of the cortex tree by address.

A deleted text must not remain in a summary of it: the layers of the file and of the
folders above it are deleted, too, with their backups, and the layers of the folders are
built again. The index of recall forgets the text at once. A memory quotes
messages, and a message may be quoted by memories; these are separate files, so the
answer lists them and they stay.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.knowledge.cortex.cortex_sessions import load_for_change, write_metadata
from cuedeck.knowledge.cortex.memory_card import parse_card
from cuedeck.knowledge.layers.build_layers import build_layers
from cuedeck.knowledge.layers.layer_file import parse_layer_file
from cuedeck.knowledge.layers.layer_values import LEVELS, Level
from cuedeck.knowledge.recall.forget_path import forget_path
from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    parse_cortex_address,
)
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter, day_addresses
from cuedeck.store.cortex.layer_store import LayerStore, backup_stem, layer_name

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_SESSION_PARTS = 2
"""Number of parts of the address of a session."""


class _Layer(NamedTuple):
    """A layer of a file, or with an empty name of a folder."""

    folder: CortexAddress
    name: str
    level: Level

    @property
    def path(self) -> str:
        return f"{self.folder.path}/{layer_name(self.name, self.level)}"


def forget_memory(
    workspace: Workspace, text: str, *, dry_run: bool = False
) -> dict[str, Any]:
    """Delete a file or a folder of the tree with its layers and the backups of layers;
    return the deleted paths.

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
    store = LayerStore(workspace.paths)
    tree = store.tree
    with tree.writing() as writer:
        kind = tree.kind_of(address)
        if not kind:
            raise NotFound(
                f"{address.text} does not exist", hint="check the names in the address"
            )
        made, kept = _layers(store, address)
        files = _files(tree, address, kind)
        sources = _sources(tree, address)
        quoted_by = _quoting_cards(tree, address)
        backups = _backups(store, address, files)
        if not dry_run:
            for layer in made:
                store.remove(*layer)
            for path in backups:
                store.remove_backup(path)
            _forget_in_metadata(tree, writer, address)
            writer.remove(address)
    if not dry_run:
        forget_path(workspace, address.path)
        build_layers(workspace)
    above = [layer for layer in made if not layer.name]
    return {
        "address": address.text,
        "kind": kind,
        "files": files,
        "layers": [layer.path for layer in made],
        "rebuilt": [layer.path for layer in above if dry_run or store.read(*layer)],
        "kept": [layer.path for layer in kept],
        "backups": backups,
        "sources": sources,
        "quoted_by": quoted_by,
        "dry_run": dry_run,
    }


def _files(tree: CortexTree, address: CortexAddress, kind: str) -> list[str]:
    """Return the paths of the files at or below an address, without reserved ones."""
    if kind == "file":
        return [address.path]
    paths = []
    for folder, entries in tree.walk(address):
        assert folder is not None  # only a walk of the whole tree begins with None
        for entry in entries:
            if not entry.is_folder:
                place = folder.child(entry.name)
                paths.append(place.path)
    return paths


def _layers(
    store: LayerStore, address: CortexAddress
) -> tuple[list[_Layer], list[_Layer]]:
    """Return the existing layers that may contain text from an address: those of the
    file, and those of the folders above it.

    The first list has the layers that CueDeck made, the second those that were edited
    or written by another program.
    """
    found: list[_Layer] = []
    folder = address.parent
    if folder is not None:
        found += [_Layer(folder, address.name, level) for level in LEVELS]
    while folder is not None:
        found += [_Layer(folder, "", level) for level in LEVELS]
        folder = folder.parent
    made: list[_Layer] = []
    kept: list[_Layer] = []
    for layer in found:
        data = store.read(*layer)
        parsed = parse_layer_file(data)
        if parsed is not None and not parsed.is_edited:
            made.append(layer)
        elif data:
            kept.append(layer)
    return made, kept


def _backups(
    store: LayerStore, address: CortexAddress, files: Sequence[str]
) -> list[str]:
    """Return the paths of the backups of layers that may contain text from an address.

    The header of a backup names what the layer describes. A backup without a header is
    compared by its name, which does not contain the folder.
    """
    names = ["", *map(posixpath.basename, files)]
    stems: tuple[str, ...] = ()
    for name in names:
        stems += tuple(f"-{backup_stem(name, level)}" for level in LEVELS)
    found = []
    for path, data in store.backups():
        parsed = parse_layer_file(data)
        is_concerned = parsed is not None and _describes(parsed.source, address)
        if is_concerned or (parsed is None and path.endswith(stems)):
            found.append(path)
    return found


def _describes(source: str, address: CortexAddress) -> bool:
    """Return whether a layer describes a place at, below or above an address."""
    try:
        place = parse_cortex_address(source)
    except CortexAddressError:
        return True
    return place.is_within(address) or address.is_within(place)


def _forget_in_metadata(
    tree: CortexTree, writer: CortexWriter, address: CortexAddress
) -> None:
    """Update the metadata of a session of which messages are deleted."""
    if address.dimension != "session" or len(address.parts) <= _SESSION_PARTS:
        return
    session = CortexAddress(address.parts[:_SESSION_PARTS])
    metadata = load_for_change(tree, writer, session)
    if metadata is None:
        return
    kept = 0
    for day in day_addresses(tree, session):
        for entry in tree.entries(day):
            place = day.child(entry.name)
            if not place.is_within(address):
                kept += 1
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
    """Return the addresses of the memories that quote a message below an address."""
    if address.dimension != "session":
        return []
    quoted = address.text.encode()
    found = []
    for dimension in ("user", "agent"):
        for folder, entries in tree.walk(CortexAddress((dimension,))):
            assert folder is not None
            for entry in entries:
                place = folder.child(entry.name)
                if not entry.is_folder and quoted in tree.read(place):
                    found.append(place.text)
    return found


def _sources(tree: CortexTree, address: CortexAddress) -> list[str]:
    """Return the lines of messages that the memory at an address quotes."""
    try:
        card = parse_card(tree.read(address).decode())
    except (Invalid, NotFound, ValueError):
        return []
    statements = (card.current, *card.superseded)
    return [source for statement in statements for source in statement.sources]
