"""Candidates for shell completion: cards, addresses and ledger ids, from the existing
index.

Completion must be fast, so it neither scans nor writes; without an index there are no
cards and addresses to offer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.memory.read_memory_file import fixed_names
from cuedeck.ledger.kinds.assumption_kind import read_assumptions
from cuedeck.ledger.kinds.decision_kind import DECISION
from cuedeck.ledger.records.memory_files import daily
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.model.cortex_address import SCHEME, CortexAddress, parse_cortex_address
from cuedeck.model.file import CLOSED
from cuedeck.model.formatting import shorten
from cuedeck.store.cortex.cortex_tree import CortexTree

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.cortex_address import Dimension
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

_MOST_PATHS = 200
"""Maximum number of paths offered."""
_MOST_SESSIONS = 100
"""Maximum number of sessions offered with a description, because each must be read."""
_LONGEST_HELP = 60


class Candidate(NamedTuple):
    """One possible completion."""

    value: str
    help: str = ""


def complete(workspace: Workspace, kind: str, start: str) -> Sequence[Candidate]:
    """Return the candidates of a kind (`card`, `address`, `session`, …) that begin with
    `start`.

    Values that contain a secret are left out; descriptions are masked.
    """
    from cuedeck.engine.mask_answers import mask_value

    candidates = [
        each for each in _LISTS[kind](workspace, start) if each.value.startswith(start)
    ]
    masked: list[Candidate] = mask_value(candidates, workspace)
    offered = []
    for original, candidate in zip(candidates, masked, strict=True):
        if candidate.value == original.value:
            description = " ".join(candidate.help.split())
            offered.append(
                Candidate(candidate.value, shorten(description, _LONGEST_HELP))
            )
    return offered


def _list_cards(workspace: Workspace, start: str) -> Iterable[Candidate]:
    if not _is_indexed(workspace.index, workspace.paths):
        return ()
    cards = [
        file.card for file in workspace.index.files("card") if file.card is not None
    ]
    cards.sort(key=lambda card: card.status in CLOSED)
    return [Candidate(card.id, card.title) for card in cards]


def _list_addresses(workspace: Workspace, start: str) -> Iterable[Candidate]:
    if not _is_indexed(workspace.index, workspace.paths):
        return ()
    if start.startswith(SCHEME):
        return _list_cortex(workspace, start)
    path, hash_, _ = start.partition("#")
    if hash_:
        return _list_parts(workspace.index, path)
    paths = _list_paths(workspace.index, start)
    if "/" in start or not start:
        return paths
    return [*_list_cards(workspace, start), *paths]


def _list_parts(index: Index, path: str) -> Iterable[Candidate]:
    from cuedeck.graph.anchors import section_name

    file = index.file(path)
    if file is None:
        return ()
    titles: dict[str, str] = {}
    for section in file.sections:
        name = section_name(section, index)
        titles[name] = section.title if section.title != name else ""
    titles.update((symbol.name, "") for symbol in file.symbols)
    return [Candidate(f"{path}#{name}", title) for name, title in titles.items()]


def _list_paths(index: Index, start: str) -> Sequence[Candidate]:
    query = "SELECT path FROM prints WHERE path >= ? AND path < ? ORDER BY path"
    paths = [row[0] for row in index.ask(query, (start, start + "\U0010ffff"))]
    position = len(start)
    while len(paths) > _MOST_PATHS:
        cut = {path: path.find("/", position) + 1 or len(path) for path in paths}
        folders = list(dict.fromkeys(path[:end] for path, end in cut.items()))
        if len(folders) > 1 or not folders[0].endswith("/"):
            return [Candidate(folder) for folder in folders]
        position = len(folders[0])
    return [Candidate(path) for path in paths]


def _list_sessions(workspace: Workspace, start: str) -> Iterable[Candidate]:
    ids = workspace.sessions.ids()
    if len(ids) > _MOST_SESSIONS:
        return map(Candidate, ids)
    sessions = sorted(
        workspace.sessions.every(),
        key=lambda session: session.last_access,
        reverse=True,
    )
    return [Candidate(session.id, session.title) for session in sessions]


def _list_ids(workspace: Workspace, start: str, kind: str) -> Iterable[Candidate]:
    """Return the ids of a ledger without descriptions."""
    return map(Candidate, workspace.index.entries(kind, start))


def _list_cortex(workspace: Workspace, start: str) -> Iterable[Candidate]:
    folder = start.rpartition("/")[0]
    top = None
    if folder.startswith(SCHEME):
        top = parse_cortex_address(folder)
    found = []
    for entry in CortexTree(workspace.paths).entries(top):
        address = top.child(entry.name) if top else CortexAddress((entry.name,))
        slash = "/" if entry.is_folder else ""
        found.append(Candidate(address.text + slash))
    return found


def _list_cortex_owners(
    workspace: Workspace, start: str, *, dimension: Dimension
) -> Iterable[Candidate]:
    owners = CortexTree(workspace.paths).entries(CortexAddress((dimension,)))
    return [Candidate(entry.name) for entry in owners if entry.is_folder]


def _is_indexed(index: Index, paths: WorkspacePaths) -> bool:
    if not os.path.exists(paths.index):
        return False
    return not index.is_empty


def _list_memory_files(workspace: Workspace, start: str) -> Iterable[Candidate]:

    memory = memory_of(workspace)
    logs = [daily(day) for day in sorted(memory.days(), reverse=True)]
    return [Candidate(name) for name in (*fixed_names(memory), *logs)]


_LISTS: Mapping[str, Callable[[Workspace, str], Iterable[Candidate]]] = {
    "card": _list_cards,
    "address": _list_addresses,
    "session": _list_sessions,
    "decision": lambda workspace, _: [
        Candidate(each.id, each.decision)
        for each in reversed(workspace.ledger.entries(DECISION))
    ],
    "assumption": lambda workspace, _: [
        Candidate(each.id, each.text)
        for each in read_assumptions(workspace.paths).items
    ],
    "record": partial(_list_ids, kind="record"),
    "experience": partial(_list_ids, kind="experience"),
    "memory file": _list_memory_files,
    "cortex": _list_cortex,
    "cortex session": partial(_list_cortex_owners, dimension="session"),
    "cortex user": partial(_list_cortex_owners, dimension="user"),
    "cortex agent": partial(_list_cortex_owners, dimension="agent"),
}
"""Function that lists the candidates of each kind."""
