"""Digest of a prompt: what earlier sessions said about it, or nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cuedeck.app.recall.open_recall import IndexUnfinished
from cuedeck.app.recall.search_period import local_time
from cuedeck.app.recall.sync_index import with_index
from cuedeck.app.statements.exchanges import group_exchanges
from cuedeck.model.light_typing import TYPE_CHECKING, NamedTuple
from cuedeck.records.recall.recall_stop_words import STOP_WORDS, TALK_WORDS
from cuedeck.records.recall.recall_terms import read_stems
from cuedeck.records.statements.rank_exchanges import (
    Candidate,
    Exchanges,
    rank_exchanges,
)
from cuedeck.records.statements.repeats import Repeats
from cuedeck.scene.fence import code, quoted
from cuedeck.store.cache.unit_filters import Filters

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.cache.recall_index import RecallIndex

TOKENS = 500
KIND = "statement"
_LONGEST_PROMPT = 2_000
_MOST_CANDIDATES = 1_000
_LONGEST = 320
_LEAST_ROOM = 20
"""Tokens of the shortest line."""
_REQUESTS = """
    want need see use used using make makes making sure get got new now one also
"""
"""Words of requests, which say nothing about their subject."""
_IGNORED = frozenset(
    stem
    for word in (*STOP_WORDS, *TALK_WORDS, *_REQUESTS.split())
    for stem in read_stems(word)
)


class Line(NamedTuple):
    """A statement in a digest."""

    id: str
    speaker: str
    day: str
    text: str

    @property
    def row(self) -> str:
        """The line as quoted Markdown."""
        place = code(f"{KIND}:{self.id[:8]}")
        return f"- {quoted(self.text, _LONGEST)} ({self.speaker} {self.day}, {place})\n"


def statement_digest(
    workspace: Workspace, prompt: str, session: str, known: Collection[str] = ()
) -> list[Line]:
    """Return the statements of other sessions about a prompt, best first, within 500
    tokens; none that is in `known`. Raises: StorageError, Stale.
    """
    words = {
        stem
        for stem in read_stems(prompt[:_LONGEST_PROMPT])
        if stem not in _IGNORED and len(stem) > 1
    }
    if not words:
        return []

    def search(index: RecallIndex, notes: Sequence[str]) -> list[Line]:
        with index.reading():
            return _find(index, words, session, known)

    try:
        lines = with_index(workspace, search, finds_edits=False)
    except IndexUnfinished:
        return []
    return _fitting(workspace, lines)


def _find(
    index: RecallIndex, words: Collection[str], session: str, known: Collection[str]
) -> list[Line]:
    every = [row for row in index.statements() if row.session != session]
    if not every:
        return []
    match = " OR ".join(f'"{word}"' for word in sorted(words))
    numbers = index.search(match, Filters((KIND,)), _MOST_CANDIDATES)
    stems = {number: row.stems.split() for number, row in index.rows(numbers).items()}
    exchanges = group_exchanges(every)
    speakers = {row.number: row for row in every}
    candidates = []
    length: dict[tuple[str, int], int] = {}
    newest: dict[str, str] = {}
    for each in exchanges:
        key = (each.session, each.turn)
        length[key] = each.length
        newest[each.session] = max(newest.get(each.session, ""), each.date)
        for number in (*each.user, *each.agent):
            if number in stems:
                row = speakers[number]
                is_user = row.speaker == "user"
                found = Candidate(number, key, is_user, stems[number], row.length)
                candidates.append(found)
    order = sorted(newest, key=lambda name: (newest[name], name), reverse=True)
    age = {name: at for at, name in enumerate(order)}
    sizes = Exchanges(length, age, sum(length.values()) / len(every))
    ranked = rank_exchanges(candidates, sizes, words)
    wanted = [number for each in ranked for number in each.numbers]
    units = index.units(wanted)
    lines = []
    for number in wanted:
        _, unit = units[number]
        if unit.id not in known:
            day = local_time(unit.date)[:10]
            lines.append(Line(unit.id, unit.speaker, day, unit.text))
    return lines


def _fitting(workspace: Workspace, lines: Sequence[Line]) -> list[Line]:
    """Return the lines that fit, without those that repeat another one."""
    fitting: list[Line] = []
    repeats = Repeats()
    room = TOKENS
    counter = workspace.counter()
    for line in lines:
        if room < _LEAST_ROOM:
            break
        stems = read_stems(line.text)
        if repeats.is_repeated(stems):
            continue
        size = counter.count(line.row)
        if size <= room:
            room -= size
            repeats.add(stems)
            fitting.append(line)
    return fitting
