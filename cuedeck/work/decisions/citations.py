"""Addresses cited by decisions and attempts: canonical form, and the content hash when
they were cited.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.graph.address_lookup import resolve_address
from cuedeck.ledger.citation_freshness import Freshness, hash_of, judge
from cuedeck.model.address import is_within
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.store.git.head import UNKNOWN, read_head

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.attempt import Attempt
    from cuedeck.model.decision import Decision


class Cited(NamedTuple):
    """Cited addresses in canonical form."""

    addresses: tuple[str, ...]
    proof: dict[str, str]
    """SHA-256 (hex) of the content of each address, without unresolved ones."""
    warnings: tuple[str, ...]


def cite(workspace: Workspace, written: Sequence[str]) -> Cited:
    """Resolve addresses. An unresolved one is kept as written, with a warning.

    The index must be up to date. Raises: Ambiguous with the candidates, Invalid for an
    empty address.
    """
    hashes: dict[str, str] = {}
    warnings: list[str] = []
    for text in written:
        address, warning = _canonical(workspace, text.strip())
        hashes[address] = hash_now(workspace, address)
        if warning:
            warnings.append(warning)
    proof = {address: digest for address, digest in hashes.items() if digest}
    return Cited(tuple(hashes), proof, tuple(warnings))


def _canonical(workspace: Workspace, text: str) -> tuple[str, str]:
    """Return the canonical address, and a warning if it cannot be resolved."""
    if not text:
        raise Invalid(
            "an address is empty", hint="give a path such as src/auth.py, or omit it"
        )
    # Hooks only read citations.
    from cuedeck.context.search.printed_places import existing_place

    try:
        place = existing_place(workspace, text)
        return resolve_address(place, workspace.index).address, ""
    except NotFound as error:
        return text, f"warning: {error.message}; it is kept as written ({error.hint})"


def hash_now(workspace: Workspace, address: str) -> str:
    """Return the content hash of an address; empty if it cannot be resolved."""
    return workspace.settled(lambda: hash_of(address, workspace.index, workspace.texts))


def head_now(root: str) -> str:
    """Return the commit of HEAD in the checkout that contains the folder `root`; empty
    without a commit, and if only a call of git could determine it.
    """
    head = read_head(root)
    return "" if head == UNKNOWN else head


def freshness_of(
    entry: Decision | Attempt,
    addresses: Sequence[str],
    head: str,
    hash_of_address: Callable[[str], str],
) -> list[Freshness]:
    """Return the state of each cited address relative to its content hash now and to
    the commit `head`.
    """
    return list(judge(addresses, entry.proof, entry.commit, head, hash_of_address))


class CitationFilter:
    """Filter for entries that cite an address."""

    def __init__(self, workspace: Workspace, text: str) -> None:
        """Resolve the address; an unresolved one is compared as written. Raises:
        Ambiguous, Invalid if it is empty.
        """
        self._address, _ = _canonical(workspace, text.strip())

    def matches(self, addresses: Sequence[str]) -> bool:
        """Return whether one of the addresses equals, contains or is part of the wanted
        one.
        """
        return any(is_within(address, self._address) for address in addresses)
