"""Digest of a prompt: what earlier sessions said about it, or nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cuedeck.app.recall.open_recall import IndexUnfinished
from cuedeck.app.recall.search_period import local_time
from cuedeck.app.recall.sync_index import with_index
from cuedeck.app.statements.rank_statements import KIND, rank_statements, words_of
from cuedeck.model.light_typing import TYPE_CHECKING, NamedTuple
from cuedeck.records.recall.recall_terms import read_stems
from cuedeck.records.statements.repeats import Repeats
from cuedeck.scene.fence import code, quoted

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.cache.recall_index import RecallIndex

TOKENS = 500
_LEAST_SHARED = 5
"""Least number of words that one earlier exchange shares with the prompt, one less for
a prompt of so many words; below it, nothing earlier is about the prompt.
"""
_LEAST_SCORE = 0.02
_LONGEST = 320
_LEAST_ROOM = 20
"""Tokens of the shortest line."""


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
    words = words_of(prompt)
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
    ranked = rank_statements(index, words, without=session)
    least = _LEAST_SHARED - (len(words) <= _LEAST_SHARED)
    if max((each.shared for each in ranked), default=0) < least:
        return []
    likely = [each for each in ranked if each.score >= _LEAST_SCORE]
    wanted = [number for each in likely for number in each.numbers]
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
