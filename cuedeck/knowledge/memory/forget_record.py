"""Deletion of a record from every file, backup and cache; a tombstone with its id
remains.

The tombstone is written first. The same command can therefore resume an interrupted
deletion, and a record that returns from a backup is not taken for a memory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.error_report import log_error
from cuedeck.engine.open_workspace import workspace_at
from cuedeck.knowledge.cortex.forget_memory import (
    forget_messages,
    forget_quotations,
)
from cuedeck.knowledge.dreaming.purge_dreams import purge_dreams
from cuedeck.knowledge.experiences.delete_experience import purge
from cuedeck.knowledge.memory.rebuild_scenes import remake_scenes
from cuedeck.knowledge.memory.remove_records import (
    Sources,
    records_named_in,
    sources_of,
    without_records,
)
from cuedeck.knowledge.statements.forget import (
    STATEMENT,
    find_copies,
    forget_repeated,
    quotes,
)
from cuedeck.ledger.codecs import parse_log
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.records.memory_files import (
    EXPERIENCES,
    FOLDER,
    PRIMARY,
    TOMBSTONES,
    UNDO,
)
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.memory_writer import VECTORS, without_vectors, writing
from cuedeck.ledger.records.record_lookup import (
    LISTING,
    Found,
    every_record,
    file_names,
)
from cuedeck.ledger.statements.statement_files import StatementFiles
from cuedeck.model.errors import CueDeckError, Invalid, NotFound
from cuedeck.model.formatting import counted
from cuedeck.model.profile import OWN
from cuedeck.store.clock import local_now
from cuedeck.store.files.disk import tree_of
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.log_file import log
from cuedeck.store.files.stale_temp_files import sweep
from cuedeck.store.git.worktrees import places_in_worktrees
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.text.timestamps import format_record_moment

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer

BACKUP = "MEMORY.md.compaction-backup"
"""Backup that another program creates next to MEMORY.md."""
BEGUN = "begun"
"""State of an unfinished deletion."""
_SHORTEST = 4
"""Minimal number of characters of an id prefix that identifies a record for deletion.
"""
_JOB = "forgetting"


class Finished(NamedTuple):
    """Result of the completion."""

    total: int = 0
    """Number of records whose deletion was completed."""
    messages: tuple[str, ...] = ()
    """Messages about completed deletions and errors."""
    failed: bool = False


class Place(NamedTuple):
    """File that contained the record, with a description of the content found or the
    action taken.
    """

    path: str
    what: str


def forget_record(
    workspace: Workspace,
    memory: MemoryFiles,
    text: str,
    *,
    dry_run: bool = False,
    originals: bool = False,
) -> dict[str, Any]:
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
    sources = (
        sources_of(known[identity].record, known) if identity in known else Sources()
    )
    ids = (identity, *sources.ids) if originals else (identity,)
    gone = _texts_of(ids, known)
    texts = set(filter(None, gone.values()))
    others = {}
    for each, found in known.items():
        if each not in gone:
            others[each] = found
    same = []
    for each, found in others.items():
        if found.record.text in texts:
            same.append(each)
    with nullcontext() if dry_run else _exclusive(memory):
        places = _delete(memory, gone, dry_run)
        if not dry_run:
            places += _finish(workspace, memory, gone)
    return {
        "id": identity,
        "dry_run": dry_run,
        "places": [place._asdict() for place in places],
        "same_text": same,
        "originals": list(gone)[1:],
        "warnings": _warnings(sources, originals),
    }


def _forget_statement(
    workspace: Workspace, memory: MemoryFiles, address: str, *, dry_run: bool
) -> dict[str, Any]:
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
    places = [
        Place(path, f"{len(found)} removed") for path, found in copies.by_path.items()
    ]
    with nullcontext() if dry_run else _exclusive(memory):
        messages = forget_messages(
            workspace, lambda text: quotes(text, said), dry_run=dry_run
        )
        places += [Place(path, "removed") for path in messages]
        places += _delete(memory, gone, dry_run, spoken=False)
        if not dry_run:
            # Until here, the same command resumes an interrupted deletion.
            StatementFiles(workspace.paths).forget(ids)
            places += _finish(workspace, memory, gone)
    if not dry_run:
        workspace.refresh_for_recall()
    return {
        "id": copies.id,
        "dry_run": dry_run,
        "places": [place._asdict() for place in places],
        "same_text": [],
        "originals": [],
        "warnings": [],
    }


def finish_forgetting(workspace: Workspace, memory: MemoryFiles) -> int:
    """Resume interrupted deletions; return the number of records. Raises: Locked,
    StorageError.
    """
    if not begun(memory):
        return 0
    with _exclusive(memory):  # a concurrent deletion finishes first
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
    profiles = (
        (OWN, *workspace.settings.profile)
        if workspace.may_configure("profile")
        else (OWN,)
    )
    total = 0
    failures: list[str] = []
    for profile in profiles:
        if not os.path.lexists(
            workspace.paths.absolute(f"{profile.root}/{TOMBSTONES}")
        ):
            continue
        try:
            count = finish_forgetting(workspace, memory_of(workspace, profile.id))
            total += count
            if count:
                log(
                    workspace.paths,
                    {"event": _JOB, "profile": profile.id, "job": _JOB, "count": count},
                )
        except (CueDeckError, OSError) as error:
            logged = log_error(workspace, profile.id, _JOB, error)
            failures.append(
                f"{profile.id}: an interrupted deletion is still unfinished: {logged['message']}"
            )
    messages = list(failures)
    if total:
        messages.insert(
            0, f"completed an interrupted deletion: {counted(total, 'record')}"
        )
    return Finished(total, tuple(messages), bool(failures))


def _exclusive(memory: MemoryFiles) -> AbstractContextManager[None]:
    """Exclude concurrent deletions. Raises: Locked, StorageError."""
    return locked(memory.workspace, f"{memory.lock}-forgetting")


def begun(memory: MemoryFiles) -> list[str]:
    """Return the ids of the records with an unfinished deletion. Raises:
    StorageError.
    """
    return [each for each, state in tombstones(memory).items() if state == BEGUN]


def tombstones(memory: MemoryFiles) -> dict[str, str]:
    """Return the state of each deletion, `begun` or `done`, by record id. Raises:
    StorageError.
    """
    data = (memory.text(TOMBSTONES) or "").encode("utf-8", "surrogateescape")
    entries = parse_log(data, memory.path(TOMBSTONES)).entries
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
        return _merged(memory, text)


def _texts_of(ids: Iterable[str], known: Mapping[str, Found]) -> dict[str, str]:
    """Return the text of each record by id; empty for an unknown id."""
    texts = dict.fromkeys(ids, "")
    for identity in texts:
        if identity in known:
            texts[identity] = known[identity].record.text
    return texts


def _delete(
    memory: MemoryFiles, gone: Mapping[str, str], dry_run: bool, *, spoken: bool = True
) -> list[Place]:
    """Delete records, a map from id to text, from all files, and with `spoken` the
    statements that repeat them; return the places.

    The tombstones of all records are written before the first deletion.
    """
    with writing(memory) as writer:
        places = list(_places(memory, gone))
        if not dry_run:
            _bury(writer, gone, BEGUN)
        dreams = purge_dreams(memory, writer, gone, dry_run=dry_run)
        if not dry_run:
            for name, _ in places:
                writer.rewrite(name, lambda text: without_records(text, gone))
            for identity, text in gone.items():
                _purge_vectors(memory, writer, identity, text)
            sweep(memory.workspace.cache, memory.place("."), memory.place(FOLDER))
        count = purge(memory, list(gone), dry_run)
    texts = [text for text in gone.values() if text and spoken]
    said = forget_repeated(memory.workspace, texts, dry_run=dry_run) if texts else {}
    found = [Place(memory.path(name), what) for name, what in places]
    found += [Place(memory.path(each.name), each.what) for each in dreams]
    if count:
        found.append(Place(memory.path(EXPERIENCES), f"{count} removed"))
    found += [Place(path, f"{number} removed") for path, number in said.items()]
    return found


def _finish(
    workspace: Workspace, memory: MemoryFiles, gone: Collection[str]
) -> list[Place]:
    """Rebuild the scenes of all worktrees that may contain the records, then mark the
    deletion as done.
    """
    memory.changed("forget")
    forget_quotations(workspace)
    rebuilt = [Place(path, "rebuilt") for path in remake_scenes(workspace)]
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
            changed = remake_scenes(other)
            rebuilt += [Place(paths.absolute(path), "rebuilt") for path in changed]
    with writing(memory) as writer:
        _bury(writer, gone, "done")
    return rebuilt


def _warnings(sources: Sources, originals: bool) -> list[str]:
    if originals:
        rest = sources.total - len(sources.ids)
        if rest <= 0:
            return []
        return [
            f"{rest:,} of the records it was merged from cannot be identified and are kept"
        ]
    if not sources.ids:
        return []
    hint = "they remain in the archive, daily logs and the backup of `compact --undo`; --originals deletes them, too"
    return [f"it was merged from {sources.total:,} records: {hint}"]


def _bury(writer: Writer, ids: Collection[str], state: str) -> None:
    """Append a tombstone in this state for each record."""
    lines: list[str] = []
    for identity in ids:
        row = {
            "id": identity,
            "timestamp": format_record_moment(local_now()),
            "state": state,
        }
        lines.append(f"{json.dumps(row, ensure_ascii=False)}\n")
    writer.add_lines(TOMBSTONES, "".join(lines))


def _places(memory: MemoryFiles, ids: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the files that contain the records or facts merged from them, with a
    description of the content.
    """
    for name in _candidates(memory):
        what = records_named_in(memory.text(name) or "", ids)
        if what:
            yield name, what


def _candidates(memory: MemoryFiles) -> Iterator[str]:
    """Yield every file that may contain text of records. MEMORY.md is last: until then
    the deletion can be resumed.
    """
    names = [name for name in file_names(memory) if name != PRIMARY]
    yield from (*names, memory.long_memory, BACKUP)
    for name in tree_of(memory.place(UNDO)):
        yield f"{UNDO}/{name}"
    yield PRIMARY


def _merged(memory: MemoryFiles, text: str) -> str:
    """Return an id that occurs only in merged facts. Raises: NotFound."""
    if len(text) >= 8:
        for name in (memory.long_memory, PRIMARY):
            content = memory.text(name) or ""
            if records_named_in(content, (text,)):
                return text
    known = every_record(memory, file_names(memory))
    return pick(text, list(known), "record", LISTING)


def _purge_vectors(
    memory: MemoryFiles, writer: Writer, identity: str, record_text: str
) -> None:
    """Delete a record from the vector files of another program."""
    for name in VECTORS:
        if memory.text(name) is not None:
            writer.rewrite(
                name, lambda text: without_vectors(text, identity, record_text)
            )
