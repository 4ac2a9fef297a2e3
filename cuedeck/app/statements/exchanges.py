"""Exchanges of the statements in the index: a prompt with the reply to it."""

from __future__ import annotations

from collections.abc import Iterable

from cuedeck.model.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuedeck.store.cache.recall_index import StatementRow


class Exchange:
    """The statements of one exchange, by their numbers in the index."""

    __slots__ = ("agent", "date", "length", "session", "turn", "user")

    def __init__(self, session: str, turn: int) -> None:
        self.session = session
        self.turn = turn
        self.date = ""
        self.length = 0
        """Characters of the stems of its statements."""
        self.user: list[int] = []
        self.agent: list[int] = []


def group_exchanges(rows: Iterable[StatementRow]) -> list[Exchange]:
    """Return the exchanges of statements in the order of their files: each begins with
    a statement of the user after one of the agent, after the end of a turn, which has a
    line of its own, or in another session.
    """
    found: list[Exchange] = []
    line = 0
    for row in rows:
        is_user = row.speaker == "user"
        if not found or _begins(found[-1], row, line):
            found.append(Exchange(row.session, len(found)))
        last = found[-1]
        numbers = last.user if is_user else last.agent
        numbers.append(row.number)
        last.length += row.length
        last.date = max(last.date, row.date)
        line = row.line
    return found


def _begins(last: Exchange, row: StatementRow, line: int) -> bool:
    """Return whether a statement after the one on `line` begins another exchange."""
    if last.session != row.session:
        return True
    if row.speaker != "user":
        return False
    return bool(last.agent) or row.line != line + 1
