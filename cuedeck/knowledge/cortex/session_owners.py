"""The user and the agent of a cortex session, to whom its memories belong.

A session keeps the ids with which it was created: those of the call, else those of the
settings. A later call may repeat an id or leave it out; another id is an error. A
session that was imported without an id gets that of the first call that names one.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    checked_id,
)
from cuedeck.model.errors import Invalid

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.cortex.session_metadata import SessionMetadata
    from cuedeck.model.cortex_address import Dimension
    from cuedeck.model.settings_schema import CortexSettings


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
    workspace: Workspace, user: str = "", agent: str = ""
) -> SessionOwners:
    """Return the ids that a call names. Raises: CortexAddressError for an id that
    cannot be the name of a folder; Invalid for one that contains a secret.
    """
    return SessionOwners(
        _checked(workspace, "user", user), _checked(workspace, "agent", agent)
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


def _checked(workspace: Workspace, dimension: Dimension, identity: str) -> str:
    if not identity:
        return ""
    if workspace.find_secrets(identity):
        raise Invalid(
            f"the id of the {dimension} contains a secret",
            hint="use an id such as ana",
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
