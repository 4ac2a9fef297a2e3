"""Reading of changed files into the index of recall, and removal of deleted ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.recall.mask_units import mask_units
from cuedeck.knowledge.recall.memory_units import divide, record_unit, utc_text
from cuedeck.knowledge.recall.recall_sources import (
    CORTEX_READERS,
    MOST_IN_HOOK,
    IndexUnfinished,
    print_of_source,
)
from cuedeck.ledger.entry_files import decode
from cuedeck.ledger.entry_source import source_of
from cuedeck.ledger.records.fact import without_mark
from cuedeck.ledger.records.memory_files import HEADER, forgotten_ids
from cuedeck.ledger.records.merged_text import without
from cuedeck.ledger.records.record_lookup import targets_of
from cuedeck.ledger.statement_files import ENDING, StatementFiles, is_statement
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.errors import NotFound, Stale, StorageError
from cuedeck.model.formatting import replace_surrogates
from cuedeck.model.memory_record import COMPACTION
from cuedeck.model.recall_values import LONG_MEMORY, Unit
from cuedeck.store.cache.recall_index import FileState
from cuedeck.store.cache.recall_index_writer import StemmedUnit, write_index
from cuedeck.store.files.disk import read_bytes, read_generated
from cuedeck.store.files.fingerprint import FileStamp, stamp_now
from cuedeck.text.plain_text import plain_line
from cuedeck.text.sentences import asks, is_question
from cuedeck.text.timestamps import day_of
from cuedeck.text.words import read_stems, stem_key

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.recall.recall_sources import Source
    from cuedeck.store.cache.recall_index import RecallIndex
    from cuedeck.store.workspace_paths import WorkspacePaths

_HEADER_TEXTS = frozenset(unit.text for unit in divide(HEADER, "log").units)


def store_changes(
    workspace: Workspace,
    index: RecallIndex,
    changed: Sequence[Source],
    paths: Collection[str],
) -> list[str]:
    """Read changed files into the index and remove those that are not in `paths`, in
    one transaction; return notes about files that cannot be read.

    Raises: Stale; IndexUnfinished in a hook if there is too much to read.
    """
    faults = []
    size = 0
    with write_index(index) as writer:
        # Another process may have changed the index before this transaction began.
        states = index.files()
        for path in sorted(states.keys() - paths):
            writer.remove(states[path])
        for source in changed:
            state = states.get(source.path, FileState())
            stored = index.units_of(state)
            try:
                stamp = FileStamp(0, 0, 0, 0, 0, source.hash)
                if source.place:
                    found = print_of_source(source)
                    if found is None:
                        raise FileNotFoundError(source.place)
                    stamp = stamp_now(found)
                read = _read_source(workspace, source)
                kept = _unchanged(stored, read.units)
                new = read.units[kept:]
                row = state._replace(
                    path=source.path, source=source.reader, stamp=stamp
                )
                hidden = _stemmed(workspace, read.secrets)
                secrets = [(each.unit.id, each.key) for each in hidden]
                units = _stemmed(workspace, new)
                writer.put(row, units, read.links, secrets, kept=kept)
                size += sum(len(unit.text) for unit in new)
            except (FileNotFoundError, NotFound):
                if state.number:
                    writer.remove(state)
            except Stale:
                raise
            except StorageError as error:
                note = f"{source.path} is not searched: {error.message}"
                faults.append(plain_line(note))
            if workspace.deadline is not None and size > MOST_IN_HOOK:
                raise IndexUnfinished
    return faults


class _Read(NamedTuple):
    """The content of a file."""

    units: Sequence[Unit]
    links: Sequence[tuple[str, str]] = ()
    """Ids (newer, older) of records that supersede others."""
    secrets: Sequence[Unit] = ()
    """Secret records."""


def _unchanged(stored: Sequence[Unit], read: Sequence[Unit]) -> int:
    """Return the number of first units that are the same. The last of them is a record
    or message: a secret of several lines may begin in other units.
    """
    count = 0
    for at, (old, new) in enumerate(zip(stored, read, strict=False), 1):
        if old != new:
            break
        count = at if new.id else count
    return count


def _read_source(workspace: Workspace, source: Source) -> _Read:
    if not source.place:
        masked = workspace.texts.masked(source.path)
        day = day_of(source.path.rpartition("/")[2])
        return _Read(divide(masked, source.kind, day=day).units)
    if source.reader in CORTEX_READERS:
        # Most workspaces have no cortex tree.
        from cuedeck.knowledge.recall.cortex_units import day_units, file_units

        read = day_units if source.reader == "timeline" else file_units
        return _Read(read(workspace.paths, source.path))
    if source.reader == "statements":
        return _Read(_statement_units(workspace.paths, source.path))
    if source.reader in ("records", "notes", "prose"):
        read_file = read_generated if source.is_memory else read_bytes
        text = decode(read_file(source.place) or b"")
        return _read_text(forgotten_ids(workspace), source, text)
    ledger = source_of(workspace, source.kind)
    # Entries without text, superseded, rejected or secret ones have no unit.
    units = []
    for unit in ledger.units(source.path) if ledger else ():
        if unit.text:
            units.append(unit._replace(date=utc_text(unit.date)))
    return _Read(units)


def _statement_units(paths: WorkspacePaths, path: str) -> list[Unit]:
    session = path.rpartition("/")[2].removesuffix(ENDING)
    units = []
    for row in StatementFiles(paths).rows(path):
        value = row.value
        if is_statement(value):
            unit = Unit(
                "statement",
                row.line,
                row.line,
                str(value["text"]),
                id=row.id,
                date=utc_text(row.timestamp),
                speaker=str(value.get("speaker", "")),
                session=session,
                category=str(value.get("kind", "")),
            )
            units.append(unit)
    return units


def _read_text(forgotten: frozenset[str], source: Source, text: str) -> _Read:
    """Return the content of a memory file or of a file outside the workspace.

    A record in another file than those of the memory is prose: commands for records do
    not read that file. Its id hides it if the memory has a record with this id that is
    not shown.
    """
    has_records = source.reader != "prose"
    divided = divide(
        text,
        source.kind,
        day=source.day,
        has_records=has_records,
    )
    units = [
        unit
        for unit in divided.units
        if unit.kind != "log" or unit.text not in _HEADER_TEXTS
    ]
    units = _without_forgotten(units, forgotten)
    records = [each for each in divided.records if each.id not in forgotten]
    hidden = [record_unit(record, "") for record in records if record.is_secret]
    if source.reader == "notes":
        return _Read([unit._replace(kind=source.kind) for unit in units], (), hidden)
    links = [
        (each.id, older) for each in records for older in targets_of(each) if older
    ]
    return _Read(units, links, hidden)


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
    if not units:
        return []
    masked = mask_units(units, workspace.find_secrets_in_part)
    for unit, shown in zip(units, masked, strict=True):
        if unit.text != shown.text:
            workspace.note_secrets(unit.text)
    return list(_with_stems(masked))


def _with_stems(units: Iterable[Unit]) -> Iterator[StemmedUnit]:
    for unit in units:
        own = read_stems(unit.text)
        if own:
            above = read_stems(unit.title) if unit.title else []
            key = stem_key(own)
            if unit.kind == LONG_MEMORY:
                key = stem_key(read_stems(without_mark(unit.text)))
            is_of_user = unit.kind == CORTEX_KIND and unit.category == "user"
            is_asked = asks(unit.text) if is_of_user else is_question(unit.text)
            yield StemmedUnit(
                _storable(unit),
                is_asked,
                key,
                above + own,
            )


def _storable(unit: Unit) -> Unit:
    """Return a unit without halves of surrogate pairs, which SQLite cannot store."""
    if unit.text.isascii() and unit.title.isascii():
        return unit
    values = [
        replace_surrogates(value) if isinstance(value, str) else value for value in unit
    ]
    return Unit._make(values)
