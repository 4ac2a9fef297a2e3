"""Adding a message to the timeline of a session.

The metadata of the session are written first, with the number and the address of the
new message, then the file of the message. If the process dies in between, the next
writer finds no file at that address and takes the number back. So an acknowledged
message is never lost, and no two messages of a session have the same number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.knowledge.cortex.cortex_sessions import (
    MAX_ID,
    NO_OWNERS,
    SESSIONS,
    SessionOwners,
    owners_of,
    read_metadata,
    session_name,
    with_owners,
    write_metadata,
)
from cuedeck.knowledge.cortex.message_file import (
    ID_LENGTH,
    ROLES,
    Message,
    Role,
    format_message,
    message_digest,
    parse_message,
    timeline_names,
)
from cuedeck.knowledge.cortex.session_metadata import SessionMetadata, with_source
from cuedeck.model.cortex_address import TIMELINE, CortexAddress, parse_cortex_address
from cuedeck.model.errors import Invalid, NotFound, TooLong
from cuedeck.model.formatting import (
    abbreviate,
    quoted,
    replace_controls,
    replace_surrogates,
)
from cuedeck.model.secret import as_words
from cuedeck.store.clock import timestamp
from cuedeck.store.cortex.cortex_tree import CortexTree

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.cortex.cortex_sessions import OwnerName
    from cuedeck.model.settings_schema import CortexSettings

MAX_BYTES = 1_000_000
"""UTF-8 bytes of the longest message."""
_MAX_METADATA = 10_000
"""Characters of the JSON of the metadata of a message."""
_MARK_DIGITS = 16
"""Digits of the mark by which the repetition of a message is recognised."""


class MessageSource(NamedTuple):
    """Agent session that sent a message, for finding repetitions: a host may run a hook
    twice, and a killed hook runs again.
    """

    key: str
    """Identifies the session of the host."""
    turn: str = ""
    """Identifies the turn, if the host has turns."""


class NewMessage(NamedTuple):
    """A message to be added."""

    text: str
    role: str = "user"
    time: str = ""
    """RFC 3339 with a zone; by default now."""
    participants: Sequence[str] = ()
    """By default the user or the agent of the session, according to the role."""
    source: MessageSource | None = None
    metadata: Mapping[str, Any] = MappingProxyType({})
    """JSON values, such as tags and importance."""
    owners: SessionOwners = NO_OWNERS
    """User and agent that the caller names."""
    is_event: bool = False
    """Whether a hook sends the message. It may name another agent than that of the
    session, and is then a message of that agent; no event is lost.
    """


class AddedMessage(NamedTuple):
    """The place of a message in its timeline."""

    address: CortexAddress
    session: str
    """Name of the folder of the session."""
    seq: int
    id: str
    note: str = ""
    """Set if the folder of the session has not the given id as its name."""


def add_message(
    workspace: Workspace,
    new: NewMessage,
    session: str = "",
    patience_seconds: float | None = None,
) -> AddedMessage:
    """Write a message durably at the end of a session, with the secrets in its text,
    its participants and its metadata masked. Control characters in the text become
    U+FFFD.

    The session is created if it does not exist, and a closed session becomes active. A
    message that repeats the last one of its source is not written again. Raises:
    TooLong, Invalid with nothing written, also if the session has another user or
    agent; Locked, StorageError, ConfigurationError.
    """
    role = next((each for each in ROLES if each == new.role), None)
    if role is None:
        hint = f"use one of {', '.join(ROLES)}"
        raise Invalid(f"`{new.role}` is not a role", hint=hint)
    check_size(new.text)
    text = replace_controls(new.text)
    check_size(text)
    time = _checked_time(new.time)
    if not text.strip():
        raise Invalid("a message needs a text", hint='cuedeck cortex add "the text"')
    metadata_of_message = _checked_metadata(new.metadata)
    given = (replace_surrogates(text), metadata_of_message, tuple(new.participants))
    content, metadata_of_message, participants = mask_to_keep(given, workspace)
    new = new._replace(participants=participants)
    name = session_name(workspace.find_secrets, workspace.settings, session)
    note = ""
    if name.original:
        note = (
            "the id of the session cannot be the name of a folder, so the session is"
            f" named by the hash of its id: {name.name}"
        )
    address = SESSIONS.child(name.name)
    tree = CortexTree(workspace.paths)
    with tree.writing(patience_seconds) as writer:
        now = timestamp()
        metadata = read_metadata(tree, address, writer)
        if metadata is None:
            metadata = new_metadata(workspace.settings.cortex, name, now, new.owners)
        elif not new.is_event:
            metadata = with_owners(metadata, new.owners)
        if metadata.status == "archived":
            raise archived_error(address)
        mark = ""
        if new.source is not None:
            speaker = f"{role} {new.source.turn}"
            mark = message_digest(new.source.key, 0, speaker, content)[:_MARK_DIGITS]
            known = _find_repetition(tree, metadata, new.source.key, mark)
            if known is not None:
                return known._replace(note=note)
        owners = owners_of(metadata, workspace.settings.cortex)
        unnamed = Message(
            id="",
            role=role,
            seq=metadata.last_seq + 1,
            time=time or now,
            participants=_participants(new, role, owners),
            content=content,
            metadata=metadata_of_message,
        )
        place, message = _named(tree, address, unnamed)
        metadata = _with_message(metadata, message, place, now)
        if new.source is not None:
            metadata = with_source(metadata, new.source.key, f"{mark} {place.text}")
        write_metadata(writer, address, metadata)
        writer.create(place, format_message(message).encode())
    return AddedMessage(place, address.name, message.seq, message.id, note)


def new_metadata(
    settings: CortexSettings,
    name: OwnerName,
    now: str,
    owners: SessionOwners,
) -> SessionMetadata:
    """Return the metadata of a session that does not exist yet; an id that `owners`
    lacks is that of the settings.
    """
    return SessionMetadata(
        thread_id=name.name,
        created_at=now,
        updated_at=now,
        original_id=replace_surrogates(name.original[:MAX_ID]),
        user_id=owners.user or settings.user,
        agent_id=owners.agent or settings.agent,
    )


def archived_error(session: CortexAddress) -> Invalid:
    """Return the error for a change of an archived session."""
    return Invalid(
        f"session {session.name} is archived",
        hint=f"`cuedeck cortex open {quoted(session.name)}` makes it active again",
    )


def check_size(text: str) -> None:
    """Raise TooLong if a text is too long for a message."""
    size = len(text)
    if size * 4 > MAX_BYTES:
        size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise TooLong(
            f"a message has at most {MAX_BYTES:,} bytes, got {size:,}",
            hint="put the text in a file and add a message with its path",
        )


def _checked_time(text: str) -> str:
    """Return a time as RFC 3339 to the second, in its own zone; empty for none. Raises:
    Invalid.
    """
    if not text:
        return ""
    hint = "write a time such as 2026-11-22T09:15:00Z or 2026-11-22T09:15:00+01:00"
    try:
        moment = datetime.fromisoformat(text.strip().upper())
        moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Invalid(f"`{abbreviate(text)}` is not a time", hint=hint) from None
    if moment.tzinfo is None:
        raise Invalid(f"`{abbreviate(text)}` has no time zone", hint=hint)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def parse_metadata(text: str) -> Mapping[str, Any]:
    """Return the metadata of a message in a JSON object; none in an empty text.
    Raises: Invalid.
    """
    if not text:
        return {}
    value = None
    with suppress(ValueError, RecursionError):
        value = json.loads(text)
    if not isinstance(value, dict):
        raise _bad_metadata()
    return value


def _bad_metadata() -> Invalid:
    return Invalid(
        "the metadata of a message must be a JSON object",
        hint='write metadata such as {"tags": ["auth"], "importance": "high"}',
    )


def _checked_metadata(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a copy of metadata as it will be read back. Raises: TooLong; Invalid for
    values that are not JSON.
    """
    if not given:
        return given
    try:
        text = json.dumps(dict(given))
    except (TypeError, ValueError, RecursionError):
        raise _bad_metadata() from None
    if len(text) > _MAX_METADATA:
        raise TooLong(
            f"the metadata of a message have at most {_MAX_METADATA:,} characters,"
            f" got {len(text):,}",
            hint="put long texts in the message",
        )
    copy: dict[str, Any] = as_words(json.loads(text))
    return copy


def _participants(
    new: NewMessage, role: Role, owners: SessionOwners
) -> tuple[str, ...]:
    named = tuple(new.participants)
    if not named and role == "user":
        named = (f"user/{new.owners.user or owners.user}",)
    if not named and role == "assistant":
        named = (f"agent/{new.owners.agent or owners.agent}",)
    return named


def _find_repetition(
    tree: CortexTree,
    metadata: SessionMetadata,
    key: str,
    mark: str,
) -> AddedMessage | None:
    """Return the last message of a source if it has this mark and still exists."""
    last, _, address = metadata.sources.get(key, "").partition(" ")
    if last != mark:
        return None
    place = parse_cortex_address(address)
    try:
        message = parse_message(tree.read(place).decode())
    except (NotFound, ValueError):  # deleted or changed by hand
        return None
    return AddedMessage(place, metadata.thread_id, message.seq, message.id)


def _named(
    tree: CortexTree,
    session: CortexAddress,
    message: Message,
) -> tuple[CortexAddress, Message]:
    """Return a free address for a message, and the message with its id."""
    digest = message_digest(session.name, message.seq, message.role, message.content)
    length = ID_LENGTH
    while True:
        named = message._replace(id=digest[:length])
        place = session.child(TIMELINE)
        for name in timeline_names(message.moment, named.id):
            place = place.child(name)
        if not tree.kind_of(place):
            return place, named
        length += ID_LENGTH


def _with_message(
    metadata: SessionMetadata,
    message: Message,
    place: CortexAddress,
    now: str,
) -> SessionMetadata:
    day = "/".join(place.parts[3:5])
    participants = (*metadata.participants, *message.participants)
    days = {*metadata.uncommitted_days, day}
    return replace(
        metadata,
        status="active",
        closed_at="",
        updated_at=now,
        message_count=metadata.message_count + 1,
        participants=tuple(dict.fromkeys(participants)),
        last_seq=message.seq,
        last_message=place.text,
        uncommitted_days=tuple(sorted(days)),
    )
