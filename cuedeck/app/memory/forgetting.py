"""Forgetting: a record leaves every file, backup and cache; a tombstone with its id stays.

The tombstone is written first, so that a forgetting that is cut short can be taken up again by the same command, and
nothing that comes back from a backup is taken for a memory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.memory.adding import moment
from cuedeck.app.memory.finding import LISTING, every_record, file_names
from cuedeck.app.memory.remade import remake_scenes
from cuedeck.memory.forgetting import holds, without_record
from cuedeck.memory.pick import pick
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.parse.ledger import parse_ledger
from cuedeck.store.clock import local_now
from cuedeck.store.memory.files import PRIMARY, TOMBSTONES, UNDO
from cuedeck.store.memory.leftovers import sweep
from cuedeck.store.memory.vectors import VECTORS, without_vectors

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.store.memory.files import MemoryFiles
    from cuedeck.store.memory.writer import Writer

BACKUP = "MEMORY.md.compaction-backup"
"""A copy that another program leaves beside MEMORY.md."""


_SHORTEST = 4
"""Characters of an id by which something may be forgotten for good."""


class Place(NamedTuple):
    """Where a record was."""

    path: str
    what: str


def forget_record(project: Project, memory: MemoryFiles, text: str, *, dry_run: bool = False) -> dict[str, Any]:
    """Take a record, and what was merged from it, out of everything; return where it was.

    Raises: NotFound, Ambiguous; Locked, StorageError, after which the same command goes on.
    """
    from cuedeck.app.experiences.forgetting import purge

    known = every_record(memory, file_names(memory))
    begun = tombstones(memory)
    if len(text.removeprefix("record:")) < _SHORTEST and text not in known:
        raise Invalid(f"`{text}` is too short to forget by", hint=f"at least {_SHORTEST} characters of the id")
    try:
        identity = pick(text, [*known, *(each for each in begun if each not in known)], "record", LISTING)
    except NotFound:
        identity = _merged(memory, text)
    said = known[identity].record.text if identity in known else ""
    same = [each for each, found in known.items() if said and each != identity and found.record.text == said]
    with memory.writing() as writer:
        places = list(_places(memory, identity))
        if not dry_run:
            _bury(writer, identity, "begun")
            for name, _ in places:
                writer.rewrite(name, lambda text: without_record(text, identity))
            _purge_vectors(memory, writer, identity, said)
            sweep(memory)
        count = purge(memory, [identity], dry_run)
        if not dry_run:
            _bury(writer, identity, "done")
    told = [Place(memory.path(name), what) for name, what in places]
    told += [Place(memory.path("experiences.jsonl"), f"{count} taken out")] if count else []
    if not dry_run:
        memory.changed("forget")
        told += [Place(path, "made anew") for path in remake_scenes(project)]
    return {"id": identity, "dry_run": dry_run, "places": [each._asdict() for each in told], "same_text": same}


def tombstones(memory: MemoryFiles) -> dict[str, str]:
    """Return what became of each forgetting, by the id of the record: `begun` or `done`. Raises: StorageError."""
    data = (memory.text(TOMBSTONES) or "").encode("utf-8", "surrogateescape")
    entries = parse_ledger(data, memory.path(TOMBSTONES)).entries
    return {entry.id: str(entry.value.get("state", "done")) for entry in entries}


def _bury(writer: Writer, identity: str, state: str) -> None:
    line = json.dumps({"id": identity, "timestamp": moment(local_now()), "state": state}, ensure_ascii=False)
    writer.add_lines(TOMBSTONES, f"{line}\n")


def _places(memory: MemoryFiles, identity: str) -> Iterator[tuple[str, str]]:
    """Yield the files that hold a record or what was merged from it, and what they hold."""
    for name in _candidates(memory):
        what = holds(memory.text(name) or "", identity)
        if what:
            yield name, what


def _candidates(memory: MemoryFiles) -> Iterator[str]:
    """Yield every file that may hold text of records; MEMORY.md last, as nothing is forgotten while it is there."""
    names = [name for name in file_names(memory) if name != PRIMARY]
    yield from (*names, memory.long_memory, BACKUP)
    for folder, _, files in os.walk(memory.place(UNDO)):
        below = os.path.relpath(folder, memory.place(UNDO)).replace(os.sep, "/")
        yield from (f"{UNDO}/{below}/{name}".replace("/./", "/") for name in sorted(files))
    yield PRIMARY


def _merged(memory: MemoryFiles, text: str) -> str:
    """Return an id that only what was merged names. Raises: NotFound."""
    for name in (memory.long_memory, PRIMARY):
        if len(text) >= 8 and holds(memory.text(name) or "", text):
            return text
    return pick(text, list(every_record(memory, file_names(memory))), "record", LISTING)


def _purge_vectors(memory: MemoryFiles, writer: Writer, identity: str, said: str) -> None:
    """Take a record out of what another program keeps of it."""
    for name in VECTORS:
        if memory.text(name) is not None:
            writer.rewrite(name, lambda text: without_vectors(text, identity, said))
