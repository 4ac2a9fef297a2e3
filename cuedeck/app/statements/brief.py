"""Part of a brief: rules and corrections of the user, interrupted work, open steps and
the last sessions, from statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from datetime import timedelta
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING

from cuedeck.app.recall.open_recall import IndexUnfinished
from cuedeck.app.recall.search_period import local_time
from cuedeck.app.recall.sync_index import with_index
from cuedeck.app.statements.exchanges import Exchange, group_exchanges
from cuedeck.parse.timestamps import moment_of
from cuedeck.records.recall.recall_terms import read_stems
from cuedeck.records.statements.rank_exchanges import words_of
from cuedeck.records.statements.repeats import Repeats
from cuedeck.records.statements.standing import holding, not_corrected
from cuedeck.scene.fence import quoted
from cuedeck.store.ledgers.statement_files import DAY_SESSION, StatementFiles
from cuedeck.store.ledgers.statement_paths import statement_paths
from cuedeck.store.ledgers.statement_rows import is_turn_end, turn_of

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.ports import Count
    from cuedeck.model.recall_values import Unit
    from cuedeck.store.cache.recall_index import RecallIndex

_RULES = "## Rules of the user\n\n"
_CORRECTIONS = "## Corrections by the user, newest first\n\n"
_CUT = "## Interrupted work\n\n"
_OPEN = "## Open steps\n\n"
_SESSIONS = "## Asked by the user, newest first\n\n"
_SAID = "## Done and found by the agent, newest first\n\n"
_RULES_SHARE, _CORRECTIONS_SHARE, _OPEN_SHARE = 0.2, 0.2, 0.08
"""Largest shares of the room for rules, for corrections and for open steps."""
_MOST_STANDING = 200
_MOST_STATEMENTS = 600
_LONGEST_RULE = 200
_LONGEST_ASKED = 250
_LONGEST_STEP = 160
_LONGEST_SAID = 250
_LEAST_WORDS = 3
"""Words of a prompt that say something about its subject; those with fewer are chores,
such as `continue`, or corrections that no later session understands: `No, revert that.`
"""
_TELLING = frozenset(("done", "decision", "finding", "failed"))
_RANKS = {"finding": 0, "failed": 0, "decision": 0, "open": 0, "done": 1}
_LAST_TURNS = 2
"""Number of the last turns of the newest session, one result of which is shown first.
"""
_SOONER = timedelta(minutes=1)
"""Time by which a transcript may date a prompt before the hook that was sent it."""
_NEWEST_SESSIONS = 2
"""Number of the newest sessions of which open steps and work of tools are shown."""


def statement_brief(
    workspace: Workspace, session: str, tokens: int, count: Count, scene: str = ""
) -> str:
    """Return the part of a brief within `tokens`, without statements of `session` and
    decisions that `scene` shows; empty without others.
    Raises: StorageError, Stale.
    """
    if not statement_paths(workspace.paths):
        return ""

    def search(index: RecallIndex, notes: Sequence[str]) -> str:
        parts = _Parts(tokens, count)
        repeats = Repeats()
        repeats.add_decisions(scene)
        with index.reading():
            return _build(workspace, index, session, parts, repeats)

    try:
        return with_index(workspace, search, finds_edits=False)
    except IndexUnfinished:
        return ""


def _build(
    workspace: Workspace,
    index: RecallIndex,
    session: str,
    parts: _Parts,
    repeats: Repeats,
) -> str:
    rows = [row for row in index.statements() if row.session != session]
    if not rows:
        return ""
    exchanges = group_exchanges(rows)
    standing = holding_instructions(index, repeats)
    for head, kind, share in (
        (_RULES, "rule", _RULES_SHARE),
        (_CORRECTIONS, "correction", _CORRECTIONS_SHARE),
    ):
        of_kind = [unit for unit in standing if unit.category == kind]
        given = _standing_rows(of_kind, session, repeats)
        parts.add(head, given, share)
    newest = _newest_first(exchanges)
    units = _units(index, newest)
    parts.add(_CUT, _interrupted_rows(workspace, newest, units, repeats))
    parts.add(_OPEN, _open_rows(newest, units, repeats), _OPEN_SHARE)
    parts.add(_SESSIONS, _asked_rows(newest, units, repeats))
    parts.add(_SAID, _said_rows(newest, units, repeats))
    return parts.text


def rules_brief(workspace: Workspace, tokens: int, count: Count) -> str:
    """Return the rules of the user within `tokens`, newest first; empty without one.
    Raises: StorageError, Stale.
    """
    if not statement_paths(workspace.paths):
        return ""
    parts = _Parts(tokens, count)

    def search(index: RecallIndex, notes: Sequence[str]) -> str:
        with index.reading():
            standing = holding_instructions(index)
            rules = [unit for unit in standing if unit.category == "rule"]
            parts.add(_RULES, _standing_rows(rules, "", Repeats()))
        return parts.text

    try:
        return with_index(workspace, search, finds_edits=False)
    except IndexUnfinished:
        return ""


class _Parts:
    """Parts of a text within a number of tokens; each leaves its rest to the next."""

    def __init__(self, room: int, count: Count) -> None:
        self.text = ""
        self._most = self._room = room
        self._count = count

    def add(self, head: str, rows: Iterable[str], share: float = 1) -> None:
        """Add a heading with the first rows that fit together into the free room and
        into a share of the whole room.
        """
        room = min(int(self._most * share), self._room) - self._count.count(head) - 1
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


def holding_instructions(
    index: RecallIndex, repeats: Repeats | None = None
) -> list[Unit]:
    """Return the newest rules and corrections of the user that hold, newest first; note
    those that others replace in `repeats`, so that they are not shown elsewhere.
    """
    newest = index.standing(("rule", "correction"), _MOST_STANDING)
    units = [unit for _, unit in newest]
    held = holding(units)
    if repeats is not None:
        for unit in units:
            if unit not in held:
                repeats.add(read_stems(unit.text))
    return held


def _standing_rows(
    units: Iterable[Unit], session: str, repeats: Repeats
) -> Iterator[str]:
    for unit in units:
        if unit.session == session:
            continue
        is_rule = unit.category == "rule"
        if not is_rule and len(words_of(unit.text)) < _LEAST_WORDS:
            continue
        repeats.add(read_stems(unit.text))
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


def _conversations(exchanges: Sequence[Exchange]) -> list[list[Exchange]]:
    """Return the exchanges of each session of a host."""
    groups = groupby(exchanges, key=attrgetter("session"))
    return [list(group) for name, group in groups if not name.startswith(DAY_SESSION)]


def _interrupted_rows(
    workspace: Workspace,
    exchanges: Sequence[Exchange],
    units: dict[int, Unit],
    repeats: Repeats,
) -> Iterator[str]:
    """Yield the last turn of the newest session if it has no end, unless the user asked
    the same in another session and the agent replied.
    """
    conversed = list(chain(*_conversations(exchanges)))
    if not conversed or not conversed[0].user:
        return
    last = conversed[0]
    files = StatementFiles(workspace.paths)
    rows = [row.value for row in files.rows(files.path(last.session))]
    turn = max(map(turn_of, rows), default=0)
    if not rows or any(is_turn_end(row, turn) for row in rows):
        return
    texts = {units[number].text for number in last.user}
    if any(_is_reply(each, last, texts, units) for each in conversed):
        return
    asked = _joined(units[number].text for number in last.user)
    repeats.add(read_stems(asked[:_LONGEST_ASKED]))
    yield f"- The user asked: {quoted(asked, _LONGEST_ASKED)}\n"
    for unit in repeats.take_new([units[number] for number in last.agent]):
        yield f"- The agent: {quoted(unit.text, _LONGEST_STEP)}\n"


def _is_reply(
    other: Exchange, last: Exchange, texts: Set[str], units: dict[int, Unit]
) -> bool:
    """Return whether another exchange replies to the prompt of the last one: a host may
    copy a conversation that it resumes into a new session.
    """
    if other.session == last.session or not other.agent:
        return False
    if not texts <= {units[number].text for number in other.user}:
        return False
    then, now = moment_of(other.date), moment_of(last.date)
    return then is None or now is None or then >= now - _SOONER


def _open_rows(
    exchanges: Sequence[Exchange], units: dict[int, Unit], repeats: Repeats
) -> Iterator[str]:
    for each, *_ in _conversations(exchanges)[:_NEWEST_SESSIONS]:
        said = [units[number] for number in each.agent]
        steps = [unit for unit in said if unit.category == "open"]
        for unit in repeats.take_new(steps):
            yield f"- {quoted(unit.text, _LONGEST_STEP)} ({_day(unit)})\n"


def _asked_rows(
    exchanges: Sequence[Exchange], units: dict[int, Unit], repeats: Repeats
) -> Iterator[str]:
    """Yield what the user asked in each session, the first line with the day, without
    rules and corrections that were shown; after the newest session one result of its
    last turns.
    """
    for at, session in enumerate(_conversations(exchanges)):
        day = ""
        for each in session:
            said = [units[number] for number in each.user]
            text = _joined(unit.text for unit in said if not _is_shown(unit, repeats))
            stems = read_stems(text[:_LONGEST_ASKED])
            if len(words_of(text)) < _LEAST_WORDS or repeats.is_repeated(stems):
                continue
            repeats.add(stems)
            row = quoted(text, _LONGEST_ASKED)
            if not day:
                day = _day(units[each.user[0]])
                row = f"{day}: {row}"
            yield f"- {row}\n"
        if at == 0:
            last = _valid_said(session[:_LAST_TURNS], units)
            telling = (unit for unit in last if unit.category in _TELLING)
            for unit in islice(repeats.take_new(telling), 1):
                yield f"- The agent: {quoted(unit.text, _LONGEST_STEP)}\n"


def _is_shown(unit: Unit, repeats: Repeats) -> bool:
    """Return whether a statement is a rule or a correction that was shown."""
    if unit.category not in ("rule", "correction"):
        return False
    return repeats.is_repeated(read_stems(unit.text))


def _valid_said(exchanges: Sequence[Exchange], units: dict[int, Unit]) -> list[Unit]:
    """Return the statements of the agent, newest exchange first, without results that
    the next prompt of the user corrects.
    """
    said: list[Unit] = []
    session = ""
    corrections: list[Unit] = []
    for each in exchanges:
        if each.session != session:
            session, corrections = each.session, []
        of_agent = [units[number] for number in each.agent]
        results = [unit for unit in of_agent if unit.category == "done"]
        valid = not_corrected(results, corrections)
        said += [unit for unit in of_agent if unit not in results or unit in valid]
        of_user = [units[number] for number in each.user]
        corrections = [unit for unit in of_user if unit.category == "correction"]
    return said


def _joined(passages: Iterable[str]) -> str:
    """Return passages as one text; those without an end, such as answers in a list, end
    with a semicolon.
    """
    text = " ".join(f"{each};" if each[-1].isalnum() else each for each in passages)
    return text.removesuffix(";")


def _said_rows(
    exchanges: Sequence[Exchange], units: dict[int, Unit], repeats: Repeats
) -> Iterator[str]:
    """Yield the statements of the agent: findings, decisions, failed attempts and open
    steps, then other results, then the rest.
    """
    newest = {each[0].session for each in _conversations(exchanges)[:_NEWEST_SESSIONS]}
    said = [
        unit
        for unit in _valid_said(exchanges, units)
        if not _is_work_of_tool(unit) or unit.session in newest
    ]
    said.sort(key=lambda unit: _RANKS.get(unit.category, len(_RANKS)))
    last = ""
    for unit in repeats.take_new(said):
        day = _day(unit)
        place = "" if day == last else f" ({day})"
        last = day
        yield f"- {quoted(unit.text, _LONGEST_SAID)}{place}\n"


def _is_work_of_tool(unit: Unit) -> bool:
    """Return whether a unit is an edit, also a discarded one, a step that is done, a
    commit or the result of tests.
    """
    return unit.speaker == "tool" and unit.category in ("done", "failed")


def _day(unit: Unit) -> str:
    return local_time(unit.date)[:10]
