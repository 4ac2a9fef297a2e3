"""Import of the memories of a user or an agent into cards: those of cortex-mem, and the
cards of CueDeck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.knowledge.cortex.copy_cards import ForeignCard, copy_cards
from cuedeck.knowledge.cortex.foreign_memory import (
    ForeignMemory,
    IndexEntry,
    MemoryIndex,
    kind_of_folder,
    parse_memory_file,
    parse_memory_index,
)
from cuedeck.knowledge.cortex.header_lines import list_field
from cuedeck.knowledge.cortex.memory_card import (
    PLACES,
    MemoryCard,
    Statement,
    add_statement,
    is_card,
    is_same_text,
    parse_card,
)
from cuedeck.knowledge.cortex.memory_key import memory_key, memory_title
from cuedeck.knowledge.cortex.memory_time import UNKNOWN_TIME
from cuedeck.knowledge.cortex.owner_name import owner_name
from cuedeck.knowledge.cortex.planned_cards import PlannedCards
from cuedeck.knowledge.importers.import_job import CortexImport, import_resource
from cuedeck.knowledge.importers.import_plan import ImportRow, row
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import CueDeckError

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.cortex.header_lines import HeaderValue
    from cuedeck.knowledge.cortex.memory_card import MemoryKind
    from cuedeck.model.cortex_address import Dimension
    from cuedeck.store.files.foreign_folder import ForeignFile

INDEX = ".memory_index.json"
_MEMORY_DEPTH = 2
"""Number of names of a memory file in the folder of its owner."""


class _Memory(NamedTuple):
    """A memory of the source."""

    path: str
    content: ForeignMemory
    entry: IndexEntry | None
    kind: MemoryKind
    owner: str


def import_owner(
    job: CortexImport, dimension: Dimension, owner: str, files: Sequence[ForeignFile]
) -> list[ImportRow]:
    """Import the memories of a user or an agent; other files become resources."""
    rows: list[ImportRow] = []
    entries = _read_indexes(job, files, rows)
    memories: list[_Memory] = []
    cards: list[ForeignCard] = []
    others: list[ForeignFile] = []
    for file in files:
        below = job.below_owner(file.path)
        names = below.split("/")
        kind = kind_of_folder(names[0])
        is_memory = len(names) == _MEMORY_DEPTH and below.endswith(".md")
        if below == INDEX:
            continue
        if kind is None or PLACES[kind][0] != dimension or not is_memory:
            others.append(file)
            continue
        try:
            text = job.masked_text(file.path)
            if is_card(text):
                cards.append(ForeignCard(file.path, text, parse_card(text)))
                continue
        except (CueDeckError, ValueError) as error:
            rows.append(row(file.path, "", "refused", str(error)))
            continue
        content = parse_memory_file(text)
        entry = entries.get(file.path)
        memories.append(_Memory(file.path, content, entry, kind, owner))
    memories.sort(key=_order)
    with job.writing() as writer:
        planned = PlannedCards(job.tree)
        rows += copy_cards(planned, dimension, cards)
        rows += _add_memories(job, planned, memories)
        if writer is not None:
            planned.write(writer)
        rows += [import_resource(job, writer, file) for file in others]
    return rows


def _read_indexes(
    job: CortexImport, files: Sequence[ForeignFile], rows: list[ImportRow]
) -> dict[str, IndexEntry]:
    """Return the entries of the indexes of an owner by the paths of their files."""
    paths = {file.path for file in files}
    tops = {job.owner_folder(path) for path in paths}
    entries: dict[str, IndexEntry] = {}
    for top in sorted(tops):
        index = _read_index(job, top, rows)
        for name, entry in sorted(index.entries.items()):
            path = f"{top}/{name}"
            entries[path] = entry
            if path not in paths:
                reason = f"{entry.id} names {name}, which does not exist"
                rows.append(row(f"{top}/{INDEX}", "", "refused", reason))
    return entries


def _read_index(job: CortexImport, top: str, rows: list[ImportRow]) -> MemoryIndex:
    """Return the index in a folder; an empty one if it is missing or invalid."""
    path = f"{top}/{INDEX}"
    if not job.folder.has_file(path):
        return MemoryIndex({}, ())
    try:
        index = parse_memory_index(job.folder.text(path))
    except (CueDeckError, ValueError) as error:
        reason = f"not an index: {error}; the memories are read without it"
        rows.append(row(path, "", "refused", reason))
        return MemoryIndex({}, ())
    rows += [row(path, "", "refused", fault) for fault in index.faults]
    return index


def _add_memories(
    job: CortexImport, planned: PlannedCards, memories: Sequence[_Memory]
) -> list[ImportRow]:
    """Add memories to the planned cards of their keys; return their rows."""
    rows: list[ImportRow] = []
    for memory in memories:
        if not memory.content.text:
            rows.append(row(memory.path, "", "refused", "it has no text"))
            continue
        key, title = _name(memory, job.workspace)
        mapped = owner_name(memory.owner)
        dimension, category = PLACES[memory.kind]
        folder = CortexAddress((dimension,)).child(mapped.name).child(category)
        place = planned.places.find(folder, key, title)
        reason = "the id of the owner is not a valid name" if mapped.original else ""
        merged = partial(
            _with_memory,
            memory=memory,
            key=key,
            title=title,
            workspace=job.workspace,
        )
        rows.append(planned.add(memory.path, place, merged, reason))
    return rows


def _with_memory(
    known: MemoryCard | None,
    memory: _Memory,
    key: str,
    title: str,
    workspace: Workspace,
) -> MemoryCard:
    """Return the card with a memory added, unless it contains the memory."""
    content, entry = memory.content, memory.entry
    identity = memory.path.rsplit("/", 1)[-1].removesuffix(".md")
    if entry is not None:
        identity = entry.id
    identity = mask_to_keep(identity, workspace)
    if known is not None and _contains(known, identity, content.text):
        return known
    statement = Statement(content.text, _time(memory), _sources(entry))
    card = add_statement(known, memory.kind, key, statement, title).card
    fields: dict[str, HeaderValue] = dict(card.rest)
    ids = (*list_field(fields, "ids"), identity)
    fields["ids"] = list(dict.fromkeys(ids))
    if card.current.text == statement.text:
        confidence = content.confidence or (entry.confidence if entry else "")
        fields |= {
            "confidence": confidence,
            "created": entry.created if entry else "",
            "archived": "true" if entry and entry.is_archived else "",
        }
    rest = tuple((name, value) for name, value in fields.items() if value)
    return replace(card, rest=rest)


def _contains(card: MemoryCard, identity: str, text: str) -> bool:
    """Return whether a memory with this id and text was added to a card."""
    if identity not in list_field(dict(card.rest), "ids"):
        return False
    statements = (card.current, *card.superseded)
    return any(is_same_text(each.text, text) for each in statements)


def _name(memory: _Memory, workspace: Workspace) -> tuple[str, str]:
    """Return the key and the title of a memory."""
    entry_key = memory.entry.key if memory.entry else ""
    stem = memory.path.rsplit("/", 1)[-1].removesuffix(".md")
    for text in (entry_key, memory.content.key, stem):
        masked: str = mask_to_keep(text, workspace)
        key = memory_key(masked)
        if key:
            return key, memory_title(masked)
    return stem, stem


def _time(memory: _Memory) -> str:
    entry = memory.entry
    times = (entry.updated if entry else "", memory.content.added)
    created = entry.created if entry else ""
    return next(filter(None, (*times, created)), UNKNOWN_TIME)


def _sources(entry: IndexEntry | None) -> tuple[str, ...]:
    """Return the addresses of the sessions that a memory is from."""
    if entry is None:
        return ()
    sessions = CortexAddress(("session",))
    return tuple(sessions.child(owner_name(each).name).text for each in entry.sessions)


def _order(memory: _Memory) -> tuple[str, str]:
    return _time(memory), memory.path
