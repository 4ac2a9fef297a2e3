"""Names of the folders of sessions, users and agents, made from any id."""

from __future__ import annotations

from typing import NamedTuple

from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    Dimension,
    checked_id,
)


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
        from hashlib import sha256  # most ids need no hash

        digest = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()
        return OwnerName(digest, identity)


def owner_address(dimension: Dimension, identity: str) -> CortexAddress:
    """Return the address of a session, a user or an agent with any id."""
    return CortexAddress((dimension,)).child(owner_name(identity).name)
