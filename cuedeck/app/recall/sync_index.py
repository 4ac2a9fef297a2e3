"""Update of the index of recall: reads what changed since the last search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cuedeck.app.recall.ledger_units import ledger_units
from cuedeck.app.recall.mask_units import mask_spans, mask_units
from cuedeck.app.recall.recall_sources import Source, Sources, recall_sources
from cuedeck.model.display import replace_surrogates
from cuedeck.model.errors import Stale, StorageError
from cuedeck.model.memory_record import Record
from cuedeck.model.recall_values import Unit
from cuedeck.parse.memory_units import BEGINNING, Resume, day_of, divide
from cuedeck.records.recall.recall_terms import read_stems
from cuedeck.records.supersession import targets_of
from cuedeck.store.cache.recall_index import FileState, StemmedUnit
from cuedeck.store.fs.file_growth import Known, print_if_changed, read_growth
from cuedeck.store.index.schema import DAMAGE, is_broken
from cuedeck.store.memory.memory_files import decode, encode
from cuedeck.store.memory.memory_writer import HEADER

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.cache.recall_index import RecallIndex

_INDEXED_KINDS = ("card", "doc")
"""Kinds of files of the workspace that are searched."""
_BATCH = 2_000
"""Units whose texts are searched for secrets at once."""
Item = TypeVar("Item")


class Change(NamedTuple):
    """A file whose units are out of date."""

    path: str
    source: Source | None
    """None for a card or doc."""
    kind: str = ""
    """Kind of a card or doc."""
    hash: str = ""
    """Hash of a card or doc."""


def sync_index(workspace: Workspace, index: RecallIndex) -> tuple[str, ...]:
    """Bring the index up to date; return notes about what could not be searched.

    The index of files must be up to date. A corrupt index is built again. Raises:
    Stale.
    """
    sources = recall_sources(workspace)
    try:
        return _sync(workspace, index, sources)
    except DAMAGE as error:
        if not is_broken(error):
            note = "another process updates the index; the newest lines may be missing"
            return (*sources.notes, note)
        index.start_over(in_memory=False)
        return _sync(workspace, index, sources)


def _sync(
    workspace: Workspace, index: RecallIndex, sources: Sources
) -> tuple[str, ...]:
    indexed = _indexed_files(workspace)
    states = index.files()
    changes = [*_changed(sources, states), *_changed_indexed(indexed, states)]
    paths = {source.path for source in sources.files} | indexed.keys()
    if not changes and states.keys() <= paths:
        return sources.notes
    faults: list[str] = []
    with index.writing():
        # Another process may have changed the index before this transaction began.
        states = index.files()
        for path in sorted(states.keys() - paths):
            index.remove(states[path])
        for change in changes:
            state = states.get(change.path)
            try:
                _update(workspace, index, change, state)
            except FileNotFoundError:
                if state is not None:
                    index.remove(state)
            except Stale:
                raise
            except StorageError as error:
                faults.append(f"{change.path} is not searched: {error.message}")
    return (*sources.notes, *faults)


def _indexed_files(workspace: Workspace) -> dict[str, Change]:
    """Return the cards and docs of the index of files, by path."""
    return {
        path: Change(path, None, kind, hash_)
        for kind in _INDEXED_KINDS
        for path, hash_ in workspace.index.hashes_of_kind(kind).items()
    }


def _changed(sources: Sources, states: Mapping[str, FileState]) -> Iterator[Change]:
    """Yield the files whose fingerprint is not that of their state."""
    for source in sources.files:
        state = states.get(source.path)
        try:
            now = print_if_changed(source.place, state.known if state else None)
        except OSError:
            if state is not None:
                yield Change(source.path, source)
            continue
        if now is not None:
            yield Change(source.path, source)


def _changed_indexed(
    indexed: Mapping[str, Change], states: Mapping[str, FileState]
) -> Iterator[Change]:
    for path, change in indexed.items():
        state = states.get(path)
        if state is None or state.hash != change.hash:
            yield change


def _update(
    workspace: Workspace, index: RecallIndex, change: Change, state: FileState | None
) -> None:
    """Read one file and store its units. Raises: FileNotFoundError, StorageError."""
    if change.source is None:
        _update_indexed(workspace, index, change, state)
    elif change.source.reader in ("records", "prose"):
        _update_text(workspace, index, change.source, state)
    else:
        _update_ledger(workspace, index, change.source, state)


def _update_indexed(
    workspace: Workspace, index: RecallIndex, change: Change, state: FileState | None
) -> None:
    """Store the units of a card or doc."""
    texts = workspace.texts
    text = mask_spans(texts.text(change.path), texts.secrets(change.path))
    day = day_of(change.path.rpartition("/")[2])
    units = divide(text, change.kind, day=day).units
    row = _state(state, change.path, change.kind, hash_=change.hash)
    index.put(row, _stemmed(workspace, units), ())


def _update_ledger(
    workspace: Workspace, index: RecallIndex, source: Source, state: FileState | None
) -> None:
    growth = read_growth(source.place, None)
    known = growth.advanced(len(growth.data))
    units = ledger_units(workspace, source.reader)
    row = _state(state, source.path, source.reader, known=known)
    index.put(row, _stemmed(workspace, units), ())


def _update_text(
    workspace: Workspace, index: RecallIndex, source: Source, state: FileState | None
) -> None:
    """Store the new units of a memory file or of a file outside the workspace."""
    growth = read_growth(source.place, state.known if state else None)
    resume = BEGINNING
    if state is not None and growth.known is not None:
        resume = state.resume
    text = decode(growth.data)
    divided = divide(
        text,
        source.kind,
        day=source.day,
        has_records=source.reader == "records",
        resume=resume,
    )
    rest = encode(text[divided.resume.offset :])
    known = growth.advanced(len(growth.data) - len(rest))
    row = _state(state, source.path, source.reader, known=known, resume=divided.resume)
    units = [unit for unit in divided.units if not _is_header(unit)]
    index.put(
        row, _stemmed(workspace, units), _links(divided.records), after=resume.lines
    )


def _is_header(unit: Unit) -> bool:
    """Return whether a unit is part of the header that CueDeck writes into a new
    MEMORY.md.
    """
    return unit.kind == "log" and unit.text in HEADER


def _stemmed(workspace: Workspace, units: Sequence[Unit]) -> list[StemmedUnit]:
    """Return the units that have words, masked and with their stems."""
    stemming = workspace.settings.recall.stemming
    found = []
    for batch in _batches(units, _BATCH):
        for unit in mask_units(batch, workspace.find_secrets):
            own = read_stems(unit.text, stemming)
            if own:
                above = read_stems(unit.title, stemming) if unit.title else []
                found.append(StemmedUnit(_storable(unit), above + own))
    return found


def _storable(unit: Unit) -> Unit:
    """Return a unit without halves of surrogate pairs, which SQLite cannot store."""
    if unit.text.isascii() and unit.title.isascii():
        return unit
    values = [
        replace_surrogates(value) if isinstance(value, str) else value for value in unit
    ]
    return Unit._make(values)


def _links(records: Sequence[Record]) -> list[tuple[str, str]]:
    """Return the pairs (newer, older) of records that supersede others."""
    return [
        (record.id, older)
        for record in records
        for older in targets_of(record)
        if older
    ]


def _state(
    state: FileState | None,
    path: str,
    reader: str,
    *,
    hash_: str = "",
    known: Known | None = None,
    resume: Resume = BEGINNING,
) -> FileState:
    """Return the new state of a file; its sums are those of the kept units."""
    if state is None:
        return FileState(0, path, reader, hash_, known, resume, 0, 0, "")
    return state._replace(source=reader, hash=hash_, known=known, resume=resume)


def _batches(items: Sequence[Item], size: int) -> Iterator[list[Item]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
