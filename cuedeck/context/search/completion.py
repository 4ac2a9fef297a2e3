"""Candidates for shell completion: cards, addresses and ledger ids, from the existing
index.

Completion must be fast, so it neither scans nor writes; without an index there are no
cards and addresses to offer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.memory.read_memory_file import fixed_names
from cuedeck.ledger.kinds.assumption_kind import read_assumptions
from cuedeck.ledger.kinds.decision_kind import DECISION
from cuedeck.ledger.records.memory_files import daily, memory_of
from cuedeck.model.cortex_address import SCHEME, CortexAddress, parse_cortex_address
from cuedeck.model.file import CLOSED
from cuedeck.model.formatting import shorten
from cuedeck.store.cortex.cortex_tree import CortexTree

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.cortex_address import Dimension
    from cuedeck.store.index import Index

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

    lists = _Lists(workspace, start)
    found = _KINDS[kind](lists) if kind in _KINDS else lists.ids(kind)
    candidates = [each for each in found if each.value.startswith(start)]
    masked = mask_value(candidates, workspace)
    offered = []
    for original, candidate in zip(candidates, masked, strict=True):
        if candidate.value == original.value:
            description = " ".join(candidate.help.split())
            shown = shorten(description, _LONGEST_HELP)
            offered.append(Candidate(candidate.value, shown))
    return offered


class _Lists:
    """What may complete the text `start`."""

    def __init__(self, workspace: Workspace, start: str) -> None:
        self._workspace = workspace
        self._start = start

    @property
    def _index(self) -> Index | None:
        """The index; None if it is missing or empty."""
        if not os.path.exists(self._workspace.paths.index):
            return None
        index = self._workspace.index
        return None if index.is_empty else index

    def cards(self) -> list[Candidate]:
        """Return the cards, closed ones last."""
        index = self._index
        files = index.files("card") if index is not None else ()
        cards = [file.card for file in files if file.card is not None]
        cards.sort(key=lambda card: card.status in CLOSED)
        return [Candidate(card.id, card.title) for card in cards]

    def addresses(self) -> list[Candidate]:
        """Return cards, paths, and the parts of a path with `#`."""
        index = self._index
        start = self._start
        if index is None:
            return []
        if start.startswith(SCHEME):
            return self.cortex()
        path, hash_, _ = start.partition("#")
        if hash_:
            return _list_parts(index, path)
        cards = self.cards() if start and "/" not in start else []
        return [*cards, *_list_paths(index, start)]

    def sessions(self) -> list[Candidate]:
        """Return the sessions, with a description if they are few."""
        sessions = self._workspace.sessions
        ids = sessions.ids()
        if len(ids) > _MOST_SESSIONS:
            return [Candidate(each) for each in ids]
        newest = sorted(sessions.every(), key=lambda each: each.last_access)
        return [Candidate(each.id, each.title) for each in reversed(newest)]

    def ids(self, kind: str) -> list[Candidate]:
        """Return the ids of a ledger without descriptions."""
        found = self._workspace.index.entries(kind, self._start)
        return [Candidate(each) for each in found]

    def decisions(self) -> list[Candidate]:
        """Return the decisions, newest first."""
        entries = reversed(self._workspace.ledger.entries(DECISION))
        return [Candidate(each.id, each.decision) for each in entries]

    def assumptions(self) -> list[Candidate]:
        """Return the assumptions."""
        items = read_assumptions(self._workspace.paths).items
        return [Candidate(each.id, each.text) for each in items]

    def cortex(self) -> list[Candidate]:
        """Return the addresses in the folder of the cortex tree that is begun."""
        folder = self._start.rpartition("/")[0]
        top = parse_cortex_address(folder) if folder.startswith(SCHEME) else None
        found = []
        for entry in CortexTree(self._workspace.paths).entries(top):
            address = top.child(entry.name) if top else CortexAddress((entry.name,))
            slash = "/" if entry.is_folder else ""
            found.append(Candidate(address.text + slash))
        return found

    def owners(self, dimension: Dimension) -> list[Candidate]:
        """Return the sessions, users or agents that have a folder of the cortex
        tree.
        """
        folder = CortexAddress((dimension,))
        owners = CortexTree(self._workspace.paths).entries(folder)
        return [Candidate(entry.name) for entry in owners if entry.is_folder]

    def memory_files(self) -> list[Candidate]:
        """Return the files of the memory, the newest logs first."""
        memory = memory_of(self._workspace)
        logs = [daily(day) for day in sorted(memory.days(), reverse=True)]
        return [Candidate(name) for name in (*fixed_names(memory), *logs)]


def _list_parts(index: Index, path: str) -> list[Candidate]:
    from cuedeck.graph.anchors import section_name

    file = index.file(path)
    if file is None:
        return []
    titles: dict[str, str] = {}
    for section in file.sections:
        name = section_name(section, index)
        titles[name] = section.title if section.title != name else ""
    titles.update((symbol.name, "") for symbol in file.symbols)
    return [Candidate(f"{path}#{name}", title) for name, title in titles.items()]


def _list_paths(index: Index, start: str) -> list[Candidate]:
    """Return the paths that begin with `start`; folders in place of too many."""
    folder, _, _ = start.rpartition("/")
    paths = [path for path in index.folder(folder) if path.startswith(start)]
    position = len(start)
    while len(paths) > _MOST_PATHS:
        cut = {path: path.find("/", position) + 1 or len(path) for path in paths}
        folders = list(dict.fromkeys(path[:end] for path, end in cut.items()))
        if len(folders) > 1 or not folders[0].endswith("/"):
            return [Candidate(folder) for folder in folders]
        position = len(folders[0])
    return [Candidate(path) for path in paths]


_KINDS: Mapping[str, Callable[[_Lists], list[Candidate]]] = {
    "card": _Lists.cards,
    "address": _Lists.addresses,
    "session": _Lists.sessions,
    "decision": _Lists.decisions,
    "assumption": _Lists.assumptions,
    "memory file": _Lists.memory_files,
    "cortex": _Lists.cortex,
    "cortex session": partial(_Lists.owners, dimension="session"),
    "cortex user": partial(_Lists.owners, dimension="user"),
    "cortex agent": partial(_Lists.owners, dimension="agent"),
}
"""Function that lists the candidates of each kind."""
