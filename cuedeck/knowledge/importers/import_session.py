"""Import of a session into the cortex tree: its messages and its metadata.

New messages follow those of the session, in the order of the source. A message that the
session has is compared and never replaced; the metadata are those of the source only if
the session is new. The metadata are written first, so that a killed import is completed
by the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.knowledge.cortex.add_message import check_size
from cuedeck.knowledge.cortex.cortex_sessions import (
    METADATA,
    SESSIONS,
    TimelineMessage,
    load_for_change,
    read_messages,
    read_metadata,
    write_metadata,
)
from cuedeck.knowledge.cortex.memory_card import UNKNOWN_TIME
from cuedeck.knowledge.cortex.message_file import (
    Message,
    format_message,
    timeline_names,
)
from cuedeck.knowledge.cortex.session_metadata import (
    SessionMetadata,
    parse_session_metadata,
)
from cuedeck.knowledge.cortex.session_owners import OwnerName, owner_name
from cuedeck.knowledge.importers.cortex_mem import (
    ForeignMessage,
    parse_foreign_message,
)
from cuedeck.knowledge.importers.import_job import (
    CortexImport,
    ImportRow,
    import_resource,
    row,
)
from cuedeck.model.cortex_address import TIMELINE, CortexAddress
from cuedeck.model.errors import CueDeckError
from cuedeck.model.formatting import replace_controls, replace_surrogates
from cuedeck.model.secret import as_words
from cuedeck.store.cortex.cortex_tree import day_addresses
from cuedeck.text.timestamps import utc_second

if TYPE_CHECKING:
    from cuedeck.store.files.foreign_folder import ForeignFile

_MAX_TITLE = 1_000
"""Characters of a title, a description, a tag or a participant."""


def import_session(job: CortexImport, files: Sequence[ForeignFile]) -> list[ImportRow]:
    """Import the files of a session; return the rows. Raises: Locked, StorageError."""
    rows: list[ImportRow] = []
    name = owner_name(job.owner_folder(files[0].path).rpartition("/")[2])
    session = SESSIONS.child(name.name)
    found, given, others = _read_files(job, files, rows)
    with job.writing() as writer:
        known = read_metadata(job.tree, session)
        if writer is not None:
            known = load_for_change(job.tree, writer, session)
        messages = _messages_here(job, session)
        # Not the number in the metadata, which an interrupted import has reserved.
        seq = max((message.seq for message in messages.values()), default=0)
        seq = max(seq, known.committed_seq if known is not None else 0)
        new: dict[CortexAddress, Message] = {}
        for foreign, path in found:
            made = _message_row(job, session, path, foreign.message, messages)
            rows.append(made[1])
            if made[1].action == "new":
                seq += 1
                new[made[0]] = messages[made[0]] = foreign.message._replace(seq=seq)
        metadata = _session_metadata(job, name, known, given, rows)
        if writer is not None and (new or (known is None and given)):
            write_metadata(writer, session, _with_messages(metadata, messages, new))
            for place, message in new.items():
                writer.create(place, format_message(message).encode())
        rows += [import_resource(job, writer, file) for file in others]
    return rows


def _session_metadata(
    job: CortexImport,
    name: OwnerName,
    known: SessionMetadata | None,
    given: Sequence[tuple[str, SessionMetadata]],
    rows: list[ImportRow],
) -> SessionMetadata:
    """Return the metadata of the session: those that it has, else those of the source;
    add their rows.
    """
    metadata = known
    for path, source in given:
        target = f"{SESSIONS.child(name.name).path}/{METADATA}"
        if metadata is not None:
            rows.append(row(path, target, "same", "those of the session stay"))
            continue
        original: str = mask_to_keep(name.original[:_MAX_TITLE], job.workspace)
        original = replace_surrogates(original) or source.original_id
        metadata = replace(source, thread_id=name.name, original_id=original)
        rows.append(row(path, target, "new"))
    return metadata or SessionMetadata(name.name, created_at="", updated_at="")


def _read_files(
    job: CortexImport, files: Sequence[ForeignFile], rows: list[ImportRow]
) -> tuple[
    list[tuple[ForeignMessage, str]],
    list[tuple[str, SessionMetadata]],
    list[ForeignFile],
]:
    """Return the messages in their order, the metadata and the other files of a
    session; add a row for each invalid file.
    """
    found: list[tuple[ForeignMessage, str]] = []
    given: list[tuple[str, SessionMetadata]] = []
    others: list[ForeignFile] = []
    for file in files:
        below = job.below_owner(file.path)
        try:
            if below == METADATA:
                given.append((file.path, _read_metadata(job, file.path)))
            elif below.startswith(f"{TIMELINE}/") and below.endswith(".md"):
                found.append((_read_message(job, file.path), file.path))
            else:
                others.append(file)
        except (CueDeckError, ValueError) as error:
            rows.append(row(file.path, "", "refused", str(error)))
    found.sort(key=lambda each: (each[0].order, each[1]))
    return found, given, others


def _messages_here(
    job: CortexImport, session: CortexAddress
) -> dict[CortexAddress, Message]:
    found = {}
    for each in read_messages(job.tree, day_addresses(job.tree, session)):
        if isinstance(each, TimelineMessage):
            found[each.address] = each.message
    return found


def _message_row(
    job: CortexImport,
    session: CortexAddress,
    path: str,
    message: Message,
    messages: dict[CortexAddress, Message],
) -> tuple[CortexAddress, ImportRow]:
    """Return the address of a message, and what happens to it."""
    place = session.child(TIMELINE)
    for name in timeline_names(message.moment, message.id.replace("_", "-")):
        place = place.child(name)
    there = messages.get(place)
    if there is None and not job.tree.kind_of(place):
        return place, row(path, place.text, "new")
    if there is not None and there.content.rstrip() == message.content.rstrip():
        return place, row(path, place.text, "same")
    return place, row(path, place.text, "refused", "another text is there")


def _read_message(job: CortexImport, path: str) -> ForeignMessage:
    """Return a message with its secrets masked. Raises: ValueError, Invalid,
    StorageError.
    """
    found = parse_foreign_message(job.folder.exact_text(path))
    text = replace_controls(found.message.content)
    check_size(text)
    words = (text, as_words(dict(found.message.metadata)))
    content, metadata = mask_to_keep(words, job.workspace)
    return found._replace(
        message=found.message._replace(content=content, metadata=metadata)
    )


def _read_metadata(job: CortexImport, path: str) -> SessionMetadata:
    """Return the metadata of the source with texts of one line, masked. Raises:
    ValueError, StorageError.
    """
    found = parse_session_metadata(job.folder.read(path))

    def plain(text: str) -> str:
        line: str = mask_to_keep(" ".join(text[:_MAX_TITLE].split()), job.workspace)
        return replace_surrogates(line)

    return SessionMetadata(
        thread_id=found.thread_id,
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
        original_id=plain(found.original_id),
    )


def _with_messages(
    metadata: SessionMetadata,
    messages: dict[CortexAddress, Message],
    new: dict[CortexAddress, Message],
) -> SessionMetadata:
    """Return the metadata of a session with these messages, of which some are new; they
    contain no time of the import itself.
    """
    times = sorted(utc_second(message.time) for message in messages.values())
    participants = dict.fromkeys(metadata.participants)
    for message in messages.values():
        participants.update(dict.fromkeys(message.participants))
    days = {"/".join(place.parts[3:5]) for place in new}
    seqs = [message.seq for message in messages.values()]
    return replace(
        metadata,
        created_at=metadata.created_at or (times[0] if times else UNKNOWN_TIME),
        updated_at=metadata.updated_at or (times[-1] if times else UNKNOWN_TIME),
        message_count=len(messages),
        participants=tuple(participants),
        last_seq=max((metadata.last_seq, *seqs)),
        last_message="",
        uncommitted_days=tuple(sorted({*metadata.uncommitted_days, *days})),
    )
