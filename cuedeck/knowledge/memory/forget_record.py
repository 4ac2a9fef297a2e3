"""Deletion of a record from every file, backup and cache; a tombstone with its id
remains.

The tombstone is written first. The same command can therefore resume an interrupted
deletion, and a record that returns from a backup is not taken for a memory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import log_error
from cuedeck.engine.open_workspace import workspace_at
from cuedeck.knowledge.cortex.forget_memory import forget_messages, forget_quotations
from cuedeck.knowledge.dreaming.dream_status import purge_dreams
from cuedeck.knowledge.experiences.delete_experience import count_experiences, purge
from cuedeck.knowledge.memory.rebuild_scenes import remake_scenes
from cuedeck.knowledge.statements.forget import (
    STATEMENT,
    find_copies,
    forget_repeated,
    quotes,
)
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.kinds.record_kind import RECORD
from cuedeck.ledger.records.memory_files import (
    EXPERIENCES,
    FOLDER,
    FOREIGN_EXPERIENCES,
    PRIMARY,
    TOMBSTONES,
    memory_of,
)
from cuedeck.ledger.records.merged_text import Sources, records_named_in, sources_of
from cuedeck.ledger.records.record_lookup import (
    LISTING,
    Found,
    every_record,
    file_names,
)
from cuedeck.ledger.statement_files import StatementFiles
from cuedeck.model.errors import CueDeckError, Invalid, NotFound
from cuedeck.model.formatting import counted
from cuedeck.model.paths import OWN
from cuedeck.store.clock import local_now
from cuedeck.store.files.disk import parse_json
from cuedeck.store.files.log_file import log
from cuedeck.store.files.stale_temp_files import sweep
from cuedeck.store.git.worktrees import places_in_worktrees
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.text.timestamps import format_record_moment

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import Json

VECTORS = ("tmp/memory-embeddings.json", FOREIGN_EXPERIENCES)
"""Files with vectors of another program."""
BEGUN = "begun"
"""State of an unfinished deletion."""
_SHORTEST = 4
"""Minimal number of characters of an id prefix that identifies a record for deletion.
"""
_SHORTEST_MARK = 8
"""Characters of an id that occurs only in merged facts."""
_JOB = "forgetting"


class Finished(NamedTuple):
    """Result of the completion."""

    total: int = 0
    """Number of records whose deletion was completed."""
    messages: tuple[str, ...] = ()
    """Messages about completed deletions and errors."""
    failed: bool = False


Places = dict[str, str]
"""For each path that contained the record, a description of the find or the action."""


def forget_record(
    workspace: Workspace,
    memory: MemoryFiles,
    text: str,
    *,
    dry_run: bool = False,
    originals: bool = False,
) -> Json:
    """Delete a record, and the facts merged from it, everywhere; return the places
    where it was.

    With `originals` the records that it was merged from are deleted, too, if it names
    them; a warning counts the rest. Raises: NotFound, Ambiguous, Invalid; Locked,
    StorageError, after which the same command resumes the deletion.
    """
    if text.startswith(STATEMENT):
        return _forget_statement(workspace, memory, text, dry_run=dry_run)
    known = every_record(memory, file_names(memory))
    identity = _identity(memory, text, list(known))
    sources = Sources()
    if identity in known:
        sources = sources_of(known[identity].record, known)
    ids = (identity, *sources.ids) if originals else (identity,)
    gone = _texts_of(ids, known)
    texts = set(filter(None, gone.values()))
    same = []
    for each, found in known.items():
        if each not in gone and found.record.text in texts:
            same.append(each)
    with memory.writing():
        places = _delete(memory, gone, dry_run)
        if not dry_run:
            places |= _finish(workspace, memory, gone)
    answer = _answer(identity, dry_run, places)
    warnings = _warnings(sources, originals)
    return answer | {
        "same_text": same,
        "originals": list(gone)[1:],
        "warnings": warnings,
    }


def _answer(identity: str, dry_run: bool, places: Places) -> Json:
    return {
        "id": identity,
        "dry_run": dry_run,
        "places": [{"path": path, "what": what} for path, what in places.items()],
        "same_text": [],
        "originals": [],
        "warnings": [],
    }


def _forget_statement(
    workspace: Workspace, memory: MemoryFiles, address: str, *, dry_run: bool
) -> Json:
    """Delete the statement at an address in every session, the records made from it,
    and the messages with it; return the answer of `forget_record`.

    Other statements of these records stay.
    """
    copies, said = find_copies(workspace.paths, address)
    ids = [each for found in copies.by_path.values() for each in found]
    gone = {}
    for each, found in every_record(memory, file_names(memory)).items():
        if quotes(found.record.text, said):
            gone[each] = found.record.text
    places = {path: f"{len(found)} removed" for path, found in copies.by_path.items()}
    with memory.writing():
        messages = forget_messages(
            workspace, lambda text: quotes(text, said), dry_run=dry_run
        )
        places |= dict.fromkeys(messages, "removed")
        places |= _delete(memory, gone, dry_run, spoken=False)
        if not dry_run:
            # Until here, the same command resumes an interrupted deletion.
            StatementFiles(workspace.paths).forget(ids)
            places |= _finish(workspace, memory, gone)
            workspace.refresh_for_recall()
    return _answer(copies.id, dry_run, places)


def finish_forgetting(workspace: Workspace, memory: MemoryFiles) -> int:
    """Resume interrupted deletions; return the number of records. Raises: Locked,
    StorageError.
    """
    if not begun(memory):
        return 0
    with memory.writing():  # a concurrent deletion finishes first
        ids = begun(memory)
        if ids:
            gone = _texts_of(ids, every_record(memory, file_names(memory)))
            _delete(memory, gone, dry_run=False)
            _finish(workspace, memory, gone)
    return len(ids)


def finish_forgettings(workspace: Workspace) -> Finished:
    """Complete interrupted deletions in every profile; one failure does not stop the
    others.

    Without a tombstone file nothing else is read. Raises: ConfigurationError for
    invalid settings.
    """
    profiles = [OWN]
    if workspace.may_configure("profile"):
        profiles += workspace.settings.profile
    total = 0
    failures: list[str] = []
    for profile in profiles:
        place = workspace.paths.absolute(f"{profile.root}/{TOMBSTONES}")
        if not os.path.lexists(place):
            continue
        try:
            count = finish_forgetting(workspace, memory_of(workspace, profile.id))
        except (CueDeckError, OSError) as error:
            logged = log_error(workspace, profile.id, _JOB, error)
            message = "an interrupted deletion is still unfinished"
            failures.append(f"{profile.id}: {message}: {logged['message']}")
            continue
        total += count
        if count:
            row = {"event": _JOB, "profile": profile.id, "job": _JOB, "count": count}
            log(workspace.paths, row)
    messages = list(failures)
    if total:
        done = counted(total, "record")
        messages.insert(0, f"completed an interrupted deletion: {done}")
    return Finished(total, tuple(messages), bool(failures))


def begun(memory: MemoryFiles) -> list[str]:
    """Return the ids of the records with an unfinished deletion. Raises:
    StorageError.
    """
    return [each for each, state in tombstones(memory).items() if state == BEGUN]


def tombstones(memory: MemoryFiles) -> dict[str, str]:
    """Return the state of each deletion, `begun` or `done`, by record id. Raises:
    StorageError.
    """
    entries = memory.log(TOMBSTONES.removesuffix(".jsonl")).entries
    return {entry.id: str(entry.value.get("state", "done")) for entry in entries}


def _identity(memory: MemoryFiles, text: str, known: Sequence[str]) -> str:
    """Return the id that a text identifies. Raises: NotFound, Ambiguous, Invalid."""
    if len(text.removeprefix("record:")) < _SHORTEST and text not in known:
        raise Invalid(
            f"`{text}` is too short to identify a record for deletion",
            hint=f"give at least {_SHORTEST} characters of the id; `{LISTING}` prints the ids",
        )
    ids = dict.fromkeys((*known, *tombstones(memory)))
    try:
        return pick(text, list(ids), "record", LISTING)
    except NotFound:
        for name in (memory.long_memory, PRIMARY):
            is_long = len(text) >= _SHORTEST_MARK
            if is_long and records_named_in(memory.text(name) or "", (text,)):
                return text
        raise


def _texts_of(ids: Iterable[str], known: Mapping[str, Found]) -> dict[str, str]:
    texts = dict.fromkeys(ids, "")
    for identity in texts:
        if identity in known:
            texts[identity] = known[identity].record.text
    return texts


def _delete(
    memory: MemoryFiles, gone: Mapping[str, str], dry_run: bool, *, spoken: bool = True
) -> Places:
    """Delete records, a map from id to text, from all files, and with `spoken` the
    statements that repeat them; return the places. The caller holds the lock.

    The tombstones of all records are written before the first deletion.
    """
    found: Places = {}
    for name in RECORD.files(memory):
        what = records_named_in(memory.text(name) or "", gone)
        if what:
            found[memory.path(name)] = what
    if not dry_run:
        _bury(memory, gone, BEGUN)
    for name, what in purge_dreams(memory, gone, dry_run=dry_run).items():
        found[memory.path(name)] = what
    count = count_experiences(memory, gone)
    if count:
        found[memory.path(EXPERIENCES)] = f"{count} removed"
    if not dry_run:
        memory.forget(RECORD, gone)
        for name in filter(memory.print, VECTORS):
            memory.rewrite(name, lambda text: without_vectors(text, gone))
        sweep(memory.workspace.cache, memory.place("."), memory.place(FOLDER))
        purge(memory, gone)
    texts = [text for text in gone.values() if text and spoken]
    said = forget_repeated(memory.workspace, texts, dry_run=dry_run) if texts else {}
    for path, number in said.items():
        found[path] = f"{number} removed"
    return found


def _finish(workspace: Workspace, memory: MemoryFiles, gone: Collection[str]) -> Places:
    forget_quotations(workspace)
    rebuilt = dict.fromkeys(remake_scenes(workspace), "rebuilt")
    for place in places_in_worktrees(memory.workspace.root):
        paths = WorkspacePaths(place)
        if paths.root == workspace.paths.root or not os.path.exists(paths.index):
            continue
        # A scene that cannot be made now is made again later, because its memory
        # changed.
        with (
            suppress(CueDeckError),
            closing(workspace_at(paths, workspace.environ)) as other,
        ):
            changed = map(paths.absolute, remake_scenes(other))
            rebuilt |= dict.fromkeys(changed, "rebuilt")
    _bury(memory, gone, "done")
    return rebuilt


def _warnings(sources: Sources, originals: bool) -> list[str]:
    rest = sources.total - len(sources.ids)
    if originals and rest > 0:
        return [
            f"{rest:,} of the records it was merged from cannot be identified and are kept"
        ]
    if originals or not sources.ids:
        return []
    hint = "they remain in the archive, daily logs and the backup of `compact --undo`; --originals deletes them, too"
    return [f"it was merged from {sources.total:,} records: {hint}"]


def _bury(memory: MemoryFiles, ids: Collection[str], state: str) -> None:
    lines: list[str] = []
    now = format_record_moment(local_now())
    for identity in ids:
        row = {"id": identity, "timestamp": now, "state": state}
        lines.append(f"{json.dumps(row, ensure_ascii=False)}\n")
    memory.add_lines(TOMBSTONES, "".join(lines))


def without_vectors(text: str, gone: Mapping[str, str]) -> str:
    """Return the JSON of a file with vectors without the rows of records, a map from id
    to text. A file that cannot be parsed is emptied if it contains any of them.
    """
    parts = {*gone, *gone.values()} - {""}
    value = parse_json(text)
    values = value.values() if isinstance(value, dict) else ()
    rows = next((each for each in values if isinstance(each, list)), None)
    if rows is None:
        return "" if any(part in text for part in parts) else text
    kept = []
    for row in rows:
        names = ("recordId", "id", "text") if isinstance(row, dict) else ()
        if parts.isdisjoint([str(row.get(name)) for name in names]):
            kept.append(row)
    if len(kept) == len(rows):
        return text
    rows[:] = kept
    return json.dumps(value, ensure_ascii=False, indent=2)
