"""Blocks: what the ledgers say, behind what the files say, each within its share of the budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cuedeck.model.ports import Count
from cuedeck.scene.visit_label import entry_tokens

SHARES = {"assumptions": 0.02, "decisions": 0.05, "progress": 0.04, "memory": 0.05, "experiences": 0.03}
"""Share of the budget each block may take, in the order in which they stand."""

LEAST = 32
"""Tokens a block may take at least, so that it can say that there is something to say."""
_SMALL = 800
"""Budget below which that would cost the card too much."""


class Row(NamedTuple):
    """One thing a block says: at length, and in one line; each text ends its line and begins with a dash."""

    full: str
    short: str
    rank: int = 0
    """Rows of a higher one are the first to go; of equals those further down."""
    record: str = ""
    """Id of the record that it tells, if any; no other block tells it again."""


class Content(NamedTuple):
    """What a block has to say."""

    name: str
    """A key of `SHARES`."""
    head: str
    """Its heading, and what goes before the rows; ends with a blank line."""
    rows: tuple[Row, ...]
    """As they stand; of one rank the most important first."""
    more: str
    """The line that counts the rows for which there is no room; `{}` stands for their number."""
    further: int = 0
    """Rows that would follow and were not made."""


class Fitted(NamedTuple):
    """A block as the scene has it."""

    name: str
    text: str
    """Empty where its cap has no room for it."""
    tokens: int
    cap: int
    records: frozenset[str] = frozenset()
    """Ids of the records that it tells."""


def fit_blocks(contents: Sequence[Content], budget: int, count: Count) -> tuple[Fitted, ...]:
    """Return the blocks that have something to say, in the order in which they stand."""
    known = {content.name: content for content in contents}
    least = LEAST if budget >= _SMALL else 0
    caps = {name: max(int(budget * share), least) for name, share in SHARES.items()}
    fitted: list[Fitted] = []
    told: frozenset[str] = frozenset()
    for name in SHARES:
        content = _without(known[name], told) if name in known else None
        if content is not None:
            block = _fit(content, caps[name], count) or Fitted(name, "", 0, caps[name])
            fitted.append(block)
            told |= block.records
    return tuple(fitted)


def _without(content: Content, told: frozenset[str]) -> Content | None:
    """Return what is left to say; None where all of it is told already."""
    rows = tuple(row for row in content.rows if row.record not in told)
    is_told = bool(content.rows) and not rows and not content.further
    return None if is_told else content._replace(rows=rows)


def _fit(content: Content, cap: int, count: Count) -> Fitted | None:
    """Give every row its line, in order, as long as there is room; then the first of them their full text."""
    free = cap - count.count(content.head)
    if free < 0:
        return None
    chosen = _lines(content, free, count)
    free -= sum(entry_tokens(text, count) for text in chosen.values())
    left = len(content.rows) - len(chosen) + content.further
    rest = content.more.format(left) if left else ""
    free -= entry_tokens(rest, count) if rest else 0
    if free < 0:
        return None
    for at in sorted(chosen):
        dearer = entry_tokens(content.rows[at].full, count) - entry_tokens(chosen[at], count)
        if dearer <= free:
            chosen[at] = content.rows[at].full
            free -= dearer
    pieces = [*(chosen[at] for at in sorted(chosen)), *([rest] if rest else [])]
    pieces[-1:] = [f"{piece}\n" for piece in pieces[-1:]]
    tokens = count.count(content.head) + sum(count.count(piece) for piece in pieces)
    records = frozenset(content.rows[at].record for at in chosen) - {""}
    return Fitted(content.name, content.head + "".join(pieces), tokens, cap, records)


def _lines(content: Content, free: int, count: Count) -> dict[int, str]:
    """Return the shorter text of each row that fits; when not all do, there is room for the line that says so."""
    rows = content.rows
    shown: dict[int, str] = {}
    costs: dict[int, int] = {}
    used = 0
    for at in sorted(range(len(rows)), key=lambda at: (rows[at].rank, at)):
        texts = dict.fromkeys((rows[at].short or rows[at].full, rows[at].full))
        costs[at], _, shown[at] = min((entry_tokens(text, count), n, text) for n, text in enumerate(texts))
        used += costs[at]
        if used > free:
            break
    else:
        if not content.further:
            return shown
    free -= entry_tokens(content.more.format(len(rows) + content.further), count)
    for at in reversed(list(shown)):
        if used <= free:
            break
        used -= costs[at]
        del shown[at]
    return shown
