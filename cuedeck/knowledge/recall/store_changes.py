"""Reading of changed files into the index of recall, and removal of deleted ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.mask_units import mask_spans, mask_units
from cuedeck.knowledge.recall.memory_units import (
    BEGINNING,
    Resume,
    divide,
    record_unit,
    utc_text,
)
from cuedeck.knowledge.recall.open_recall import (
    MOST_IN_HOOK,
    IndexUnfinished,
    forgotten_ids,
    open_recall,
)
from cuedeck.ledger.entry_files import decode, encode
from cuedeck.ledger.entry_source import source_of
from cuedeck.ledger.records.fact import without_mark
from cuedeck.ledger.records.memory_files import HEADER
from cuedeck.ledger.records.merged_text import without
from cuedeck.ledger.statements.statement_files import ENDING, StatementFiles
from cuedeck.ledger.statements.statement_rows import is_statement
from cuedeck.ledger.supersession import targets_of
from cuedeck.model.entry_node import CORTEX_KIND
from cuedeck.model.errors import NotFound, Stale, StorageError
from cuedeck.model.formatting import replace_surrogates
from cuedeck.model.recall_values import LONG_MEMORY, Unit
from cuedeck.model.record_categories import COMPACTION
from cuedeck.store.cache.recall_index import FileState
from cuedeck.store.cache.recall_index_writer import StemmedUnit, write_index
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import unblocked
from cuedeck.store.files.file_growth import Growth, Known, read_growth
from cuedeck.store.index.schema import DAMAGE, is_broken
from cuedeck.text.plain_text import plain_line
from cuedeck.text.sentences import asks, is_question
from cuedeck.text.timestamps import day_of
from cuedeck.text.words import read_stems, stem_key

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.recall.recall_sources import Change, Source
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.cache.recall_index import RecallIndex
    from cuedeck.store.cache.recall_index_writer import RecallWriter
    from cuedeck.store.workspace_paths import WorkspacePaths

_HEADER_TEXTS = frozenset(unit.text for unit in divide(HEADER, "log").units)


def store_changes(
    workspace: Workspace,
    index: RecallIndex,
    changes: Sequence[Change],
    find_gone: Callable[[Mapping[str, FileState]], Set[str]],
) -> list[str]:
    """Read changed files into the index and remove missing ones, in one transaction;
    return notes about files that cannot be read.

    `find_gone` returns the paths of states whose files no longer exist. Raises: Stale;
    IndexUnfinished in a hook if a file is too long for it.
    """
    faults = []
    with write_index(index) as writer:
        # Another process may have changed the index before this transaction began.
        states = index.files()
        for path in sorted(find_gone(states)):
            writer.remove(states[path])
        for change in changes:
            state = states.get(change.path)
            try:
                _update_file(workspace, writer, change, state)
            except (FileNotFoundError, NotFound):
                if state is not None:
                    writer.remove(state)
            except Stale:
                raise
            except StorageError as error:
                note = f"{change.path} is not searched: {error.message}"
                faults.append(plain_line(note))
    return faults


def forget_path(workspace: Workspace, path: str) -> None:
    """Remove the units of a deleted file or folder from the index on disk, if there is
    one.

    The messages of a day are one file of the index. It is removed if it contained the
    deleted message, and the next search reads the other messages again. A corrupt index
    is emptied. Raises: StorageError.
    """
    if not os.path.exists(workspace.paths.recall_index):
        return
    index = open_recall(workspace).index(workspace)
    try:
        with write_index(index) as writer:
            for indexed, state in sorted(index.files().items()):
                if f"{indexed}/".startswith(f"{path}/") or path.startswith(
                    f"{indexed}/"
                ):
                    writer.remove(state)
    except DAMAGE as error:
        if is_broken(error):
            index.start_over(in_memory=False)
            return
        raise StorageError(
            f"{path} is deleted, but remains in the index of recall: {error}",
            hint="`cuedeck clean` removes the index",
        ) from error


def _update_file(
    workspace: Workspace,
    writer: RecallWriter,
    change: Change,
    state: FileState | None,
) -> None:
    source = change.source
    if source is None:
        _update_indexed(workspace, writer, change, state)
        return
    if source.reader in ("cortex", "timeline"):
        _update_cortex(workspace, writer, source, state)
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


def _update_cortex(
    workspace: Workspace, writer: RecallWriter, source: Source, state: FileState | None
) -> None:
    # Most workspaces have no cortex tree.
    from cuedeck.knowledge.recall.cortex_units import read_units

    found = read_units(workspace.paths, source, state)
    row = _state(state, source.path, source.reader, known=found.known)
    stemmed = _stemmed(workspace, found.units)
    writer.put(row, stemmed, (), keeps=found.is_addition)


def _update_indexed(
    workspace: Workspace,
    writer: RecallWriter,
    change: Change,
    state: FileState | None,
) -> None:
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
    if growth.known is not None:
        growth = _read_growth(source, None)
    known = growth.advanced(len(growth.data))
    if source.reader == "statements":
        units = _statement_units(workspace.paths, source.path)
    else:
        units = _ledger_units(workspace, source.kind)
    row = _state(state, source.path, source.reader, known=known)
    writer.put(row, _stemmed(workspace, units), ())


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


def _ledger_units(workspace: Workspace, kind: str) -> list[Unit]:
    """Return the units of a kind of entry; entries without text, superseded, rejected
    or secret ones have none.
    """
    source = source_of(workspace, kind)
    units = source.units() if source else ()
    return [unit._replace(date=utc_text(unit.date)) for unit in units if unit.text]


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
    text = decode(growth.data)
    has_records = source.reader != "prose"
    divided = divide(
        text, source.kind, day=source.day, has_records=has_records, resume=resume
    )
    known = growth.advanced(len(encode(text[: divided.resume.offset])))
    kept = _masked_headings(workspace, divided.resume)
    row = _state(state, source.path, source.reader, known=known, resume=kept)
    units = [unit for unit in divided.units if not _is_header(unit)]
    units = _without_forgotten(units, forgotten)
    records = [each for each in divided.records if each.id not in forgotten]
    links = []
    for record in records:
        links += [(record.id, older) for older in targets_of(record) if older]
    if source.reader == "notes":
        units = [unit._replace(kind=source.kind) for unit in units]
        links = []
    hidden = [record_unit(record, "") for record in records if record.is_secret]
    secrets = [(each.unit.id, each.key) for each in _stemmed(workspace, hidden)]
    stemmed = _stemmed(workspace, units)
    writer.put(row, stemmed, links, after=resume.lines, secrets=secrets)


def _is_header(unit: Unit) -> bool:
    return unit.kind == "log" and unit.text in _HEADER_TEXTS


def _masked_headings(workspace: Workspace, resume: Resume) -> Resume:
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
    if not units:
        return []
    masked = mask_units(units, workspace.find_secrets_in_part)
    for unit, shown in zip(units, masked, strict=True):
        if unit.text != shown.text:
            workspace.note_secrets(unit.text)
    return list(_with_stems(workspace.settings, masked))


def _with_stems(settings: Settings, units: Iterable[Unit]) -> Iterator[StemmedUnit]:
    stemming = settings.recall.stemming
    for unit in units:
        own = read_stems(unit.text, stemming)
        if own:
            above = read_stems(unit.title, stemming) if unit.title else []
            key = stem_key(own)
            if unit.kind == LONG_MEMORY:
                key = stem_key(read_stems(without_mark(unit.text), stemming))
            is_of_user = unit.kind == CORTEX_KIND and unit.category == "user"
            is_asked = asks(unit.text) if is_of_user else is_question(unit.text)
            yield StemmedUnit(_storable(unit), is_asked, key, above + own)


def _storable(unit: Unit) -> Unit:
    """Return a unit without halves of surrogate pairs, which SQLite cannot store."""
    if unit.text.isascii() and unit.title.isascii():
        return unit
    values = [
        replace_surrogates(value) if isinstance(value, str) else value for value in unit
    ]
    return Unit._make(values)


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
