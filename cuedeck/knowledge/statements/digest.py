"""Digest of a prompt: what earlier sessions said about it, or nothing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.recall.recall_query import local_time
from cuedeck.knowledge.recall.sync_index import search_statements
from cuedeck.knowledge.statements.rank_exchanges import (
    KIND,
    names_of,
    rank_statements,
    words_of,
)
from cuedeck.parse.fence import code, quoted
from cuedeck.store.files.disk import look_at_generated
from cuedeck.text.similarity import Repeats

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.recall_values import Unit
    from cuedeck.store.cache.recall_index import RecallIndex

TOKENS = 500
_LEAST_SHARED = 5
"""Least number of words that one earlier exchange shares with the prompt, one less for
a prompt of five words or fewer, but no more than it has; below it, nothing earlier is
about the prompt.
"""
_LEAST_OF_FEW = 2
"""Least number for a short prompt; for exchanges with an identifier of the prompt; and
for those of sessions that run at the same time, if these words are half of the prompt.
"""
_LEAST_SCORE = 0.02
_LONGEST, _LONGEST_OF_AGENT = 320, 200
_LEAST_ROOM = 20
"""Tokens of the shortest line."""


def names_subject(prompt: str) -> bool:
    """Return whether a prompt asks something, or has two words about its subject:
    `fix this` has one.
    """
    if "?" in prompt:
        return True
    words = words_of(prompt)
    return len(words) >= _LEAST_OF_FEW


class Line(NamedTuple):
    """An exchange in a digest."""

    user: tuple[Unit, ...]
    agent: tuple[Unit, ...]

    @property
    def units(self) -> tuple[Unit, ...]:
        """The statements of the exchange."""
        return (*self.user, *self.agent)

    @property
    def row(self) -> str:
        """The exchange as quoted Markdown: the words of the user, the reply below them,
        and the day and address of the first statement.
        """
        first = self.units[0]
        place = code(f"{KIND}:{first.id[:8]}")
        said = []
        if self.user:
            said.append(_quotes(self.user, _LONGEST))
        if self.agent:
            said.append(f"The agent: {_quotes(self.agent, _LONGEST_OF_AGENT)}")
        text = "\n  ".join(said)
        return f"- {text} ({local_time(first.date)[:10]}, {place})\n"


def _quotes(units: Sequence[Unit], longest: int) -> str:
    return " ".join(quoted(unit.text, longest) for unit in units)


def statement_digest(
    workspace: Workspace, prompt: str, session: str, known: Collection[str] = ()
) -> list[Line] | None:
    """Return the exchanges of other sessions about a prompt, best first, within 500
    tokens, without the statements in `known` and decisions of SCENE.md, which the agent
    was given or reads; None if the index was not updated. Raises: StorageError, Stale.
    """
    words = words_of(prompt)
    if not words:
        return None

    repeats = Repeats()
    names = names_of(prompt)
    lines = search_statements(
        workspace,
        lambda index: _find(index, words, names, session, known, repeats),
        None,
    )
    if lines is None:
        return None
    if lines:
        scene = look_at_generated(workspace.paths.scene)
        repeats.add_decisions(scene.decode("utf-8", "replace"))
    fitting: list[Line] = []
    room = TOKENS
    counter = workspace.counter()
    for line in lines:
        if room < _LEAST_ROOM:
            break
        user = tuple(repeats.take_new(line.user))
        agent = tuple(repeats.take_new(line.agent))
        for tried in (Line(user, agent), Line(user, ())):
            if not tried.units:
                continue
            size = counter.count(tried.row)
            if size <= room:
                room -= size
                fitting.append(tried)
                break
    return fitting


def _find(
    index: RecallIndex,
    words: Collection[str],
    names: Collection[str],
    session: str,
    known: Collection[str],
    repeats: Repeats,
) -> list[Line]:
    """Return the exchanges with statements that are not in `known`; note those in it
    as shown, so that another session that repeats them is left out.
    """
    ranked = rank_statements(index, words, without=session)
    likely = [each for each in ranked if each.score >= _LEAST_SCORE]
    units = index.units([number for each in likely for number in each.numbers])
    least = _LEAST_SHARED - (len(words) <= _LEAST_SHARED)
    least = max(_LEAST_OF_FEW, min(least, len(words)))
    if all(len(each.shared) < least for each in ranked):
        # What another agent said since this session began was not in its brief.
        begun = index.first_statement(session)
        likely = [
            each
            for each in likely
            if len(each.shared) >= _LEAST_OF_FEW
            and (
                not each.shared.isdisjoint(names)
                or (
                    2 * len(each.shared) >= len(words)
                    and units[each.numbers[-1]][1].date > begun > ""
                )
            )
        ]
    lines = []
    for exchange in likely:
        said = [units[number][1] for number in exchange.numbers]
        repeats.add_known(said, known)
        new = [unit for unit in said if unit.id not in known]
        user = tuple(unit for unit in new if unit.speaker == "user")
        agent = tuple(unit for unit in new if unit.speaker != "user")
        lines.append(Line(user, agent))
    return lines
