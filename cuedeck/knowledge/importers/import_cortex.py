"""Import of a tree of cortex-mem, or of a copy of a CueDeck tree, into the cortex tree.

The target of a file depends on the file and its name only. A file that exists at the
target is compared and never replaced; a memory of cortex-mem is added to the card of
its key. So a repeated import changes nothing, and a killed one is completed by the
next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.cortex.change_cards import CardChanges, write_cards
from cuedeck.knowledge.cortex.cortex_sessions import METADATA
from cuedeck.knowledge.cortex.memory_card import (
    PLACES,
    MemoryKind,
    Outcome,
    is_card,
    parse_card,
)
from cuedeck.knowledge.cortex.session_owners import owner_address, owner_name
from cuedeck.knowledge.importers.cortex_mem import (
    INDEX,
    parse_memory,
    parse_memory_index,
)
from cuedeck.knowledge.importers.import_job import (
    Action,
    CortexImport,
    ImportRow,
    copy_file,
    import_resource,
    row,
)
from cuedeck.knowledge.importers.import_session import import_session
from cuedeck.model.cortex_address import DIMENSIONS
from cuedeck.model.errors import CueDeckError
from cuedeck.store.cortex.layer_store import FILE_LAYERS, FOLDER_NAMES

if TYPE_CHECKING:
    from cuedeck.knowledge.cortex.extract_memories import ExtractedMemory
    from cuedeck.model.cortex_address import Dimension
    from cuedeck.store.files.foreign_folder import ForeignFile

_LAYERS = (*FOLDER_NAMES.values(), FILE_LAYERS)
"""Names of files and folders with layers."""
_LAYER_REASON = "a layer; `cuedeck layers build` makes new layers"
_ACTIONS: Mapping[Outcome, Action] = {
    "made": "new",
    "superseded": "merged",
    "older": "merged",
    "repeated": "merged",
    "known": "same",
}


def import_cortex(job: CortexImport) -> list[ImportRow]:
    """Import a tree; return the rows. Raises: Locked, StorageError,
    ConfigurationError.
    """
    rows: list[ImportRow] = []
    for dimension in DIMENSIONS:
        top = job.path(dimension)
        # Two folders may be of one owner: an id in NFC, and the same in NFD.
        groups: dict[str, list[ForeignFile]] = {}
        for file in _readable(job.folder.files(top), rows):
            owner, separator, _ = file.path.removeprefix(f"{top}/").partition("/")
            name = owner_name(owner).name if separator else ""
            groups.setdefault(name, []).append(file)
        for name, files in sorted(groups.items()):
            if dimension == "session" and name:
                rows += import_session(job, files)
            elif (dimension == "user" or dimension == "agent") and name:
                rows += _import_owner(job, dimension, files)
            else:
                with job.writing() as writer:
                    rows += [import_resource(job, writer, file) for file in files]
    return rows


def _readable(files: Sequence[ForeignFile], rows: list[ImportRow]) -> list[ForeignFile]:
    """Return the files that can be read; add a row for each other name."""
    found = []
    for file in files:
        name = file.path.rsplit("/", 1)[-1]
        if name in _LAYERS:
            rows.append(row(file.path, "", "left out", _LAYER_REASON))
        elif file.problem:
            rows.append(row(file.path, "", "refused", file.problem))
        elif name.startswith(".") and name not in (INDEX, METADATA):
            rows.append(row(file.path, "", "left out", "a hidden file is not read"))
        else:
            found.append(file)
    return found


def _import_owner(
    job: CortexImport, dimension: Dimension, files: Sequence[ForeignFile]
) -> list[ImportRow]:
    """Import the memories of a user or an agent; cards of CueDeck are copied, and other
    files become resources.
    """
    rows: list[ImportRow] = []
    entries = _read_indexes(job, files, rows)
    memories: list[tuple[str, ExtractedMemory]] = []
    cards: list[str] = []
    others: list[ForeignFile] = []
    for file in files:
        kind = _kind_of(job.below_owner(file.path), dimension)
        if file.path.endswith(f"/{INDEX}"):
            continue
        if kind is None:
            others.append(file)
            continue
        stem = file.path.rpartition("/")[2].removesuffix(".md")
        try:
            text = job.masked_text(file.path)
            if is_card(text):
                parse_card(text)
                cards.append(file.path)
            else:
                entry = entries.get(file.path, {})
                memories.append((file.path, parse_memory(text, stem, kind, entry)))
        except (CueDeckError, ValueError) as error:
            rows.append(row(file.path, "", "refused", str(error)))
    memories.sort(key=lambda each: (each[1].time, each[0]))
    with job.writing() as writer:
        for path in cards:
            owner, category, name = path.split("/")[-3:]
            folder = owner_address(dimension, owner).child(category)
            rows.append(copy_file(job, writer, path, folder, name))
        changes = CardChanges(job.tree)
        rows += [_add_memory(changes, *each) for each in memories]
        if writer is not None:
            write_cards(writer, changes)
        rows += [import_resource(job, writer, file) for file in others]
    return rows


def _kind_of(path: str, dimension: Dimension) -> MemoryKind | None:
    """Return the kind of the memory at a path in the folder of its owner; None for
    another file.
    """
    category, _, name = path.partition("/")
    if "/" in name or not name.endswith(".md"):
        return None
    for kind, place in PLACES.items():
        if place == (dimension, category):
            return kind
    return None


def _add_memory(changes: CardChanges, path: str, memory: ExtractedMemory) -> ImportRow:
    """Add a memory to the card of its key; return its row."""
    owner = path.split("/")[-3]
    place = changes.place_of(owner, memory)
    added = changes.add(owner, memory)
    if added is None:
        return row(path, place.text, "refused", "a file without a memory is there")
    reason = ""
    if owner_name(owner).original:
        reason = "the id of the owner is not a valid name"
    if added.outcome not in ("made", "known"):
        reason = f"added to the memory `{added.card.shown_title}`"
    return row(path, place.text, _ACTIONS[added.outcome], reason)


def _read_indexes(
    job: CortexImport, files: Sequence[ForeignFile], rows: list[ImportRow]
) -> dict[str, Mapping[str, Any]]:
    """Return the entries of the indexes of an owner by the paths of their files."""
    paths = {file.path for file in files}
    entries: dict[str, Mapping[str, Any]] = {}
    for path in sorted(paths):
        top = job.owner_folder(path)
        if path != f"{top}/{INDEX}":
            continue
        try:
            index = parse_memory_index(job.masked_text(path))
        except (CueDeckError, ValueError) as error:
            reason = f"not an index: {error}; the memories are read without it"
            rows.append(row(path, "", "refused", reason))
            continue
        for name, entry in index.items():
            entries[f"{top}/{name}"] = entry
            if f"{top}/{name}" not in paths:
                reason = f"{entry['id']} names {name}, which does not exist"
                rows.append(row(path, "", "refused", reason))
    return entries
