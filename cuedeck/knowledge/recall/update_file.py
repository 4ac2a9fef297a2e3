"""Reading of one file into the index of recall."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cuedeck.knowledge.recall.ledger_units import ledger_units
from cuedeck.knowledge.recall.mask_units import mask_files, mask_spans, mask_units
from cuedeck.knowledge.recall.memory_units import BEGINNING, Resume, divide, record_unit
from cuedeck.knowledge.recall.open_recall import (
    MOST_IN_HOOK,
    IndexUnfinished,
    forgotten_ids,
)
from cuedeck.ledger.records.fact import without_mark
from cuedeck.ledger.records.memory_files import decode, encode
from cuedeck.ledger.records.memory_writer import HEADER
from cuedeck.ledger.records.merged_text import without
from cuedeck.ledger.supersession import targets_of
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.errors import NotFound, StorageError
from cuedeck.model.formatting import replace_surrogates
from cuedeck.model.memory_record import Record
from cuedeck.model.recall_values import LONG_MEMORY, Unit
from cuedeck.model.record_categories import COMPACTION
from cuedeck.store.cache.recall_index import FileState
from cuedeck.store.cache.recall_index_writer import StemmedUnit
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import unblocked
from cuedeck.store.files.file_growth import Growth, Known, read_growth
from cuedeck.text.plain_text import plain_line
from cuedeck.text.questions import asks, is_question
from cuedeck.text.timestamps import day_of
from cuedeck.text.words import read_stems, stem_key

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.recall.cortex_units import CortexUnits
    from cuedeck.knowledge.recall.recall_sources import Change, Source
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.cache.recall_index_writer import RecallWriter

_CHUNK = 1 << 20
"""Bytes of a file, or characters of several files, that are stored at once."""
_BATCH = 2_000
"""Units whose texts are searched for secrets at once."""
_HEADER_TEXTS = frozenset(unit.text for unit in divide(HEADER, "log").units)
Item = TypeVar("Item")


def update_file(
    workspace: Workspace,
    writer: RecallWriter,
    change: Change,
    state: FileState | None,
) -> None:
    """Read one file and store its units. Raises: FileNotFoundError, StorageError;
    IndexUnfinished in a hook if the file is too long for it.
    """
    source = change.source
    if source is None:
        _update_indexed(workspace, writer, change, state)
        return
    growth = _read_growth(source, state.known if state else None)
    if workspace.deadline is not None and len(growth.data) > MOST_IN_HOOK:
        raise IndexUnfinished
    if state is not None and growth.is_unchanged:
        writer.confirm(state, growth.advanced(0))
    elif source.reader in ("records", "notes", "prose"):
        _update_text(workspace, writer, source, state, growth)
    else:
        _update_ledger(workspace, writer, source, state, growth)


def _read_growth(source: Source, known: Known | None) -> Growth:
    """Read the new part of a file. Raises: FileNotFoundError; StorageError, also for a
    memory file that is a symbolic link.
    """
    opener = nofollow.opener if source.is_memory else unblocked
    return read_growth(source.place, known, opener)


def update_cortex_files(
    workspace: Workspace,
    writer: RecallWriter,
    changes: Sequence[Change],
    states: Mapping[str, FileState],
) -> list[str]:
    """Read files of the cortex tree, and the new messages of days, and store their
    units; return notes about files that cannot be read.
    """
    if not changes:
        return []
    # Most workspaces have no cortex tree.
    from cuedeck.knowledge.recall.cortex_units import read_units

    faults: list[str] = []
    waiting: list[_CortexFile] = []
    length = 0
    for change in changes:
        assert change.source is not None
        state = states.get(change.path)
        try:
            found = read_units(workspace.paths, change.source, state)
        except (FileNotFoundError, NotFound):
            if state is not None:
                writer.remove(state)
            continue
        except StorageError as error:
            faults.append(fault_note(change.path, error))
            continue
        waiting.append(_CortexFile(change.source, state, found))
        length += sum(len(unit.text) for unit in found.units)
        if length > _CHUNK:
            _put_cortex_files(workspace, writer, waiting)
            waiting, length = [], 0
    _put_cortex_files(workspace, writer, waiting)
    return faults


class _CortexFile(NamedTuple):
    """A file of the cortex tree, or a day, with its new units."""

    source: Source
    state: FileState | None
    found: CortexUnits


def _put_cortex_files(
    workspace: Workspace, writer: RecallWriter, files: Sequence[_CortexFile]
) -> None:
    """Store the units of files of the cortex tree."""
    unmasked = [file.found.units for file in files]
    masked = mask_files(unmasked, workspace.find_secrets_in_part)
    for file, units in zip(files, masked, strict=True):
        _note_secrets(workspace, file.found.units, units)
        source, found = file.source, file.found
        row = _state(file.state, source.path, source.reader, known=found.known)
        stemmed = list(_with_stems(workspace.settings, units))
        writer.put(row, stemmed, (), keeps=found.is_addition)


def fault_note(path: str, error: StorageError) -> str:
    """Return the note about a file that cannot be read, on one line."""
    return plain_line(f"{path} is not searched: {error.message}")


def _update_indexed(
    workspace: Workspace,
    writer: RecallWriter,
    change: Change,
    state: FileState | None,
) -> None:
    """Store the units of a card or doc."""
    texts = workspace.texts
    text = texts.text(change.path)
    masked = mask_spans(text, texts.secrets(change.path))
    name = change.path.rpartition("/")[2]
    units = divide(masked, change.kind, day=day_of(name)).units
    row = _state(state, change.path, change.kind, hash_=change.hash)
    writer.put(row, _stemmed(workspace, units), ())


def _update_ledger(
    workspace: Workspace,
    writer: RecallWriter,
    source: Source,
    state: FileState | None,
    growth: Growth,
) -> None:
    """Store the units of a ledger, which is read as a whole."""
    if growth.known is not None:
        growth = _read_growth(source, None)
    known = growth.advanced(len(growth.data))
    if source.reader == "statements":
        # Most updates read no conversation.
        from cuedeck.knowledge.recall.statement_units import statement_units

        units = statement_units(workspace.paths, source.path)
    else:
        units = ledger_units(workspace, source.kind)
    row = _state(state, source.path, source.reader, known=known)
    writer.put(row, _stemmed(workspace, units), ())


def _update_text(
    workspace: Workspace,
    writer: RecallWriter,
    source: Source,
    state: FileState | None,
    growth: Growth,
) -> None:
    """Store the new units of a memory file or of a file outside the workspace.

    A record in another file than those of the memory is prose: commands for records do
    not read that file. Its id hides it if the memory has a record with this id that is
    not shown.
    """
    forgotten = forgotten_ids(workspace)
    resume = BEGINNING
    if state is not None and growth.known is not None:
        resume = Resume(0, state.lines, state.headings)
    at, size = 0, _CHUNK
    while at < len(growth.data) or not at:
        chunk = _lines_of(growth.data, at, size)
        text = decode(chunk)
        divided = divide(
            text,
            source.kind,
            day=source.day,
            has_records=source.reader != "prose",
            resume=resume,
        )
        rest = encode(text[divided.resume.offset :])
        length = len(chunk) - len(rest)
        is_last = at + len(chunk) == len(growth.data)
        if not length and not is_last:
            size *= 2  # one block is longer than the chunk
            continue
        at += length
        kept = _masked_headings(workspace, divided.resume)
        known = growth.advanced(at) if is_last else None
        row = _state(state, source.path, source.reader, known=known, resume=kept)
        units = [unit for unit in divided.units if not _is_header(unit)]
        units = _without_forgotten(units, forgotten)
        records = [each for each in divided.records if each.id not in forgotten]
        links = _links(records)
        if source.reader == "notes":
            units = [unit._replace(kind=source.kind) for unit in units]
            links = []
        state = writer.put(
            row,
            _stemmed(workspace, units),
            links,
            after=resume.lines,
            secrets=_secrets(workspace, records),
        )
        if is_last:
            break
        resume = divided.resume


def _lines_of(data: bytes, start: int, size: int) -> bytes:
    """Return the whole lines among `size` bytes from `start`; more bytes if these do
    not contain the end of a line.
    """
    if start + size >= len(data):
        return data[start:]
    end = data.rfind(b"\n", start, start + size)
    if end < 0:
        end = data.find(b"\n", start + size)
    if end < 0:
        return data[start:]
    return data[start : end + 1]


def _is_header(unit: Unit) -> bool:
    """Return whether a unit is part of the header that CueDeck writes into a new
    MEMORY.md.
    """
    return unit.kind == "log" and unit.text in _HEADER_TEXTS


def _masked_headings(workspace: Workspace, resume: Resume) -> Resume:
    """Return a place whose headings can be stored: their secrets are replaced."""
    find = workspace.find_secrets
    headings = [
        (level, mask_spans(text, find(text))) for level, text in resume.headings
    ]
    return resume._replace(headings=tuple(headings))


def _without_forgotten(units: list[Unit], forgotten: frozenset[str]) -> list[Unit]:
    """Return the units without forgotten records and without the facts that were merged
    from them: a restored copy of a file may contain both.
    """
    if not forgotten:
        return units
    kept = []
    for unit in units:
        if unit.id and unit.id in forgotten:
            continue
        text = unit.text
        if unit.kind == LONG_MEMORY:
            # The mark of the list item is not part of the text of its unit.
            text = without(f"- {text}", forgotten).removeprefix("- ")
        elif unit.category == COMPACTION:
            text = without(text, forgotten)
        kept.append(unit._replace(text=text))
    return kept


def _stemmed(workspace: Workspace, units: Sequence[Unit]) -> list[StemmedUnit]:
    """Return the units that have words, masked and with their stems."""
    found: list[StemmedUnit] = []
    for batch in _batches(units, _BATCH):
        masked = mask_units(batch, workspace.find_secrets_in_part)
        _note_secrets(workspace, batch, masked)
        found += _with_stems(workspace.settings, masked)
    return found


def _note_secrets(
    workspace: Workspace, units: Sequence[Unit], masked: Sequence[Unit]
) -> None:
    """Note the values in masked units, which other texts may contain."""
    for unit, shown in zip(units, masked, strict=True):
        if unit.text != shown.text:
            workspace.note_secrets(unit.text)


def _with_stems(settings: Settings, units: Iterable[Unit]) -> Iterator[StemmedUnit]:
    """Yield the units that have words, with their stems."""
    stemming = settings.recall.stemming
    for unit in units:
        own = read_stems(unit.text, stemming)
        if own:
            above = read_stems(unit.title, stemming) if unit.title else []
            is_of_user = unit.kind == CORTEX_KIND and unit.category == "user"
            is_asked = asks(unit.text) if is_of_user else is_question(unit.text)
            key = stem_key(own)
            if unit.kind == LONG_MEMORY:
                key = stem_key(read_stems(without_mark(unit.text), stemming))
            yield StemmedUnit(_storable(unit), is_asked, key, above + own)


def _secrets(
    workspace: Workspace, records: Sequence[Record]
) -> list[tuple[str, bytes]]:
    """Return the ids of the secret records with the keys of their texts."""
    hidden = [record_unit(record, "") for record in records if record.is_secret]
    if not hidden:
        return []
    return [(each.unit.id, each.key) for each in _stemmed(workspace, hidden)]


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
    old = state or FileState(path=path)
    return old._replace(
        source=reader,
        hash=hash_,
        known=known,
        lines=resume.lines,
        headings=resume.headings,
    )


def _batches(items: Sequence[Item], size: int) -> Iterator[list[Item]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
