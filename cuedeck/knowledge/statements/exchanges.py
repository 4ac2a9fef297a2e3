"""Exchanges of the statements in the index: a prompt with the reply to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

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
    last = Exchange("", -1)
    before = 0
    # A row is unpacked once, because this runs for every statement at every prompt.
    for number, session, speaker, date, line, length in rows:
        is_user = speaker == "user"
        begins = not found or last.session != session
        if begins or (is_user and (last.agent or line != before + 1)):
            last = Exchange(session, len(found))
            found.append(last)
        (last.user if is_user else last.agent).append(number)
        last.length += length
        last.date = max(last.date, date)
        before = line
    return found
