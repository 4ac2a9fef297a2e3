"""Statements of earlier sessions about a file that an agent reads or edits."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.open_recall import IndexUnfinished
from cuedeck.knowledge.recall.search_period import local_time
from cuedeck.knowledge.recall.sync_index import with_index
from cuedeck.knowledge.statements.brief import holding_instructions
from cuedeck.knowledge.statements.rank_exchanges import group_exchanges
from cuedeck.ledger.statement_files import statement_paths
from cuedeck.parse.fence import code, quoted
from cuedeck.store.cache.unit_filters import Filters
from cuedeck.text.similarity import Repeats
from cuedeck.text.words import read_stems

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.recall_values import Unit
    from cuedeck.store.cache.recall_index import RecallIndex

TOKENS = 150
_HEAD = "## Said about {} in earlier sessions\n\n"
_KIND = "statement"
_RANKS = {"rule": 0, "correction": 0, "failed": 1, "decision": 1, "choice": 1}
_LATER_RANKS = {"finding": 2, "open": 2}
_TRIED = ("failed", "decision")
_MOST_FOUND = 200
_LONGEST = 200
_LEAST_ROOM = 20


def statements_about(
    workspace: Workspace, path: str, session: str, known: Collection[str]
) -> tuple[str, tuple[str, ...]]:
    """Return a text of at most 150 tokens with the statements of other sessions about a
    file, and their ids; empty without any that is not in `known`. Raises: StorageError,
    Stale.
    """
    if not statement_paths(workspace.paths):
        return "", ()

    def search(index: RecallIndex, notes: Sequence[str]) -> list[Unit]:
        with index.reading():
            found = _find(index, path, session)
        repeats = Repeats()
        repeats.add_known(found, known)
        new = [unit for unit in found if unit.id not in known]
        return list(repeats.take_new(new))

    try:
        units = with_index(workspace, search)
    except IndexUnfinished:
        return "", ()
    return _fitting(workspace, path, units)


def _find(index: RecallIndex, path: str, session: str) -> list[Unit]:
    """Return the statements about a file: standing instructions, then decisions and
    failed attempts, then others that name it; the newest first.
    """
    found: dict[str, tuple[int, Unit]] = {}
    for unit in holding_instructions(index):
        if names_place(unit.text, path):
            found[unit.id] = (0, unit)
    stems = sorted(read_stems(path.rpartition("/")[2]))
    match = " OR ".join(f'"{stem}"' for stem in stems)
    numbers = index.search(match, Filters((_KIND,)), _MOST_FOUND) if match else []
    units = index.units(numbers)
    edits = []
    for number, (_, unit) in units.items():
        if not names_file(unit.text, path):
            continue
        rank = {**_RANKS, **_LATER_RANKS}.get(unit.category)
        if rank is not None:
            found.setdefault(unit.id, (rank, unit))
        elif unit.speaker == "tool":
            edits.append(number)
    for unit in _tried(index, edits):
        found.setdefault(unit.id, (1, unit))
    pairs = [pair for pair in found.values() if pair[1].session != session]
    pairs.sort(key=lambda pair: pair[1].date, reverse=True)
    pairs.sort(key=lambda pair: pair[0])
    return [unit for _, unit in pairs]


def _tried(index: RecallIndex, edits: Sequence[int]) -> Iterator[Unit]:
    if not edits:
        return
    numbers: list[int] = []
    for each in group_exchanges(index.statements()):
        if not set(edits).isdisjoint(each.agent):
            numbers += each.agent
    for _, unit in index.units(numbers).values():
        if unit.category in _TRIED and unit.speaker == "agent":
            yield unit


def _fitting(
    workspace: Workspace, path: str, units: Sequence[Unit]
) -> tuple[str, tuple[str, ...]]:
    counter = workspace.counter()
    text = _HEAD.format(code(path))
    room = TOKENS - counter.count(text)
    ids: list[str] = []
    for unit in units:
        if room < _LEAST_ROOM:
            break
        place = code(f"{_KIND}:{unit.id[:8]}")
        day = local_time(unit.date)[:10]
        row = f"- {quoted(unit.text, _LONGEST)} ({unit.speaker} {day}, {place})\n"
        size = counter.count(row)
        if size <= room:
            room -= size
            text += row
            ids.append(unit.id)
    return (text, tuple(ids)) if ids else ("", ())


_WORD = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*/?")
_GENERIC = frozenset(
    ["index", "main", "mod", "lib", "init", "__init__", "readme", "config", "settings"]
)
"""Names of files that most projects have several of: these need their folder."""
_LEAST_LETTERS = 5
"""Letters of the shortest name that counts without its ending."""


def names_file(sentence: str, path: str) -> bool:
    """Return whether a sentence contains a path, or the end of it from a name on."""
    return any(_is_end(word.rstrip("./"), path) for word in _WORD.findall(sentence))


def names_place(sentence: str, path: str) -> bool:
    """Return whether a sentence names a file, one of its folders with at least two
    parts, or the file without its ending: “the railway config” for `railway.json`.
    """
    folders = path.split("/")[:-1]
    above = {"/".join(folders[:end]) for end in range(2, len(folders) + 1)}
    stem = _stem(path)
    is_own = len(stem) >= _LEAST_LETTERS and stem not in _GENERIC
    for word in _WORD.findall(sentence):
        plain = word.rstrip("./")
        if plain in above or (word.endswith("/") and plain in folders):
            return True
        if _is_end(plain, path) or (is_own and plain.lower() == stem):
            return True
    return False


def _is_end(word: str, path: str) -> bool:
    if word == path:
        return True
    if not path.endswith(f"/{word}") or "." not in word:
        return False
    return "/" in word or _stem(word) not in _GENERIC


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower()
