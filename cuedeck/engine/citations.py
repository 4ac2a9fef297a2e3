"""Addresses cited by entries: canonical form, content hash and freshness; the origin of
an entry.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from cuedeck.engine.active_card import active_path, find_card_file
from cuedeck.engine.mask_answers import mask_given
from cuedeck.engine.open_session import open_session
from cuedeck.graph.address_lookup import resolve_address
from cuedeck.ledger.citation_freshness import hash_of, judge, mark
from cuedeck.ledger.ledger import Cited
from cuedeck.model.address import is_within, split_anchor
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.model.ports import Json
from cuedeck.store.files.workspace_files import presence
from cuedeck.store.git.head import UNKNOWN, read_head

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.kind import Kind, LogEntry
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths


Entry = TypeVar("Entry", bound="LogEntry")


class WorkspaceDoors:
    """Access of the ledger to the workspace of a new entry; implements `Doors`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.mask = partial(mask_given, workspace=workspace)

    def cite(self, addresses: Sequence[str]) -> Cited:
        """Resolve addresses. An unresolved one is kept as written, with a warning.

        Raises: Ambiguous with the candidates, Invalid for an empty address.
        """
        workspace = self._workspace
        workspace.refresh()
        hashes: dict[str, str] = {}
        warnings = []
        for text in addresses:
            address, warning = _canonical(
                workspace.index, workspace.paths, text.strip()
            )
            hashes[address] = hash_now(workspace, address)
            if warning:
                warnings.append(warning)
        commit = head_now(workspace.paths.root)
        return Cited(tuple(hashes), tuple(hashes.values()), warnings, commit)

    def origin(self, card: str) -> dict[str, str]:
        """Return the ids of the card (by default the active one) and of the open
        session. Raises: NotFound, Ambiguous, Invalid for a named card.
        """
        workspace = self._workspace
        session = open_session(workspace.sessions)
        path = active_path(workspace.index, workspace.paths)
        file = workspace.index.file(path) if path else None
        identity = file.card.id if file and file.card else ""
        if card:
            identity = find_card_file(workspace.index, card)[1].id
        return {"card": identity, "session": session.id if session else ""}


def _canonical(index: Index, paths: WorkspacePaths, text: str) -> tuple[str, str]:
    """Return the canonical address, and a warning if it cannot be resolved."""
    if not text:
        raise Invalid(
            "an address is empty", hint="give a path such as src/auth.py, or omit it"
        )
    try:
        place = existing_place(paths, text)
        return resolve_address(place, index).address, ""
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


def entry_rows(
    workspace: Workspace, kind: Kind[Entry], entries: Iterable[Entry]
) -> Iterator[Json]:
    """Yield the rows of entries for a list, each with the freshness of its citations.
    The index must be up to date.
    """
    head = head_now(workspace.paths.root)
    for each in entries:
        cited = kind.cited(each)
        found = judge(
            cited, each.proof, each.commit, head, lambda at: hash_now(workspace, at)
        )
        yield {
            **kind.row(each),
            "freshness": [state._asdict() for state in found],
            "mark": mark(found),
            "line": kind.reminder(each),
        }


def list_entries(
    workspace: Workspace, kind: Kind[Entry], about: str | None = None
) -> Json:
    """Return the entries of a kind, newest last; with `about` those that cite an
    address that equals, contains or is part of it.
    """
    workspace.refresh()
    entries = citing(
        workspace.index, workspace.paths, kind, workspace.ledger.entries(kind), about
    )
    faults = workspace.ledger.read_log(kind.log).faults
    return {
        kind.log: list(entry_rows(workspace, kind, entries)),
        "problems": [fault._asdict() for fault in faults],
    }


def citing(
    index: Index,
    paths: WorkspacePaths,
    kind: Kind[Entry],
    entries: Sequence[Entry],
    about: str | None,
) -> Sequence[Entry]:
    """Return the entries that cite an address that equals, contains or is part of
    `about`; all of them for None. An unresolved address is compared as written.

    Raises: Ambiguous, Invalid if it is empty.
    """
    if about is None:
        return entries
    wanted, _ = _canonical(index, paths, about.strip())
    return [
        each
        for each in entries
        if any(is_within(address, wanted) for address in kind.cited(each))
    ]


def card_filter(index: Index, text: str, noted: Iterable[str]) -> str:
    """Return the id of the card to filter by. A deleted card is found if `noted`
    contains its id.

    Raises: NotFound, Ambiguous, Invalid.
    """
    try:
        return find_card_file(index, text)[1].id
    except NotFound:
        if text in noted:
            return text
        raise


_PRINTED_PLACE = re.compile(r"(.+?):(\d+)(?:-(\d+)|:\d+)?:?")
"""A place as compilers and `grep -n` print it: `path:42`, `path:42-50`, `path:42:7`."""


def address_of_place(paths: WorkspacePaths, text: str) -> str:
    """Return the address of a place that is given as an absolute path or as `path:42`;
    any other text unchanged.
    """
    path, mark, anchor = text.partition("#")
    place = _PRINTED_PLACE.fullmatch(path)
    if place is not None and not mark:
        path, first, last = place.groups()
        mark = "#"
        anchor = f"L{first}-L{last}" if last else f"L{first}"
    if os.path.isabs(path):
        path = paths.shown(path)
    return f"{path}{mark}{anchor}"


def existing_place(paths: WorkspacePaths, text: str) -> str:
    """Return the address of a printed place of an existing file; any other text
    unchanged.
    """
    if presence(paths, split_anchor(text)[0]):
        return text
    address = address_of_place(paths, text)
    path = split_anchor(address)[0].partition("::")[0]
    return address if presence(paths, path) else text
