"""Part of a brief: rules and corrections of the user, interrupted work, open steps and
the last sessions, from statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.sync_index import search_statements
from cuedeck.knowledge.statements.brief_rows import (
    asked_rows,
    holding,
    interrupted_rows,
    open_rows,
    said_rows,
    standing_rows,
)
from cuedeck.knowledge.statements.rank_exchanges import (
    Exchange,
    group_exchanges,
    session_ages,
)
from cuedeck.text.similarity import Repeats
from cuedeck.text.words import read_stems

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Count
    from cuedeck.model.recall_values import Unit
    from cuedeck.store.cache.recall_index import RecallIndex

_RULES = "## Rules of the user\n\n"
_CORRECTIONS = "## Corrections by the user, newest first\n\n"
_CUT = "## Interrupted work\n\n"
_OPEN = "## Open steps\n\n"
_SESSIONS = "## Asked by the user, newest first\n\n"
_SAID = "## Done and found by the agent, newest first\n\n"
_STANDING_SHARE, _OPEN_SHARE = 0.2, 0.08
"""Largest shares of the room for rules, for corrections and for open steps."""
_MOST_STANDING = 200
_MOST_STATEMENTS = 600


def statement_brief(
    workspace: Workspace,
    session: str,
    tokens: int,
    count: Count,
    scene: str = "",
) -> str:
    """Return the part of a brief within `tokens`, without statements of `session` and
    decisions that `scene` shows; empty without others.
    Raises: StorageError, Stale.
    """

    def search(index: RecallIndex) -> str:
        repeats = Repeats()
        repeats.add_decisions(scene)
        parts = _Parts(tokens, count)
        exchanges = group_exchanges(index.statements(without=session))
        if not exchanges:
            return ""
        standing = holding_instructions(index, repeats)
        for head, kind in ((_RULES, "rule"), (_CORRECTIONS, "correction")):
            of_kind = [unit for unit in standing if unit.category == kind]
            parts.add(head, standing_rows(of_kind, session, repeats), _STANDING_SHARE)
        ages = session_ages(exchanges)
        found = sorted(exchanges, key=lambda each: (ages[each.session], -each.turn))
        newest, size = [], 0
        for each in found:
            size += len(each.user) + len(each.agent)
            if size > _MOST_STATEMENTS:
                break
            newest.append(each)
        units = _units(index, newest)
        parts.add(_CUT, interrupted_rows(workspace.paths, newest, units, repeats))
        parts.add(_OPEN, open_rows(newest, units, repeats), _OPEN_SHARE)
        parts.add(_SESSIONS, asked_rows(newest, units, repeats))
        parts.add(_SAID, said_rows(newest, units, repeats))
        return parts.text

    return search_statements(workspace, search, "")


def rules_brief(workspace: Workspace, tokens: int, count: Count) -> str:
    """Return the rules of the user within `tokens`, newest first; empty without one.
    Raises: StorageError, Stale.
    """

    def search(index: RecallIndex) -> str:
        parts = _Parts(tokens, count)
        rules = [
            each for each in holding_instructions(index) if each.category == "rule"
        ]
        parts.add(_RULES, standing_rows(rules, "", Repeats()))
        return parts.text

    return search_statements(workspace, search, "")


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
        fitting: list[str] = []
        for row in rows:
            size = self._count.count(row)
            if size > room:
                break
            room -= size
            fitting.append(row)
        if fitting:
            body = "".join(fitting)
            text = f"{head}{body}\n"
            self._room -= self._count.count(text)
            self.text += text


def holding_instructions(
    index: RecallIndex, repeats: Repeats | None = None
) -> list[Unit]:
    """Return the newest rules and corrections of the user that hold, newest first; note
    those that others replace in `repeats`, so that they are not shown elsewhere.
    """
    units = index.standing(_MOST_STANDING)
    held = holding(units)
    if repeats is not None:
        for unit in units:
            if unit not in held:
                repeats.add(read_stems(unit.text))
    return held


def _units(index: RecallIndex, exchanges: Sequence[Exchange]) -> dict[int, Unit]:
    numbers = [at for each in exchanges for at in (*each.user, *each.agent)]
    return {number: unit for number, (_, unit) in index.units(numbers).items()}
