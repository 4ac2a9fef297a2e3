"""Names of the folders of sessions, users and agents, made from any id."""

from __future__ import annotations

import re
from typing import NamedTuple

from cuedeck.model.cortex_address import (
    CortexAddress,
    CortexAddressError,
    Dimension,
)

_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


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


def checked_id(dimension: Dimension, identity: str) -> str:
    """Return an id that the grammar of addresses accepts as the name of its folder, in
    NFC; a UUID is written in lower case. Raises: CortexAddressError for any other id.
    """
    if _UUID.fullmatch(identity):
        return identity.lower()
    try:
        return CortexAddress((dimension,)).child(identity).name
    except CortexAddressError as error:
        raise CortexAddressError(
            error.reason,
            f"the id of the {dimension} is not valid: {error.message}",
            "use an id that can be the name of a folder, such as ana",
        ) from None


def owner_address(dimension: Dimension, identity: str) -> CortexAddress:
    """Return the address of a session, a user or an agent with any id."""
    return CortexAddress((dimension,)).child(owner_name(identity).name)
