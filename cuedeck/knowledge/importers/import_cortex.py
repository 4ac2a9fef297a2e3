"""Import of a tree of cortex-mem into the cortex tree.

The target of a file depends on the file and its name only. A file that exists at the
target is compared and never replaced; a memory is added to the card of its key. So a
repeated import changes nothing, and a killed one is completed by the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.knowledge.cortex.add_message import check_size
from cuedeck.knowledge.cortex.change_cards import CardChanges, write_cards
from cuedeck.knowledge.cortex.cortex_sessions import (
    MAX_ID,
    METADATA,
    SESSIONS,
    TimelineMessage,
    metadata_of_messages,
    owner_name,
    read_messages,
    read_metadata,
    write_metadata,
)
from cuedeck.knowledge.cortex.memory_card import PLACES, Outcome
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
from cuedeck.model.cortex_address import DIMENSIONS, TIMELINE, CortexAddress
from cuedeck.model.formatting import replace_controls, replace_surrogates
from cuedeck.store.cortex.cortex_tree import CortexWriter, day_addresses
from cuedeck.store.cortex.layer_store import FILE_LAYERS, FOLDER_NAMES
from cuedeck.text.timestamps import utc_second

if TYPE_CHECKING:
    from cuedeck.knowledge.cortex.extract_memories import ExtractedMemory
    from cuedeck.knowledge.importers.import_job import Action, ImportJob
    from cuedeck.model.cortex_address import Dimension

_LAYERS = (*FOLDER_NAMES.values(), FILE_LAYERS)
"""Names of files and folders with layers."""
_ACTIONS: Mapping[Outcome, Action] = {"made": "new", "known": "same"}
"""What became of a memory; another outcome is `merged`."""


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
            continue
        action = _ACTIONS.get(added.outcome, "merged")
        reason = ""
        if owner_name(owner).original:
            reason = "the id of the owner is not a valid name"
        if action == "merged":
            reason = f"added to the memory `{added.card.shown_title}`"
        job.add(path, place.text, action, reason)
    if job.writer is not None:
        write_cards(job.writer, changes)


def _import_session(job: ImportJob, owner: str, paths: Sequence[str]) -> None:
    """Import the messages and the metadata of a session.

    New messages follow those of the session, in the order of the source; the metadata
    are those of the source only if the session is new. They are computed from the
    messages and written last, so that a killed import is completed by the next; those
    of an existing session reserve the numbers of the new messages first.
    """
    session = SESSIONS.child(owner_name(owner).name)
    is_new = job.tree.read_reserved(session, METADATA) is None
    known = read_metadata(job.tree, session, job.writer)
    metadata = known
    found: list[tuple[Message, str]] = []
    for path in paths:
        below = path.split("/")[2:]
        with job.refusing(path):
            if below == [METADATA]:
                source = _read_metadata(job, path, owner)
                if is_new:
                    metadata = source
                    job.add(path, f"{session.path}/{METADATA}", "new")
                else:
                    reason = "those of the session stay"
                    job.add(path, f"{session.path}/{METADATA}", "same", reason)
            elif below[0] == TIMELINE and path.endswith(".md"):
                found.append((_read_message(job, path), path))
            else:
                job.copy_resource(path)
    found.sort(key=lambda each: (message_order(each[0]), each[1]))
    seq = known.committed_seq if known is not None else 0
    new = _new_messages(job, session, found, seq)
    if job.writer is None or not (found or metadata is not known):
        return
    if not is_new:
        _reserve(job.writer, session, known, new)
    for place, message in new.items():
        job.writer.create(place, format_message(message).encode())
    shown = metadata_of_messages(job.tree, session, seq)
    write_metadata(job.writer, session, _with_messages(metadata or shown, shown, new))


def _reserve(
    writer: CortexWriter,
    session: CortexAddress,
    known: SessionMetadata | None,
    new: Mapping[CortexAddress, Message],
) -> None:
    if known is None or not new:
        return
    last_seq = max(message.seq for message in new.values())
    reserved = replace(known, last_seq=max(known.last_seq, last_seq))
    write_metadata(writer, session, _with_days(reserved, new))


def _with_messages(
    metadata: SessionMetadata, shown: SessionMetadata, new: Iterable[CortexAddress]
) -> SessionMetadata:
    participants = (*metadata.participants, *shown.participants)
    changed = replace(
        metadata,
        created_at=metadata.created_at or shown.created_at,
        updated_at=metadata.updated_at or shown.updated_at,
        message_count=shown.message_count,
        participants=tuple(dict.fromkeys(participants)),
        last_seq=max(metadata.last_seq, shown.last_seq),
        last_message=shown.last_message,
        uncommitted_days=(*metadata.uncommitted_days, *shown.uncommitted_days),
    )
    return _with_days(changed, new)


def _with_days(
    metadata: SessionMetadata, new: Iterable[CortexAddress]
) -> SessionMetadata:
    days = {"/".join(place.parts[3:5]) for place in new}
    days.update(metadata.uncommitted_days)
    return replace(metadata, uncommitted_days=tuple(sorted(days)))


def _new_messages(
    job: ImportJob,
    session: CortexAddress,
    found: Sequence[tuple[Message, str]],
    seq: int,
) -> dict[CortexAddress, Message]:
    """Return the messages that a session lacks, with their numbers after `seq` and
    after those of the session; add a row for each message.
    """
    known = {
        each.address: each.message
        for each in read_messages(job.tree, day_addresses(job.tree, session))
        if isinstance(each, TimelineMessage)
    }
    seq = max((seq, *(message.seq for message in known.values())))
    new: dict[CortexAddress, Message] = {}
    for message, path in found:
        place = session.child(TIMELINE)
        for part in timeline_names(message.moment, message.id.replace("_", "-")):
            place = place.child(part)
        there = known.get(place)
        if there is None and not job.tree.kind_of(place):
            seq += 1
            new[place] = known[place] = message._replace(seq=seq)
            job.add(path, place.text, "new")
        elif there is not None and there.content.rstrip() == message.content.rstrip():
            job.add(path, place.text, "same")
        else:
            job.add(path, place.text, "refused", "another text is there")
    return new


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
