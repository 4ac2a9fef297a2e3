"""What a decision or an attempt cites: canonical addresses, and what each named when it was noted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.address import is_within
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.records.citation_freshness import Freshness, hash_of, judge
from cuedeck.store.git.head import UNKNOWN, read_head

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.attempt import Attempt
    from cuedeck.model.decision import Decision


class Cited(NamedTuple):
    """Addresses as they are noted."""

    addresses: tuple[str, ...]
    proof: dict[str, str]
    """sha256 (hex) of what each address names; without those that name nothing."""
    warnings: tuple[str, ...]


def cite(project: Workspace, written: Sequence[str]) -> Cited:
    """Resolve addresses; one that names nothing is kept as it is written, with a warning.

    The index must be up to date. Raises: Ambiguous with the candidates, Invalid for an empty one.
    """
    found: dict[str, str] = {}
    warnings: list[str] = []
    for text in written:
        address, warning = _canonical(project, text.strip())
        found[address] = hash_now(project, address)
        warnings += [warning] if warning else []
    return Cited(tuple(found), {address: noted for address, noted in found.items() if noted}, tuple(warnings))


def _canonical(project: Workspace, text: str) -> tuple[str, str]:
    """Return the address that is meant, and a warning when there is no such thing."""
    from cuedeck.graph.address_lookup import resolve_address  # who only reads a log resolves nothing

    if not text:
        raise Invalid("an address is empty", hint="give a path such as src/auth.py, or omit it")
    try:
        return resolve_address(text, project.index).address, ""
    except NotFound as error:
        return text, f"warning: {error.message}; it is kept as written ({error.hint})"


def hash_now(project: Workspace, address: str) -> str:
    """Return the hash of what an address names now; empty when it names nothing."""
    return project.settled(lambda: hash_of(address, project.index, project.texts))


def head_now(project: Workspace) -> str:
    """Return the commit HEAD is; empty without one, and where only git itself could tell."""
    head = read_head(project.workspace.root)
    return "" if head == UNKNOWN else head


def freshness_of(project: Workspace, noted: Decision | Attempt, addresses: Sequence[str], head: str) -> list[Freshness]:
    """Return the state of each address that is cited, as of the index and of `head`."""
    return list(judge(addresses, noted.proof, noted.commit, head, lambda address: hash_now(project, address)))


class Wanted:
    """An address to look for among those that are cited."""

    def __init__(self, project: Workspace, text: str) -> None:
        """Resolve it; what names nothing is looked for as written. Raises: Ambiguous, Invalid when it is empty."""
        self._address = _canonical(project, text.strip())[0]

    def fits(self, addresses: Sequence[str]) -> bool:
        """Tell whether one of them is it, holds it, or is in it."""
        return any(is_within(address, self._address) for address in addresses)
