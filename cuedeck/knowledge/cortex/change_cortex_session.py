"""Creating, describing, closing, archiving and listing cortex sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.knowledge.cortex.add_message import archived_error, new_metadata
from cuedeck.knowledge.cortex.cortex_sessions import (
    NO_OWNERS,
    SESSIONS,
    SessionOwners,
    no_session,
    read_metadata,
    session_answer,
    session_name,
    with_owners,
    write_metadata,
)
from cuedeck.model.errors import TooLong
from cuedeck.store.clock import timestamp
from cuedeck.store.cortex.cortex_tree import CortexTree
from cuedeck.text.plain_text import plain_line

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.cortex.session_metadata import Status
    from cuedeck.store.workspace_paths import WorkspacePaths

_MAX_TEXT = 2_000
_MAX_ITEMS = 100


class SessionDetails(NamedTuple):
    """Fields of a session that a caller sets; an empty value keeps the old one."""

    title: str = ""
    description: str = ""
    tags: Sequence[str] = ()
    participants: Sequence[str] = ()
    owners: SessionOwners = NO_OWNERS
    """User and agent of a new session; an existing one must have the same."""


def open_cortex_session(
    workspace: Workspace,
    identity: str = "",
    details: SessionDetails = SessionDetails(),  # noqa: B008 - an immutable value
) -> dict[str, Any]:
    """Create a session, or make an existing one active, and set its details.

    An empty id means `cortex.session`. The metadata are not written if nothing changes.
    Raises: TooLong; Invalid if the session has another user or agent; Locked,
    StorageError, ConfigurationError.
    """
    lists = (details.tags, details.participants)
    for text in (details.title, details.description, *lists[0], *lists[1]):
        if len(text) > _MAX_TEXT:
            raise TooLong(
                f"a text of a session has at most {_MAX_TEXT:,} characters, "
                f"got {len(text):,}",
                hint="shorten it",
            )
    if max(map(len, lists)) > _MAX_ITEMS:
        raise TooLong(
            f"a session has at most {_MAX_ITEMS} tags and participants",
            hint="give fewer",
        )
    masked = mask_to_keep(details, workspace)
    tags, participants = (
        tuple(filter(None, map(plain_line, texts)))
        for texts in (masked.tags, masked.participants)
    )
    details = SessionDetails(
        plain_line(masked.title),
        plain_line(masked.description),
        tags,
        participants,
        details.owners,
    )
    name = session_name(workspace.find_secrets, workspace.settings, identity)
    session = SESSIONS.child(name.name)
    tree = CortexTree(workspace.paths)
    with tree.writing() as writer:
        now = timestamp()
        known = read_metadata(tree, session, writer)
        if known is None:
            settings = workspace.settings.cortex
            metadata = new_metadata(settings, name, now, details.owners)
        else:
            metadata = with_owners(known, details.owners)
        changed = replace(
            metadata,
            status="active",
            closed_at="",
            title=details.title or metadata.title,
            description=details.description or metadata.description,
            tags=_united(metadata.tags, details.tags),
            participants=_united(metadata.participants, details.participants),
        )
        if changed != known:
            changed = replace(changed, updated_at=now)
            write_metadata(writer, session, changed)
    return {**session_answer(session, changed), "created": known is None}


def list_cortex_sessions(paths: WorkspacePaths) -> list[dict[str, Any]]:
    """Return the fields of every session, by name. Raises: StorageError."""
    tree = CortexTree(paths)
    found = []
    for entry in tree.entries(SESSIONS):
        metadata = read_metadata(tree, entry.address)
        if entry.is_folder and metadata is not None:
            found.append(session_answer(entry.address, metadata))
    return found


def set_cortex_status(
    workspace: Workspace, identity: str, status: Status
) -> dict[str, Any]:
    """Close a session, which the next message makes active again; or archive it: its
    files stay, and it takes no more messages until `cortex open`.

    Raises: NotFound; Invalid if an archived session is closed; Locked, StorageError.
    """
    tree = CortexTree(workspace.paths)
    session = SESSIONS.child(
        session_name(workspace.find_secrets, workspace.settings, identity).name
    )
    with tree.writing() as writer:
        metadata = read_metadata(tree, session, writer)
        if metadata is None:
            raise no_session(tree, session)
        if metadata.status == "archived" and status == "closed":
            raise archived_error(session)
        if metadata.status != status:
            now = timestamp()
            closed_at = now if status == "closed" else metadata.closed_at or now
            metadata = replace(
                metadata,
                status=status,
                closed_at=closed_at,
                updated_at=now,
            )
        write_metadata(writer, session, metadata)
    return session_answer(session, metadata)


def _united(known: Sequence[str], added: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *added)))
