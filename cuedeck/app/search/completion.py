"""Candidates for shell completion: cards, addresses and ledger ids, from the existing index.

Completion must be fast, so it neither scans nor writes; without an index there are no cards and addresses to offer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.display import shorten
from cuedeck.model.file import CLOSED, File

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_MOST = 200
"""Maximum number of paths offered; if more match, only the next folder or file name is completed."""
_MOST_NAMED = 100
"""Maximum number of sessions offered with a description, because each must be read."""
_LONGEST_HELP = 60


class Candidate(NamedTuple):
    """One possible completion."""

    value: str
    help: str = ""


def complete(workspace: Workspace, kind: str, start: str) -> Sequence[Candidate]:
    """Return the candidates of a kind (`card`, `address`, `session`, …) that begin with `start`.

    Values that contain a secret are left out; descriptions are masked.
    """
    from cuedeck.app.mask_answers import mask_value

    found = [each for each in _KINDS[kind](workspace, start) if each.value.startswith(start)]
    masked: list[Candidate] = mask_value(found, workspace)
    whole = (each for each, original in zip(masked, found, strict=True) if each.value == original.value)
    return [each._replace(help=shorten(" ".join(each.help.split()), _LONGEST_HELP)) for each in whole]


def _cards(workspace: Workspace, start: str) -> Iterable[Candidate]:
    """Return the ids of cards with their titles, open cards first."""
    if not _is_indexed(workspace):
        return ()
    files = [file for file in workspace.index.files("card") if file.card is not None]
    files.sort(key=_is_closed)
    return (Candidate(file.card.id, file.card.title) for file in files if file.card is not None)


def _is_closed(file: File) -> bool:
    return file.card is not None and file.card.status in CLOSED


def _addresses(workspace: Workspace, start: str) -> Iterable[Candidate]:
    """Return paths that begin with `start` and ids of cards, or after `#` the sections and symbols of a file."""
    if not _is_indexed(workspace):
        return ()
    path, hash_, _ = start.partition("#")
    if hash_:
        return _parts(workspace, path)
    cards = () if "/" in start or not start else _cards(workspace, start)
    return (*cards, *_paths(workspace, start))


def _parts(workspace: Workspace, path: str) -> Iterable[Candidate]:
    """Return the addresses of the sections and symbols of a file."""
    from cuedeck.graph.anchors import section_name

    file = workspace.index.file(path)
    if file is None:
        return ()
    names = {section_name(each, workspace.index): each.title for each in file.sections}
    names |= {each.name: "" for each in file.symbols}
    return [Candidate(f"{path}#{name}", title if title != name else "") for name, title in names.items()]


def _paths(workspace: Workspace, start: str) -> Sequence[Candidate]:
    """Return the paths that begin with `start`; if there are too many, only their next path components."""
    query = "SELECT path FROM prints WHERE path >= ? AND path < ? ORDER BY path"
    paths = [row[0] for row in workspace.index.ask(query, (start, start + "\U0010ffff"))]
    if len(paths) <= _MOST:
        return [Candidate(path) for path in paths]
    steps = _steps(paths, len(start))
    while len(steps) == 1 and steps[0].endswith("/"):
        steps = _steps(paths, len(steps[0]))
    return [Candidate(step) for step in steps]


def _steps(paths: Sequence[str], end: int) -> Sequence[str]:
    """Return each path up to its first slash at or after `end`, without duplicates."""
    return list(dict.fromkeys(_step(path, end) for path in paths))


def _step(path: str, end: int) -> str:
    """Return a path up to and including its first slash at or after `end`."""
    slash = path.find("/", end)
    return path if slash < 0 else path[: slash + 1]


def _sessions(workspace: Workspace, start: str) -> Iterable[Candidate]:
    """Return session ids with their titles, most recently used first."""
    if len(workspace.sessions.ids()) > _MOST_NAMED:
        return map(Candidate, workspace.sessions.ids())
    found = sorted(workspace.sessions.every(), key=lambda each: each.last_access, reverse=True)
    return [Candidate(each.id, each.title) for each in found]


def _decisions(workspace: Workspace, start: str) -> Iterable[Candidate]:
    """Return the ids of decisions with their texts, newest first."""
    from cuedeck.records.ledger_state import fold

    entries: Mapping[str, Mapping[str, object]] = workspace.ledgers.derive("decisions", fold)
    return [Candidate(each, str(fields.get("decision", ""))) for each, fields in reversed(list(entries.items()))]


def _assumptions(workspace: Workspace, start: str) -> Iterable[Candidate]:
    from cuedeck.app.assumptions.load_assumptions import read_assumptions

    found = read_assumptions(workspace)
    return [Candidate(each.id, each.text) for each in found.items] if found else ()


def _ids(kind: str) -> Callable[[Workspace, str], Iterable[Candidate]]:
    """Return a function that lists the ids of a ledger without descriptions, because its texts may be private."""

    def ids(workspace: Workspace, start: str) -> Iterable[Candidate]:
        from cuedeck.app.open_workspace import entry_ids

        return map(Candidate, entry_ids(workspace, kind, start))

    return ids


def _is_indexed(workspace: Workspace) -> bool:
    return os.path.exists(workspace.paths.index) and not workspace.index.is_empty


_KINDS: Mapping[str, Callable[[Workspace, str], Iterable[Candidate]]] = {
    "card": _cards,
    "address": _addresses,
    "session": _sessions,
    "decision": _decisions,
    "assumption": _assumptions,
    "record": _ids("record"),
    "experience": _ids("experience"),
}
