"""Import of a tree of cortex-mem into the cortex tree.

A session is taken over as a whole, if the workspace has none with its name; a file that
exists at its target is never replaced, and a memory is added to the card of its key. So
a repeated import changes nothing, and a killed one is completed by the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.knowledge.cortex.add_message import check_size
from cuedeck.knowledge.cortex.change_cards import CardChanges, write_cards
from cuedeck.knowledge.cortex.cortex_sessions import (
    MAX_ID,
    METADATA,
    SESSIONS,
    metadata_of_messages,
    owner_name,
    write_metadata,
)
from cuedeck.knowledge.cortex.memory_card import PLACES
from cuedeck.knowledge.cortex.message_file import (
    Message,
    format_message,
    timeline_names,
)
from cuedeck.knowledge.cortex.session_metadata import (
    SessionMetadata,
    parse_session_metadata,
)
from cuedeck.knowledge.importers.cortex_mem import (
    INDEX,
    message_order,
    parse_foreign_message,
    parse_memory,
    parse_memory_index,
)
from cuedeck.model.cortex_address import DIMENSIONS, TIMELINE
from cuedeck.model.formatting import replace_controls, replace_surrogates
from cuedeck.store.cortex.layer_store import FILE_LAYERS, FOLDER_NAMES
from cuedeck.text.timestamps import utc_second

if TYPE_CHECKING:
    from cuedeck.knowledge.cortex.extract_memories import ExtractedMemory
    from cuedeck.knowledge.importers.import_job import ImportJob
    from cuedeck.model.cortex_address import CortexAddress, Dimension

_LAYERS = (*FOLDER_NAMES.values(), FILE_LAYERS)
"""Names of files and folders with layers."""


def import_cortex(job: ImportJob) -> None:
    """Import a tree. Raises: Locked, StorageError, ConfigurationError."""
    with job.writing():
        for dimension in DIMENSIONS:
            owners: dict[str, list[str]] = {}
            for path in _readable(job, dimension):
                names = path.split("/")
                owner = names[1] if len(names) > 2 else ""
                owners.setdefault(owner, []).append(path)
            for owner, paths in owners.items():
                if dimension == "session" and owner:
                    _import_session(job, owner, paths)
                elif dimension in ("user", "agent") and owner:
                    _import_owner(job, dimension, owner, paths)
                else:
                    for path in paths:
                        job.copy_resource(path)


def _readable(job: ImportJob, dimension: Dimension) -> list[str]:
    """Return the paths of the files that can be read; add a row for each other one."""
    found = []
    for file in job.folder.files(dimension):
        name = file.path.rsplit("/", 1)[-1]
        if name in _LAYERS:
            reason = "a layer; `cuedeck layers build` makes new layers"
            job.add(file.path, "", "left out", reason)
        elif file.problem:
            job.add(file.path, "", "refused", file.problem)
        elif name.startswith(".") and name not in (INDEX, METADATA):
            job.add(file.path, "", "left out", "a hidden file is not read")
        else:
            found.append(file.path)
    return found


def _import_owner(
    job: ImportJob, dimension: Dimension, owner: str, paths: Sequence[str]
) -> None:
    kinds = {place: kind for kind, place in PLACES.items()}
    entries: dict[str, Mapping[str, Any]] = {}
    memories: list[tuple[str, ExtractedMemory]] = []
    for path in sorted(paths, key=lambda path: not path.endswith(f"/{INDEX}")):
        below = path.split("/")[2:]
        kind = kinds.get((dimension, below[0]))
        if below == [INDEX]:
            with job.refusing(path, "not an index: "):
                entries = parse_memory_index(job.text(path))
        elif kind is None or len(below) != 2 or not path.endswith(".md"):
            job.copy_resource(path)
        else:
            with job.refusing(path):
                entry = entries.get("/".join(below), {})
                stem = below[1].removesuffix(".md")
                memories.append((path, parse_memory(job.text(path), stem, kind, entry)))
    changes = CardChanges(job.tree)
    for path, memory in sorted(memories, key=lambda each: (each[1].time, each[0])):
        place, added = changes.add(owner, memory)
        if added is None:
            reason = "a file without a memory is there"
            job.add(path, place.text, "refused", reason)
        elif added.outcome == "known":
            job.add(path, place.text, "same")
        elif added.outcome == "made":
            job.add(path, place.text, "new", _renamed(owner))
        else:
            reason = f"added to the memory `{added.card.shown_title}`"
            job.add(path, place.text, "merged", reason)
    if job.writer is not None:
        write_cards(job.writer, changes)


def _renamed(owner: str) -> str:
    is_renamed = bool(owner_name(owner).original)
    return "the id of the owner is not a valid name" if is_renamed else ""


def _import_session(job: ImportJob, owner: str, paths: Sequence[str]) -> None:
    """Import the messages, then the metadata of a session that the tree lacks. The
    metadata are written last: without them a killed import is completed by the next.
    """
    session = SESSIONS.child(owner_name(owner).name)
    if job.tree.read_reserved(session, METADATA) is not None:
        for path in paths:
            job.add(path, session.text, "left out", "the session exists")
        return
    metadata: SessionMetadata | None = None
    found: list[tuple[Message, str]] = []
    for path in paths:
        below = path.split("/")[2:]
        with job.refusing(path):
            if below == [METADATA]:
                metadata = _read_metadata(job, path, owner)
                job.add(path, f"{session.path}/{METADATA}", "new")
            elif below[0] == TIMELINE and path.endswith(".md"):
                found.append((_read_message(job, path), path))
            else:
                job.copy_resource(path)
    _place_messages(job, session, found)
    if job.writer is None or not (found or metadata):
        return
    shown = metadata_of_messages(job.tree, session)
    if metadata is not None:
        participants = (*metadata.participants, *shown.participants)
        shown = replace(
            metadata,
            created_at=metadata.created_at or shown.created_at,
            updated_at=metadata.updated_at or shown.updated_at,
            message_count=shown.message_count,
            participants=tuple(dict.fromkeys(participants)),
            last_seq=shown.last_seq,
            last_message=shown.last_message,
            uncommitted_days=shown.uncommitted_days,
        )
    write_metadata(job.writer, session, shown)


def _place_messages(
    job: ImportJob, session: CortexAddress, found: list[tuple[Message, str]]
) -> None:
    found.sort(key=lambda each: (message_order(each[0]), each[1]))
    taken: set[CortexAddress] = set()
    for message, path in found:
        place = session.child(TIMELINE)
        for part in timeline_names(message.moment, message.id.replace("_", "-")):
            place = place.child(part)
        if place in taken:
            job.add(path, place.text, "refused", "another text is there")
            continue
        taken.add(place)
        job.add(path, place.text, "new")
        numbered = message._replace(seq=len(taken))
        if job.writer is not None and not job.tree.kind_of(place):
            job.writer.create(place, format_message(numbered).encode())


def _read_message(job: ImportJob, path: str) -> Message:
    """Return a message with its secrets masked. Raises: ValueError, Invalid,
    StorageError.
    """
    found = parse_foreign_message(job.text(path))
    text = replace_controls(found.content)
    check_size(text)
    return found._replace(content=text)


def _read_metadata(job: ImportJob, path: str, owner: str) -> SessionMetadata:
    """Return the metadata of the source for a session without messages, with texts of
    one line. Raises: ValueError, Invalid, StorageError.
    """
    found = parse_session_metadata(job.text(path).encode())
    name = owner_name(owner)

    def plain(text: str) -> str:
        return replace_surrogates(" ".join(text[:MAX_ID].split()))

    return SessionMetadata(
        thread_id=name.name,
        created_at=utc_second(found.created_at),
        updated_at=utc_second(found.updated_at),
        status=found.status,
        closed_at=utc_second(found.closed_at),
        participants=tuple(map(plain, found.participants)),
        tags=tuple(map(plain, found.tags)),
        title=plain(found.title),
        description=plain(found.description),
        user_id=plain(found.user_id),
        agent_id=plain(found.agent_id),
        original_id=mask_to_keep(name.original, job.workspace),
    )
