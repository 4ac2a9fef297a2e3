"""Ranking of earlier exchanges for a prompt, by one fitted score.

The score of an exchange is the estimated probability that it contains a statement which
the prompt needs: a logistic function of four features, fitted on development cases of
`benchmarks/continuity`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.store.cache.unit_filters import Filters
from cuedeck.text.bm25 import UNIT, add_up, rarity
from cuedeck.text.stems import TALK_WORDS
from cuedeck.text.words import read_stems, stop_stems

if TYPE_CHECKING:
    from cuedeck.store.cache.recall_index import RecallIndex, StatementRow

KIND = "statement"
_MOST_CANDIDATES = 400
_SLOPE = 0.75
"""Strength of length normalisation (b of BM25)."""
_BIAS, _BEST, _WHOLE, _COVERED, _AGE = -4.84, 0.25, 0.91, 2.53, -0.65
"""Weights of log(1 + BM25 of the best statement of the user), log(1 + BM25 of the
exchange), the share of the prompt's words by weight that the user said, and log(1 +
sessions since).
"""
_MOST_OF_USER, _MOST_OF_AGENT = 4, 2
_LONGEST_PROMPT = 2_000
_REQUESTS = """
    want need see use used using make makes making sure get got new now one also
"""
"""Words of requests, which say nothing about their subject."""
_IGNORED = stop_stems().union(read_stems(_REQUESTS), *map(read_stems, TALK_WORDS))

_VARIABLE = r"#(?:terminalSelection|terminalLastCommand|selection|codebase|editor)\b"
"""Variables in prompts of VS Code: the host replaces them by text that is not seen."""

_NAME = re.compile(r"(?<![\w.])\d{3,}\b|\b[^\W_]\w*?(?:_[^\W_]|[a-z][A-Z])\w*")
"""Numbers of three and more digits, `snake_case` and `camelCase`."""


def words_of(prompt: str) -> frozenset[str]:
    """Return the stems of a prompt that say something about its subject."""
    stems = read_stems(re.sub(_VARIABLE, " ", prompt[:_LONGEST_PROMPT]))
    return frozenset(stem for stem in stems if stem not in _IGNORED and len(stem) > 1)


def names_of(prompt: str) -> frozenset[str]:
    """Return the stems of the identifiers and numbers, such as those of tasks, that a
    prompt names.
    """
    names = _NAME.findall(prompt[:_LONGEST_PROMPT])
    # A name of marks alone has no stem.
    return frozenset(stem for name in names for stem in read_stems(name)[-1:])


class Ranked(NamedTuple):
    """An exchange with its best statements, those of the user first."""

    score: float
    shared: frozenset[str]
    """The words of the prompt that it contains."""
    numbers: tuple[int, ...]


def rank_statements(
    index: RecallIndex, words: Collection[str], *, without: str = ""
) -> list[Ranked]:
    """Return the exchanges of all sessions, except the one of `without`, that contain
    some of the words, best first.
    """
    every = index.statements(without=without)
    if not every or not words:
        return []
    match = " OR ".join(f'"{word}"' for word in sorted(words))
    numbers = index.search(match, Filters((KIND,)), _MOST_CANDIDATES)
    stems = {number: text.split() for number, text in index.stems(numbers).items()}
    lengths = {number: length for number, *_, length in every}
    return rank_exchanges(group_exchanges(every), stems, lengths, words)


def rank_exchanges(
    exchanges: Sequence[Exchange],
    stems: Mapping[int, Sequence[str]],
    lengths: Mapping[int, int],
    words: Collection[str],
) -> list[Ranked]:
    """Return the exchanges with words of a prompt, best first; each with the end of its
    reply if no statement of the reply contains one.

    `stems` are those of the statements with such words, `lengths` the characters of the
    stems of all statements, by their numbers.
    """
    in_statements: dict[str, Counter[int]] = {each: Counter() for each in sorted(words)}
    in_exchanges: dict[str, Counter[int]] = {each: Counter() for each in in_statements}
    for at, each in enumerate(exchanges):
        for number in (*each.user, *each.agent):
            for stem in stems.get(number, ()):
                if stem in in_statements:
                    in_statements[stem][number] += 1
                    in_exchanges[stem][at] += 1
    weights = {}
    for word, having in in_exchanges.items():
        weights[word] = rarity(max(1, len(having)), len(exchanges))
    whole = sum(weights.values())
    if not whole:
        return []
    sizes = {at: each.length for at, each in enumerate(exchanges)}
    total = sum(sizes.values())
    points = add_up(
        weights, in_statements, lengths, mean=total / len(lengths), slope=_SLOPE
    )
    ages = session_ages(exchanges)
    mean = total / len(exchanges)
    ranked = []
    by_exchange = add_up(weights, in_exchanges, sizes, mean=mean, slope=_SLOPE)
    for at, found in by_exchange.items():
        each = exchanges[at]
        shared = [word for word, having in in_exchanges.items() if at in having]
        best = max((points.get(number, 0) for number in each.user), default=0)
        said = [word for word in shared if in_statements[word].keys() & each.user]
        covered = sum(map(weights.__getitem__, said)) / whole
        value = (
            _BIAS
            + _BEST * math.log1p(best / UNIT)
            + _WHOLE * math.log1p(found / UNIT)
            + _COVERED * covered
            + _AGE * math.log1p(ages[each.session])
        )
        score = round(1 / (1 + math.exp(-value)), 4)
        ranked.append(Ranked(score, frozenset(shared), _best(each, points)))
    ranked.sort(key=lambda each: (-each.score, each.numbers))
    return ranked


def session_ages(exchanges: Iterable[Exchange]) -> dict[str, int]:
    """Return the number of newer sessions of each session."""
    newest: dict[str, str] = {}
    for each in exchanges:
        newest[each.session] = max(newest.get(each.session, ""), each.date)
    order = sorted(newest, key=lambda name: (newest[name], name), reverse=True)
    return {name: at for at, name in enumerate(order)}


def _best(exchange: Exchange, points: Mapping[int, int]) -> tuple[int, ...]:
    def matching(said: Sequence[int]) -> list[int]:
        found = filter(points.__contains__, said)
        return sorted(found, key=lambda number: (-points[number], number))

    agent = matching(exchange.agent) or exchange.agent[-1:]
    return (*matching(exchange.user)[:_MOST_OF_USER], *agent[:_MOST_OF_AGENT])


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
