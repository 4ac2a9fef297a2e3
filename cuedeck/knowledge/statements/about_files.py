"""Statements of earlier sessions about a file that an agent reads or edits."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.recall_query import local_time
from cuedeck.knowledge.recall.sync_index import search_statements
from cuedeck.knowledge.statements.brief import holding_instructions
from cuedeck.knowledge.statements.rank_exchanges import KIND, group_exchanges
from cuedeck.parse.fence import code, quoted
from cuedeck.store.cache.unit_filters import Filters
from cuedeck.text.similarity import Repeats
from cuedeck.text.words import read_stems

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Count
    from cuedeck.model.recall_values import Unit
    from cuedeck.store.cache.recall_index import RecallIndex

TOKENS = 150
_HEAD = "## Said about {} in earlier sessions\n\n"
_RANKS = {"failed": 1, "decision": 1, "choice": 1, "finding": 2, "open": 2}
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

    def search(index: RecallIndex) -> list[Unit]:
        found = _find(index, path, session)
        repeats = Repeats()
        repeats.add_known(found, known)
        new = [unit for unit in found if unit.id not in known]
        return list(repeats.take_new(new))

    return _fitting(workspace.counter(), path, search_statements(workspace, search, []))


def _find(index: RecallIndex, path: str, session: str) -> list[Unit]:
    """Return the statements about a file: standing instructions that hold, then
    decisions and failed attempts, then others that name it; the newest first.
    """
    found: dict[str, tuple[int, Unit]] = {}
    for unit in holding_instructions(index):
        if names_file(unit.text, path):
            found[unit.id] = (0, unit)
    stems = sorted(read_stems(path.rpartition("/")[2]))
    match = " OR ".join(f'"{stem}"' for stem in stems)
    numbers = index.search(match, Filters((KIND,)), _MOST_FOUND) if match else []
    edits = []
    for number, (_, unit) in index.units(numbers).items():
        if not names_file(unit.text, path):
            continue
        if unit.category in _RANKS:
            found.setdefault(unit.id, (_RANKS[unit.category], unit))
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
    count: Count, path: str, units: Sequence[Unit]
) -> tuple[str, tuple[str, ...]]:
    text = _HEAD.format(code(path))
    room = TOKENS - count.count(text)
    ids: list[str] = []
    for unit in units:
        if room < _LEAST_ROOM:
            break
        place = code(f"{KIND}:{unit.id[:8]}")
        day = local_time(unit.date)[:10]
        row = f"- {quoted(unit.text, _LONGEST)} ({unit.speaker} {day}, {place})\n"
        size = count.count(row)
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


def names_file(sentence: str, path: str) -> bool:
    """Return whether a sentence contains a path, the end of it from a name on, or a
    folder of it with at least two parts or a slash at its end: `migrations/`.
    """
    folders = path.split("/")[:-1]
    above = {"/".join(folders[:end]) for end in range(2, len(folders) + 1)}
    above.update(f"{folder}/" for folder in folders)
    return any(
        word.rstrip(".") in above or _is_end(word.rstrip("./"), path)
        for word in _WORD.findall(sentence)
    )


def _is_end(word: str, path: str) -> bool:
    if word == path:
        return True
    if not path.endswith(f"/{word}") or "." not in word:
        return False
    stem = path.rpartition("/")[2].partition(".")[0].lower()
    return "/" in word or stem not in _GENERIC
