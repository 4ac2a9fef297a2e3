"""Import of a session of a cortex-mem tree.

Messages get the next numbers of the session, in the order of the source. First the
metadata announce the import with the highest number, then the messages are written,
then the metadata are completed. If the process dies in between, messages that are added
meanwhile get higher numbers, and the next import writes the missing messages with the
numbers that the first one would have given them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import as_words, mask_to_keep
from cuedeck.knowledge.cortex.add_message import check_size
from cuedeck.knowledge.cortex.cortex_sessions import (
    METADATA,
    SESSIONS,
    TimelineMessage,
    load_for_change,
    read_metadata,
    write_metadata,
)
from cuedeck.knowledge.cortex.foreign_session import (
    ForeignMessage,
    parse_foreign_message,
)
from cuedeck.knowledge.cortex.memory_time import UNKNOWN_TIME, utc_second
from cuedeck.knowledge.cortex.message_file import Message, format_message
from cuedeck.knowledge.cortex.owner_name import OwnerName, owner_name
from cuedeck.knowledge.cortex.place_messages import (
    Placement,
    SourceMessage,
    place_messages,
)
from cuedeck.knowledge.cortex.session_metadata import (
    SessionMetadata,
    parse_session_metadata,
)
from cuedeck.knowledge.importers.import_job import CortexImport, import_resource
from cuedeck.knowledge.importers.import_plan import ImportRow, row
from cuedeck.model.cortex_address import TIMELINE, CortexAddress
from cuedeck.model.errors import CueDeckError
from cuedeck.model.formatting import replace_controls, replace_surrogates

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter
    from cuedeck.store.files.foreign_folder import ForeignFile

_IMPORTING = "importing"
"""Key of the metadata while an import writes the messages of a session."""
_UNKNOWN = SessionMetadata(thread_id="", created_at="", updated_at="")
"""Metadata of a session of the source that has none."""
_MAX_TITLE = 1_000
"""Characters of a title, a description, a tag or a participant."""


class _Files(NamedTuple):
    """The files of a session of the source."""

    messages: Sequence[SourceMessage]
    """In the order of the session."""
    metadata: Sequence[tuple[str, SessionMetadata]]
    """Masked, with their paths; valid ones only."""
    others: Sequence[ForeignFile]
    rows: list[ImportRow]
    """Rows of invalid files."""


def import_session(
    job: CortexImport, identity: str, files: Sequence[ForeignFile]
) -> list[ImportRow]:
    """Import a session; return the rows. Raises: Locked, StorageError."""
    files_of = _sort_files(job, files)
    rows = files_of.rows
    name = owner_name(identity)
    session = SESSIONS.child(name.name)
    reason = "the id of the session is not a valid name" if name.original else ""
    with job.writing() as writer:
        known = _read_known(job.tree, writer, session)
        placement = place_messages(job, session, files_of.messages, known, reason)
        rows += placement.rows
        final = known
        for path, source in files_of.metadata:
            before = final
            final = _final_metadata(job.workspace, name, source, before, placement)
            rows.append(_metadata_row(path, session, before, final))
        if placement.new and not files_of.metadata:
            final = _final_metadata(job.workspace, name, _UNKNOWN, known, placement)
        if final is not None and writer is not None:
            _write(writer, session, placement.new, known, final)
        rows += [import_resource(job, writer, file) for file in files_of.others]
    return rows


def _sort_files(job: CortexImport, files: Sequence[ForeignFile]) -> _Files:
    """Return the parsed files of a session, with a row for each invalid one."""
    rows: list[ImportRow] = []
    messages: list[SourceMessage] = []
    others: list[ForeignFile] = []
    metadata: list[tuple[str, SessionMetadata]] = []
    for file in files:
        below = job.below_owner(file.path)
        if below == METADATA:
            found = _read_metadata(job, file, rows)
            if found is not None:
                metadata.append((file.path, found))
        elif below.startswith(f"{TIMELINE}/") and below.endswith(".md"):
            try:
                messages.append(SourceMessage(file.path, _read_message(job, file.path)))
            except (CueDeckError, ValueError) as error:
                rows.append(row(file.path, "", "refused", str(error)))
        else:
            others.append(file)
    messages.sort(key=_order)
    return _Files(messages, metadata, others, rows)


def _write(
    writer: CortexWriter,
    session: CortexAddress,
    new: Sequence[TimelineMessage],
    known: SessionMetadata | None,
    final: SessionMetadata,
) -> None:
    """Write the new messages and the metadata. Raises: StorageError."""
    if new:
        begun = replace(final, last_message="", rest={**final.rest, _IMPORTING: True})
        write_metadata(writer, session, begun)
    for each in new:
        writer.create(each.address, format_message(each.message).encode())
    if final != known:
        write_metadata(writer, session, final)


def _read_known(
    tree: CortexTree, writer: CortexWriter | None, session: CortexAddress
) -> SessionMetadata | None:
    """Return the metadata of the session in the workspace. Raises: StorageError."""
    if writer is None:
        return read_metadata(tree, session)
    return load_for_change(tree, writer, session)


def _read_message(job: CortexImport, path: str) -> ForeignMessage:
    """Return a message with its secrets masked. Raises: ValueError, Invalid,
    StorageError.
    """
    found = parse_foreign_message(job.folder.exact_text(path))
    text = replace_controls(found.message.content)
    check_size(text)
    content: str = mask_to_keep(text, job.workspace)
    metadata = mask_to_keep(as_words(dict(found.message.metadata)), job.workspace)
    masked = found.message._replace(content=content, metadata=metadata)
    return found._replace(message=masked)


def _read_metadata(
    job: CortexImport, file: ForeignFile, rows: list[ImportRow]
) -> SessionMetadata | None:
    """Return the metadata of the source, masked; None if they are invalid."""
    try:
        found = parse_session_metadata(job.folder.read(file.path))
    except (CueDeckError, ValueError) as error:
        reason = f"{error}; the metadata are computed from the messages"
        rows.append(row(file.path, "", "refused", reason))
        return None
    texts = (found.title, found.description, found.user_id, found.agent_id)
    title, description, user, agent = (_plain(text, job.workspace) for text in texts)
    return SessionMetadata(
        thread_id=found.thread_id,
        created_at=utc_second(found.created_at),
        updated_at=utc_second(found.updated_at),
        status=found.status,
        closed_at=utc_second(found.closed_at),
        participants=tuple(_plain(text, job.workspace) for text in found.participants),
        tags=tuple(_plain(text, job.workspace) for text in found.tags),
        title=title,
        description=description,
        user_id=user,
        agent_id=agent,
        original_id=_plain(found.original_id, job.workspace),
    )


def _final_metadata(
    workspace: Workspace,
    name: OwnerName,
    source: SessionMetadata,
    known: SessionMetadata | None,
    placement: Placement,
) -> SessionMetadata:
    """Return the metadata of the session after the import; they contain no time of the
    import itself.
    """
    messages = dict(placement.known)
    messages.update(placement.new)
    times = [utc_second(message.time) for message in messages.values()]
    first = min(times, default=UNKNOWN_TIME)
    last = max(times, default=UNKNOWN_TIME)
    was_complete = True
    if known is None or _IMPORTING in known.rest:
        was_complete = False
    if known is None:
        known = replace(
            source,
            thread_id=name.name,
            created_at=source.created_at or first,
            original_id=_plain(name.original, workspace) or source.original_id,
        )
    participants = [*known.participants, *source.participants]
    for message in messages.values():
        participants += message.participants
    days = {*known.uncommitted_days}
    for each in placement.new:
        day = each.address.parts[3:5]
        days.add("/".join(day))
    final = replace(
        known,
        updated_at=max(known.updated_at, source.updated_at or last),
        participants=tuple(dict.fromkeys(participants)),
        tags=tuple(dict.fromkeys((*known.tags, *source.tags))),
        title=known.title or source.title,
        description=known.description or source.description,
        uncommitted_days=tuple(sorted(days)),
    )
    if was_complete and not placement.new:
        return final
    return _with_counts(final, messages)


def _with_counts(
    metadata: SessionMetadata, messages: Mapping[CortexAddress, Message]
) -> SessionMetadata:
    """Return the metadata of a session with these messages, all of them written."""
    latest = max(messages, key=lambda place: messages[place].seq, default=None)
    last_seq = messages[latest].seq if latest else 0
    rest = {key: metadata.rest[key] for key in metadata.rest if key != _IMPORTING}
    return replace(
        metadata,
        message_count=len(messages),
        last_seq=max(metadata.last_seq, last_seq),
        last_message=latest.text if latest else "",
        rest=MappingProxyType(rest),
    )


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


def _plain(text: str, workspace: Workspace) -> str:
    """Return a text on one line with its secrets masked."""
    masked: str = mask_to_keep(" ".join(text[:_MAX_TITLE].split()), workspace)
    return replace_surrogates(masked)


def _order(source: SourceMessage) -> tuple[tuple[str, int], str]:
    return source.found.order, source.path
