"""Import of a cortex-mem tree into the cortex tree: its memories and its resources;
its sessions by `import_session`.

The target of a file depends on the file and its name only. A file that exists at the
target is compared and never replaced; a memory is added to the card of its key. So a
repeated import changes nothing, and a killed one is completed by the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.cortex.import_plan import (
    RESOURCE,
    ImportRow,
    mapped_address,
    row,
)
from cuedeck.app.mask_answers import mask_to_keep
from cuedeck.model.cortex_address import DIMENSIONS, CortexAddress
from cuedeck.model.errors import CueDeckError, Invalid, NotFound
from cuedeck.records.cortex.foreign_memory import (
    UNKNOWN_TIME,
    ForeignMemory,
    IndexEntry,
    MemoryIndex,
    kind_of_folder,
    parse_memory_file,
    parse_memory_index,
)
from cuedeck.records.cortex.header_lines import list_field
from cuedeck.records.cortex.memory_card import (
    PLACES,
    MemoryCard,
    Statement,
    add_statement,
    format_card,
    is_same_text,
    parse_card,
)
from cuedeck.records.cortex.memory_key import memory_key, memory_name
from cuedeck.records.cortex.owner_name import owner_name
from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.records.cortex.header_lines import HeaderValue
    from cuedeck.records.cortex.memory_card import MemoryKind
    from cuedeck.store.fs.foreign_folder import ForeignFile, ForeignFolder

INDEX = ".memory_index.json"
LAYERS = (".abstract.md", ".overview.md")
_LAYER_REASON = "text of a language model; `cuedeck layers build` makes new layers"
_MEMORY_DEPTH = 2
"""Number of names of a memory file in the folder of its owner."""


class CortexImport(NamedTuple):
    """The source and the target of an import."""

    workspace: Workspace
    folder: ForeignFolder
    top: str
    """Folder of the dimensions in the source, such as `tenants/ana`; may be empty."""
    dry_run: bool

    @property
    def tree(self) -> CortexTree:
        """The tree of the workspace."""
        return CortexTree(self.workspace.paths)

    def path(self, *names: str) -> str:
        """Return a path in the source."""
        return "/".join(filter(None, (self.top, *names)))

    def masked_text(self, path: str) -> str:
        """Return a text of the source with its secrets masked. Raises: Invalid,
        StorageError.
        """
        text: str = mask_to_keep(self.folder.text(path), self.workspace)
        return text

    @contextmanager
    def writing(self) -> Iterator[CortexWriter | None]:
        """Hold the lock of the tree and yield a writer; None in a dry run."""
        if self.dry_run:
            yield None
            return
        with self.tree.writing() as writer:
            yield writer


class _Memory(NamedTuple):
    """A memory of the source."""

    path: str
    content: ForeignMemory
    entry: IndexEntry | None
    kind: MemoryKind
    owner: str


def import_cortex(job: CortexImport) -> list[ImportRow]:
    """Import a cortex-mem tree; return the rows. Raises: Locked, StorageError,
    ConfigurationError.
    """
    from cuedeck.app.cortex.import_session import import_session

    rows: list[ImportRow] = []
    for dimension in DIMENSIONS:
        top = job.path(dimension)
        groups: dict[str, list[ForeignFile]] = {}
        for file in job.folder.files(top):
            name, separator, _ = file.path.removeprefix(f"{top}/").partition("/")
            groups.setdefault(name if separator else "", []).append(file)
        for name in sorted(groups):
            files = _readable(groups[name], rows)
            if dimension == "session" and name:
                rows += import_session(job, name, files)
            elif dimension in ("user", "agent") and name:
                rows += _import_owner(job, dimension, name, files)
            else:
                rows += _import_resources(job, files)
    return rows


def import_resource(
    job: CortexImport, writer: CortexWriter | None, file: ForeignFile
) -> ImportRow:
    """Import a file that is no message and no memory, with its text unchanged. Raises:
    StorageError for the target.
    """
    below = file.path.removeprefix(f"{job.top}/" if job.top else "")
    folder, reason = RESOURCE, ""
    if below.startswith("resources/"):
        folder, below = CortexAddress(("resources",)), below.removeprefix("resources/")
    else:
        reason = "the tree has no such category"
    mapped = mapped_address(folder, below)
    reason = mapped.reason or reason
    try:
        data = job.masked_text(file.path).encode()
    except CueDeckError as error:
        return row(file.path, "", "refused", error.message)
    return add_file(job.tree, writer, file.path, mapped.address, data, reason)


def add_file(
    tree: CortexTree,
    writer: CortexWriter | None,
    source: str,
    address: CortexAddress,
    data: bytes,
    reason: str = "",
) -> ImportRow:
    """Create a file unless one exists; return the row. Raises: StorageError."""
    try:
        known = tree.read(address)
    except NotFound:
        if writer is not None:
            writer.create(address, data)
        return row(source, address.text, "new", reason)
    except Invalid:
        return row(source, address.text, "refused", "a folder has this address")
    if known == data:
        return row(source, address.text, "same", reason)
    return row(source, address.text, "refused", "a file with other content is there")


def _readable(files: Sequence[ForeignFile], rows: list[ImportRow]) -> list[ForeignFile]:
    """Return the files that can be read; add a row for each other name."""
    found = []
    for file in files:
        name = file.path.rsplit("/", 1)[-1]
        if file.problem:
            rows.append(row(file.path, "", "refused", file.problem))
        elif name in LAYERS:
            rows.append(row(file.path, "", "left out", _LAYER_REASON))
        elif name.startswith(".") and name not in (INDEX, ".session.json"):
            rows.append(row(file.path, "", "left out", "a hidden file is not read"))
        else:
            found.append(file)
    return found


def _import_resources(
    job: CortexImport, files: Sequence[ForeignFile]
) -> Iterator[ImportRow]:
    with job.writing() as writer:
        for file in files:
            yield import_resource(job, writer, file)


def _import_owner(
    job: CortexImport, dimension: str, owner: str, files: Sequence[ForeignFile]
) -> list[ImportRow]:
    """Import the memories of a user or an agent; other files become resources."""
    rows: list[ImportRow] = []
    top = job.path(dimension, owner)
    index = _read_index(job, top, rows)
    memories: list[_Memory] = []
    others: list[ForeignFile] = []
    seen = set()
    for file in files:
        below = file.path.removeprefix(f"{top}/")
        seen.add(below)
        names = below.split("/")
        kind = kind_of_folder(names[0])
        is_memory = len(names) == _MEMORY_DEPTH and below.endswith(".md")
        if below == INDEX:
            continue
        if kind is None or PLACES[kind][0] != dimension or not is_memory:
            others.append(file)
            continue
        try:
            content = parse_memory_file(job.masked_text(file.path))
        except CueDeckError as error:
            rows.append(row(file.path, "", "refused", error.message))
            continue
        entry = index.entries.get(below)
        memories.append(_Memory(file.path, content, entry, kind, owner))
    for name, entry in sorted(index.entries.items()):
        if name not in seen:
            reason = f"{entry.id} names {name}, which does not exist"
            rows.append(row(f"{top}/{INDEX}", "", "refused", reason))
    memories.sort(key=_order)
    with job.writing() as writer:
        rows += _add_memories(job, writer, memories)
        rows += [import_resource(job, writer, file) for file in others]
    return rows


def _read_index(job: CortexImport, top: str, rows: list[ImportRow]) -> MemoryIndex:
    """Return the index of an owner; an empty one if it is missing or invalid."""
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
    job: CortexImport, writer: CortexWriter | None, memories: Sequence[_Memory]
) -> list[ImportRow]:
    """Add memories to the cards of their keys; write each changed card once."""
    rows: list[ImportRow] = []
    before: dict[CortexAddress, MemoryCard | None] = {}
    cards: dict[CortexAddress, MemoryCard] = {}
    for memory in memories:
        if not memory.content.text:
            rows.append(row(memory.path, "", "refused", "it has no text"))
            continue
        key = _key(memory, job.workspace)
        mapped = owner_name(memory.owner)
        dimension, category = PLACES[memory.kind]
        folder = CortexAddress((dimension,)).child(mapped.name).child(category)
        place = folder.child(memory_name(key))
        reason = "the id of the owner is no name" if mapped.original else ""
        try:
            if place not in before:
                before[place] = _read_card(job.tree, place)
        except ValueError:
            problem = "a file without a memory is there"
            rows.append(row(memory.path, place.text, "refused", problem))
            continue
        known = cards.get(place) or before[place]
        card = _with_memory(known, memory, key, job.workspace)
        if known is None:
            rows.append(row(memory.path, place.text, "new", reason))
        elif card == known:
            rows.append(row(memory.path, place.text, "same", reason))
        else:
            reason = f"added to the memory with the key `{key}`"
            rows.append(row(memory.path, place.text, "merged", reason))
        cards[place] = card
    for place, card in cards.items():
        if writer is not None and card != before[place]:
            writer.write(place, format_card(card).encode())
    return rows


def _with_memory(
    known: MemoryCard | None, memory: _Memory, key: str, workspace: Workspace
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
    card = add_statement(known, memory.kind, key, statement).card
    fields: dict[str, HeaderValue] = dict(card.rest)
    fields["ids"] = list(dict.fromkeys((*list_field(fields, "ids"), identity)))
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


def _key(memory: _Memory, workspace: Workspace) -> str:
    entry_key = memory.entry.key if memory.entry else ""
    stem = memory.path.rsplit("/", 1)[-1].removesuffix(".md")
    for text in (entry_key, memory.content.key, stem):
        masked: str = mask_to_keep(text, workspace)
        key = memory_key(masked)
        if key:
            return key
    return stem


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


def _read_card(tree: CortexTree, place: CortexAddress) -> MemoryCard | None:
    """Return an existing card, or None. Raises: ValueError for another file;
    StorageError.
    """
    try:
        return parse_card(tree.read(place).decode())
    except NotFound:
        return None
    except Invalid:  # a folder
        raise ValueError from None


def _order(memory: _Memory) -> tuple[str, str]:
    return _time(memory), memory.path
