"""Lookup of cortex sessions and of their metadata."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.knowledge.cortex.message_file import Message, parse_message
from cuedeck.knowledge.cortex.session_metadata import (
    SessionMetadata,
    format_session_metadata,
    parse_session_metadata,
)
from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    checked_id,
    parse_cortex_address,
)
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.model.formatting import quoted, replace_controls
from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter, day_addresses
from cuedeck.text.timestamps import format_second

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cuedeck.knowledge.cortex.session_metadata import SessionMetadata
    from cuedeck.model.cortex_address import Dimension
    from cuedeck.model.settings_schema import CortexSettings, Settings
    from cuedeck.parse.secrets.mask import Find

METADATA = ".session.json"
_CORRUPT = f"{METADATA}.corrupt"
SESSIONS = CortexAddress(("session",))
MAX_ID = 1_000
"""Characters of a session id that are kept in the metadata if its folder is a hash."""


class TimelineMessage(NamedTuple):
    """A message of a timeline with its address."""

    address: CortexAddress
    message: Message


class UnreadableMessage(NamedTuple):
    """A file of a timeline without a message."""

    address: CortexAddress
    reason: str


def session_name(find_secrets: Find, settings: Settings, identity: str) -> OwnerName:
    """Return the folder name of a session; an empty id means `cortex.session`. Raises:
    Invalid for an id that contains a secret; ConfigurationError.
    """
    wanted = identity or settings.cortex.session
    if find_secrets(wanted):
        raise Invalid(
            "the id of the session contains a secret",
            hint="use an id that names the work, such as fix-login",
        )
    return owner_name(wanted)


def session_address(
    find_secrets: Find, settings: Settings, identity: str
) -> CortexAddress:
    """Return the address of a session; an empty id means `cortex.session`. Raises:
    Invalid for an id that contains a secret; ConfigurationError.
    """
    return SESSIONS.child(session_name(find_secrets, settings, identity).name)


def no_session(tree: CortexTree, session: CortexAddress) -> NotFound:
    """Return the error for a session that does not exist. Raises: StorageError."""
    names = tuple(entry.name for entry in tree.entries(SESSIONS) if entry.is_folder)
    return NotFound(
        f"there is no session {session.name} in the cortex tree",
        hint=f"`cuedeck cortex open {quoted(session.name)}` creates it,"
        " `cuedeck session list` lists all",
        candidates=names,
    )


def read_metadata(
    tree: CortexTree, session: CortexAddress, writer: CortexWriter | None = None
) -> SessionMetadata | None:
    """Return the metadata of a session; None if the session does not exist.

    Metadata that are missing or corrupt are computed from the messages; a writer keeps
    corrupt ones under another name. A message that was announced and never written,
    because its process died, is taken back. Raises: StorageError.
    """
    data = tree.read_reserved(session, METADATA)
    if data is None and tree.kind_of(session) != "folder":
        return None
    try:
        metadata = parse_session_metadata(data or b"")
    except ValueError:  # the messages still show what matters
        if data is not None and writer is not None:
            writer.write_reserved(session, _CORRUPT, data)
        return metadata_of_messages(tree, session)
    last = metadata.last_message
    if not last or tree.kind_of(parse_cortex_address(last)) == "file":
        return metadata
    sources = {
        key: mark for key, mark in metadata.sources.items() if not mark.endswith(last)
    }
    return replace(
        metadata,
        message_count=max(0, metadata.message_count - 1),
        last_seq=max(metadata.committed_seq, metadata.last_seq - 1),
        last_message="",
        sources=sources,
    )


def write_metadata(
    writer: CortexWriter,
    session: CortexAddress,
    metadata: SessionMetadata,
) -> bool:
    """Write the metadata of a session if they differ; return whether they were written.
    Raises: StorageError.
    """
    return writer.write_reserved(session, METADATA, format_session_metadata(metadata))


def read_messages(
    tree: CortexTree, days: Iterable[CortexAddress]
) -> Iterator[TimelineMessage | UnreadableMessage]:
    """Yield the messages of some days, by name; control characters of a message that
    another program wrote become U+FFFD. Raises: StorageError.
    """
    for day in days:
        for entry in tree.entries(day):
            address = entry.address
            if entry.is_folder:
                yield UnreadableMessage(address, "it is a folder")
                continue
            try:
                text = replace_controls(tree.read(address).decode())
                yield TimelineMessage(address, parse_message(text))
            except ValueError as error:  # also for invalid UTF-8
                yield UnreadableMessage(address, f"not a message: {error}")


def session_answer(session: CortexAddress, metadata: SessionMetadata) -> dict[str, Any]:
    """Return the fields of a session for an answer."""
    return {
        "session": metadata.thread_id,
        "address": session.text,
        "status": metadata.status,
        "created_at": metadata.created_at,
        "updated_at": metadata.updated_at,
        "closed_at": metadata.closed_at or None,
        "message_count": metadata.message_count,
        "uncommitted": max(0, metadata.last_seq - metadata.committed_seq),
        "participants": list(metadata.participants),
        "tags": list(metadata.tags),
        "title": metadata.title or None,
        "description": metadata.description or None,
        "user_id": metadata.user_id or None,
        "agent_id": metadata.agent_id or None,
        "original_id": metadata.original_id or None,
        "hosts": sorted({source.partition("/")[0] for source in metadata.sources}),
    }


def metadata_of_messages(
    tree: CortexTree, session: CortexAddress, committed: int = 0
) -> SessionMetadata:
    """Return the metadata that the messages of a session show, of which a number are
    committed.
    """
    found = [
        each
        for each in read_messages(tree, day_addresses(tree, session))
        if isinstance(each, TimelineMessage)
    ]
    found.sort(key=seq_and_address)
    moments = [format_second(each.message.moment) for each in found]
    participants: dict[str, None] = {}
    days = set()
    for address, message in found:
        participants.update(dict.fromkeys(message.participants))
        if message.seq > committed:
            days.add("/".join(address.parts[3:5]))
    return SessionMetadata(
        thread_id=session.name,
        created_at=min(moments, default=""),
        updated_at=max(moments, default=""),
        message_count=len(found),
        participants=tuple(participants),
        user_id=_only_owner("user/", participants),
        agent_id=_only_owner("agent/", participants),
        last_seq=max((each.message.seq for each in found), default=0),
        last_message=found[-1].address.text if found else "",
        uncommitted_days=tuple(sorted(days)),
    )


def _only_owner(prefix: str, participants: Iterable[str]) -> str:
    """Return the id of the only participant with a prefix; empty for several."""
    found = [name for name in participants if name.startswith(prefix)]
    return found[0].removeprefix(prefix) if len(found) == 1 else ""


def seq_and_address(found: TimelineMessage) -> tuple[int, str]:
    """Return the key by which the messages of a session are sorted."""
    return found.message.seq, found.address.text


class OwnerName(NamedTuple):
    """A folder name, and the id that it was made from."""

    name: str
    original: str
    """The id as given if the name is a hash of it; else empty."""


def owner_name(identity: str) -> OwnerName:
    """Return the folder name of an id.

    An id that the grammar of addresses accepts is its own name; a UUID is written in
    lower case. The name of any other id, such as `../../x`, is its sha256 (hex).
    """
    try:
        return OwnerName(checked_id("session", identity), "")
    except CortexAddressError:
        digest = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()
        return OwnerName(digest, identity)


def owner_address(dimension: Dimension, identity: str) -> CortexAddress:
    """Return the address of a session, a user or an agent with any id."""
    return CortexAddress((dimension,)).child(owner_name(identity).name)


class SessionOwners(NamedTuple):
    """Ids of the user and of the agent of a session; empty if a call names none."""

    user: str = ""
    agent: str = ""


NO_OWNERS = SessionOwners()


def checked_owners(
    find_secrets: Find, user: str = "", agent: str = ""
) -> SessionOwners:
    """Return the ids that a call names. Raises: CortexAddressError for an id that
    cannot be the name of a folder; Invalid for one that contains a secret.
    """
    return SessionOwners(
        _checked(find_secrets, "user", user),
        _checked(find_secrets, "agent", agent),
    )


def with_owners(metadata: SessionMetadata, owners: SessionOwners) -> SessionMetadata:
    """Return the metadata of a session with the ids that a call names. Raises: Invalid
    if the session has another id.
    """
    session = metadata.thread_id
    _check_same(session, "user", metadata.user_id, owners.user)
    _check_same(session, "agent", metadata.agent_id, owners.agent)
    return replace(
        metadata,
        user_id=metadata.user_id or owners.user,
        agent_id=metadata.agent_id or owners.agent,
    )


def owners_of(metadata: SessionMetadata, settings: CortexSettings) -> SessionOwners:
    """Return the ids of a session; an id that it lacks is that of the settings."""
    return SessionOwners(
        metadata.user_id or settings.user, metadata.agent_id or settings.agent
    )


def _checked(find_secrets: Find, dimension: Dimension, identity: str) -> str:
    if not identity:
        return ""
    if find_secrets(identity):
        raise Invalid(
            f"the id of the {dimension} contains a secret", hint="use an id such as ana"
        )
    return checked_id(dimension, identity)


def _check_same(session: str, dimension: Dimension, known: str, named: str) -> None:
    if not known or not named:
        return
    if owner_name(known) != owner_name(named):
        raise Invalid(
            f"session {session} belongs to {dimension} {known}, not to {named}",
            hint="use another session: a session has one user and one agent",
        )
