"""Part of a brief: rules of the user, interrupted work, open steps and the last
sessions, from statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from cuedeck.app.recall.open_recall import IndexUnfinished
from cuedeck.app.recall.search_period import local_time
from cuedeck.app.recall.sync_index import with_index
from cuedeck.app.statements.exchanges import Exchange, group_exchanges
from cuedeck.records.recall.recall_terms import read_stems
from cuedeck.records.statements.repeats import Repeats
from cuedeck.scene.fence import quoted
from cuedeck.store.ledgers.statement_files import StatementFiles, is_turn_end

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.ports import Count
    from cuedeck.model.recall_values import Unit
    from cuedeck.store.cache.recall_index import RecallIndex

_RULES = "## Rules of the user\n\n"
_CUT = "## Interrupted work\n\n"
_OPEN = "## Open steps\n\n"
_SESSIONS = "## What the user asked in earlier sessions, newest first\n\n"
_RULES_SHARE, _OPEN_SHARE = 0.2, 0.08
"""Largest shares of the room for rules and for open steps."""
_MOST_RULES = 60
_MOST_STATEMENTS = 600
_LONGEST_RULE = 200
_LONGEST_ASKED = 250
_LONGEST_STEP = 160
_LEAST_STEMS = 3
_TELLING = frozenset(("done", "decision", "finding", "failed"))
_SAID_TURNS = 2
"""Number of the last turns of the newest session whose results are shown."""
_MOST_SAID = 4
_OPEN_SESSIONS = 2
"""Number of the newest sessions whose open steps are shown."""


def statement_brief(
    workspace: Workspace, session: str, tokens: int, count: Count
) -> str:
    """Return the part of a brief within `tokens`, without statements of `session`;
    empty without others.
    Raises: StorageError, Stale.
    """

    def search(index: RecallIndex, notes: Sequence[str]) -> str:
        with index.reading():
            return _build(workspace, index, session, tokens, count)

    try:
        return with_index(workspace, search, finds_edits=False)
    except IndexUnfinished:
        return ""


def _build(
    workspace: Workspace, index: RecallIndex, session: str, tokens: int, count: Count
) -> str:
    rows = [row for row in index.statements() if row.session != session]
    if not rows:
        return ""
    exchanges = group_exchanges(rows)
    repeats = Repeats()
    parts = _Parts(tokens, count)
    parts.add(_RULES, _rule_rows(index, session, repeats), int(tokens * _RULES_SHARE))
    newest = _newest_first(exchanges)
    units = _units(index, newest)
    parts.add(_CUT, _interrupted_rows(workspace, newest, units), tokens)
    parts.add(_OPEN, _open_rows(newest, units), int(tokens * _OPEN_SHARE))
    parts.add(_SESSIONS, _asked_rows(newest, units, repeats), tokens)
    return parts.text


class _Parts:
    """Parts of a text within a number of tokens; each leaves its rest to the next."""

    def __init__(self, room: int, count: Count) -> None:
        self.text = ""
        self._room = room
        self._count = count

    def add(self, head: str, rows: Iterable[str], most: int) -> None:
        """Add a heading with the first rows that fit together into `most` tokens."""
        room = min(most, self._room) - self._count.count(head) - 1
        kept: list[str] = []
        for row in rows:
            size = self._count.count(row)
            if size > room:
                break
            room -= size
            kept.append(row)
        if kept:
            text = f"{head}{''.join(kept)}\n"
            self._room -= self._count.count(text)
            self.text += text


def _rule_rows(index: RecallIndex, session: str, repeats: Repeats) -> Iterator[str]:
    for _, unit in index.standing(("rule", "correction"), _MOST_RULES):
        stems = read_stems(unit.text)
        if unit.session != session and not repeats.is_repeated(stems):
            repeats.add(stems)
            yield f"- {quoted(unit.text, _LONGEST_RULE)} ({_day(unit)})\n"


def _newest_first(exchanges: Sequence[Exchange]) -> list[Exchange]:
    """Return the newest exchanges, those of the newest session first."""
    newest: dict[str, str] = {}
    for each in exchanges:
        newest[each.session] = max(newest.get(each.session, ""), each.date)
    found = sorted(
        exchanges,
        key=lambda each: (newest[each.session], each.session, each.turn),
        reverse=True,
    )
    kept, size = [], 0
    for each in found:
        size += len(each.user) + len(each.agent)
        if size > _MOST_STATEMENTS:
            break
        kept.append(each)
    return kept


def _units(index: RecallIndex, exchanges: Sequence[Exchange]) -> dict[int, Unit]:
    numbers = [number for each in exchanges for number in (*each.user, *each.agent)]
    return {number: unit for number, (_, unit) in index.units(numbers).items()}


def _interrupted_rows(
    workspace: Workspace, exchanges: Sequence[Exchange], units: dict[int, Unit]
) -> Iterator[str]:
    """Yield the last turn of the newest session if it has no end."""
    if not exchanges or not exchanges[0].user:
        return
    last = exchanges[0]
    files = StatementFiles(workspace.paths)
    rows = [row.value for row in files.rows(files.path(last.session))]
    if not rows or is_turn_end(rows[-1]):
        return
    asked = " ".join(units[number].text for number in last.user)
    yield f"- The user asked: {quoted(asked, _LONGEST_ASKED)}\n"
    for number in last.agent:
        yield f"- The agent said: {quoted(units[number].text, _LONGEST_STEP)}\n"


def _open_rows(exchanges: Sequence[Exchange], units: dict[int, Unit]) -> Iterator[str]:
    sessions: list[str] = []
    for each in exchanges:
        if each.session in sessions:
            continue
        sessions.append(each.session)
        if len(sessions) > _OPEN_SESSIONS:
            return
        for number in each.agent:
            unit = units[number]
            if unit.category == "open":
                yield f"- {quoted(unit.text, _LONGEST_STEP)} ({_day(unit)})\n"


def _asked_rows(
    exchanges: Sequence[Exchange], units: dict[int, Unit], repeats: Repeats
) -> Iterator[str]:
    """Yield what the user asked in each session, the first line with the day; after the
    newest session what the agent said in its last turns.
    """
    for at, (_, group) in enumerate(groupby(exchanges, key=attrgetter("session"))):
        session = list(group)
        day = ""
        for each in session:
            text = " ".join(units[number].text for number in each.user)
            stems = read_stems(text[:_LONGEST_ASKED])
            if len(set(stems)) < _LEAST_STEMS or repeats.is_repeated(stems):
                continue
            repeats.add(stems)
            row = quoted(text, _LONGEST_ASKED)
            if not day:
                day = _day(units[each.user[0]])
                row = f"{day}: {row}"
            yield f"- {row}\n"
        if at == 0:
            yield from _said_rows(session[:_SAID_TURNS], units, repeats)


def _said_rows(
    exchanges: Sequence[Exchange], units: dict[int, Unit], repeats: Repeats
) -> Iterator[str]:
    """Yield what the agent did, decided and found in some exchanges."""
    said = [units[number] for each in exchanges for number in each.agent]
    telling = [unit for unit in said if unit.category in _TELLING]
    for unit in telling[:_MOST_SAID]:
        stems = read_stems(unit.text)
        if not repeats.is_repeated(stems):
            repeats.add(stems)
            yield f"- The agent: {quoted(unit.text, _LONGEST_STEP)}\n"


def _day(unit: Unit) -> str:
    return local_time(unit.date)[:10]
