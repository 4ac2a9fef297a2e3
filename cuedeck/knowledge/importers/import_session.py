"""Import of a session of a cortex-mem tree.

Messages get the next numbers of the session, in the order of the source. First the
metadata reserve the numbers, then the messages are written, then the metadata are
completed. If the process dies in between, messages that are added meanwhile get higher
numbers, and the next import writes the missing messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

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
from cuedeck.knowledge.cortex.memory_time import UNKNOWN_TIME, utc_second
from cuedeck.knowledge.cortex.message_file import (
    Message,
    format_message,
    timeline_names,
)
from cuedeck.knowledge.cortex.owner_name import OwnerName, owner_name
from cuedeck.knowledge.cortex.session_metadata import (
    SessionMetadata,
    parse_session_metadata,
)
from cuedeck.knowledge.importers.cortex_mem import ForeignMessage, parse_foreign_message
from cuedeck.knowledge.importers.import_job import CortexImport, import_resource
from cuedeck.knowledge.importers.import_plan import ImportRow, row
from cuedeck.model.cortex_address import TIMELINE, CortexAddress, parse_cortex_address
from cuedeck.model.errors import CueDeckError
from cuedeck.model.formatting import replace_controls, replace_surrogates
from cuedeck.model.secret_placeholder import as_words
from cuedeck.store.cortex.cortex_tree import day_addresses

if TYPE_CHECKING:
    from cuedeck.store.cortex.cortex_tree import CortexWriter
    from cuedeck.store.files.foreign_folder import ForeignFile

_UNKNOWN = SessionMetadata(thread_id="", created_at="", updated_at="")
"""Metadata of a session of the source that has none."""
_MAX_TITLE = 1_000
"""Characters of a title, a description, a tag or a participant."""


class _Source(NamedTuple):
    """The files of a session of the source."""

    messages: list[tuple[str, ForeignMessage]]
    """With their paths, in the order of the session."""
    metadata: list[tuple[str, SessionMetadata]]
    """With their paths; valid ones only."""
    others: list[ForeignFile]


def import_session(job: CortexImport, files: Sequence[ForeignFile]) -> list[ImportRow]:
    """Import the files of a session; return the rows. Raises: Locked, StorageError."""
    rows: list[ImportRow] = []
    source = _read_files(job, files, rows)
    identity = job.owner_folder(files[0].path).rpartition("/")[2]
    name = owner_name(identity)
    session = SESSIONS.child(name.name)
    with job.writing() as writer:
        known = read_metadata(job.tree, session)
        if writer is not None:
            known = load_for_change(job.tree, writer, session)
        messages = _messages_here(job, session)
        # Not the number in the metadata, which an interrupted import has reserved.
        seq = max((message.seq for message in messages.values()), default=0)
        if known is not None:
            seq = max(seq, known.committed_seq)
        new = {}
        for path, foreign in source.messages:
            made = _message_row(
                job,
                session,
                path,
                foreign,
                messages,
            )
            rows.append(made)
            if made.action == "new":
                seq += 1
                place = parse_cortex_address(made.target)
                new[place] = messages[place] = foreign.message._replace(seq=seq)
        final = known
        for path, metadata in source.metadata:
            before = final
            final = _merged(
                job,
                name,
                metadata,
                before,
            )
            rows.append(
                _metadata_row(
                    path,
                    session,
                    before,
                    final,
                )
            )
        if new and final is None:
            final = _merged(
                job,
                name,
                _UNKNOWN,
                None,
            )
        if final is not None:
            final = _with_messages(final, messages, new)
            if writer is not None and final != known:
                _write(
                    writer,
                    session,
                    final,
                    new,
                )
        rows += [import_resource(job, writer, file) for file in source.others]
    return rows


def _messages_here(
    job: CortexImport, session: CortexAddress
) -> dict[CortexAddress, Message]:
    """Return the messages that the session has."""
    found = {}
    for each in read_messages(job.tree, day_addresses(job.tree, session)):
        if isinstance(each, TimelineMessage):
            found[each.address] = each.message
    return found


def _message_row(
    job: CortexImport,
    session: CortexAddress,
    path: str,
    foreign: ForeignMessage,
    messages: Mapping[CortexAddress, Message],
) -> ImportRow:
    """Return what happens to a message, with its address."""
    place = _place(
        job,
        session,
        foreign,
        messages,
    )
    if place is None:
        problem = "other files have the addresses of the message"
        return row(
            path,
            "",
            "refused",
            problem,
        )
    if place not in messages:
        return row(path, place.text, "new")
    if messages[place].content.rstrip() == foreign.message.content.rstrip():
        return row(path, place.text, "same")
    problem = "a message with the same id and another text is there"
    return row(
        path,
        place.text,
        "refused",
        problem,
    )


def _write(
    writer: CortexWriter,
    session: CortexAddress,
    final: SessionMetadata,
    new: Mapping[CortexAddress, Message],
) -> None:
    """Write new messages and the metadata. Raises: StorageError."""
    if new:
        write_metadata(writer, session, replace(final, last_message=""))
    for place, message in new.items():
        writer.create(place, format_message(message).encode())
    write_metadata(writer, session, final)


def _read_files(
    job: CortexImport, files: Sequence[ForeignFile], rows: list[ImportRow]
) -> _Source:
    """Return the parsed files of a session; add a row for each invalid one."""
    source = _Source([], [], [])
    for file in files:
        below = job.below_owner(file.path)
        try:
            if below == METADATA:
                source.metadata.append((file.path, _read_metadata(job, file.path)))
            elif below.startswith(f"{TIMELINE}/") and below.endswith(".md"):
                source.messages.append((file.path, _read_message(job, file.path)))
            else:
                source.others.append(file)
        except (CueDeckError, ValueError) as error:
            reason = str(error)
            if below == METADATA:
                reason += "; the metadata are computed from the messages"
            rows.append(
                row(
                    file.path,
                    "",
                    "refused",
                    reason,
                )
            )
    source.messages.sort(key=lambda each: (each[1].order, each[0]))
    return source


def _read_message(job: CortexImport, path: str) -> ForeignMessage:
    """Return a message with its secrets masked. Raises: ValueError, Invalid,
    StorageError.
    """
    found = parse_foreign_message(job.folder.exact_text(path))
    text = replace_controls(found.message.content)
    check_size(text)
    words = (text, as_words(dict(found.message.metadata)))
    content, metadata = mask_to_keep(words, job.workspace)
    masked = found.message._replace(content=content, metadata=metadata)
    return found._replace(message=masked)


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


def _place(
    job: CortexImport,
    session: CortexAddress,
    foreign: ForeignMessage,
    messages: Mapping[CortexAddress, Message],
) -> CortexAddress | None:
    """Return the address of the message with this id, or a free address for it; None if
    other files have its addresses.
    """
    message = foreign.message
    for ending in foreign.endings:
        place = session.child(TIMELINE)
        for name in timeline_names(message.moment, ending):
            place = place.child(name)
        there = messages.get(place)
        if there is not None and there.id == message.id:
            return place
        if there is None and not job.tree.kind_of(place):
            return place
    return None


def _merged(
    job: CortexImport,
    name: OwnerName,
    source: SessionMetadata,
    known: SessionMetadata | None,
) -> SessionMetadata:
    """Return the metadata of the session with those of the source; they contain no time
    of the import itself.
    """
    if known is None:
        original: str = mask_to_keep(name.original[:_MAX_TITLE], job.workspace)
        return replace(
            source,
            thread_id=name.name,
            original_id=replace_surrogates(original) or source.original_id,
        )
    return replace(
        known,
        updated_at=max(known.updated_at, source.updated_at),
        participants=_united(known.participants, source.participants),
        tags=_united(known.tags, source.tags),
        title=known.title or source.title,
        description=known.description or source.description,
    )


def _with_messages(
    metadata: SessionMetadata,
    messages: Mapping[CortexAddress, Message],
    new: Iterable[CortexAddress],
) -> SessionMetadata:
    """Return the metadata of a session with these messages, of which some are new."""
    times = sorted(utc_second(message.time) for message in messages.values())
    latest = max(messages, key=lambda place: messages[place].seq, default=None)
    participants = metadata.participants
    for message in messages.values():
        participants = _united(participants, message.participants)
    days = {"/".join(place.parts[3:5]) for place in new}
    return replace(
        metadata,
        created_at=metadata.created_at or (times[0] if times else UNKNOWN_TIME),
        updated_at=metadata.updated_at or (times[-1] if times else UNKNOWN_TIME),
        message_count=len(messages),
        participants=participants,
        last_seq=max(metadata.last_seq, messages[latest].seq if latest else 0),
        last_message=latest.text if latest else "",
        uncommitted_days=tuple(sorted({*metadata.uncommitted_days, *days})),
    )


def _united(known: Sequence[str], added: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *added)))


def _metadata_row(
    path: str,
    session: CortexAddress,
    known: SessionMetadata | None,
    final: SessionMetadata,
) -> ImportRow:
    target = f"{session.path}/{METADATA}"
    if known is None:
        return row(path, target, "new")
    if known == final:
        return row(path, target, "same")
    return row(path, target, "merged")
