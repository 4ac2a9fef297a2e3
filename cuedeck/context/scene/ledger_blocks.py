"""Blocks of ledger entries after the file content, each within its share of the
budget.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cuedeck.context.scene.visit_heading import end_rows, entry_tokens
from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Mentioned
from cuedeck.model.secret import unnumbered
from cuedeck.parse.secrets.mask import Mask

SHARES = {
    "assumptions": 0.02,
    "decisions": 0.05,
    "progress": 0.04,
    "memory": 0.05,
    "experiences": 0.03,
}
"""Maximum share of the budget for each block, in scene order."""
BRIEF_SHARES = {
    "changes": 0.14,
    "assumptions": 0.06,
    "decisions": 0.15,
    "progress": 0.2,
    "files": 0.07,
}
"""The same for the blocks of a brief."""

_CHANGES = "## Changes since this session was last used\n\n"
_FILES = "## Files touched so far\n\n"
_MORE = "- and {} more\n"
LONGEST_TEXT = 600
"""Maximal number of characters of one line of user text."""
LEAST = 32
"""Minimum cap of a block in tokens, enough to state that there are entries."""
_SMALL = 800
"""Budget below which this minimum would take too much from the card."""
_REMINDED_FROM = 600
"""Budget from which the nearest decisions are shown at least as one-line reminders."""
_REMINDERS = 3
_REMINDER_SHARE = 0.3
"""Maximum share of the budget for these reminders."""


class Row(NamedTuple):
    """One entry of a block, as full and as short text."""

    full: str
    short: str
    rank: int = 0
    """Priority: rows with a higher rank are omitted first, and among equals the later
    ones.
    """
    record: str = ""
    """Id of the record in the row, if any; no later block repeats this record."""
    entry: Mentioned | None = None
    """The entry in the row; None for a row about something else."""


class Content(NamedTuple):
    """The rows of a block before fitting."""

    name: str
    """A key of `SHARES`."""
    head: str
    """Heading and introduction; ends with a blank line."""
    rows: tuple[Row, ...]
    """Rows in display order; within a rank the most important first."""
    more: str
    """Line that counts the omitted rows; `{}` is replaced by their number."""
    further: int = 0
    """Number of further rows that were not built."""


class Fitted(NamedTuple):
    """A block as it appears in the scene."""

    name: str
    text: str
    """Text of the block; empty if it does not fit in its cap."""
    tokens: int
    cap: int
    records: frozenset[str] = frozenset()
    """Ids of the records in the block."""
    entries: tuple[Mentioned, ...] = ()
    """The entries in the block, in order."""


class Front(NamedTuple):
    """What a brief contains besides its scene."""

    introduction: str
    earlier: str = ""
    """Rules of the user, interrupted work, open steps and earlier sessions."""
    changes: tuple[str, ...] = ()
    """Rows about changes since the session was last used."""
    files: tuple[str, ...] = ()
    """Rows about the files of the session."""
    memory: str = ""

    def text(self, mask: Mask) -> str:
        """Return the masked text before the task. Statements contain masked secrets
        without numbers.
        """
        earlier = unnumbered(mask.plain(self.earlier))
        return mask.plain(self.introduction) + earlier

    def blocks(
        self, contents: Sequence[Content], mask: Mask, budget: int, count: Count
    ) -> tuple[Fitted, ...]:
        """Return the blocks of a brief, with `contents` from the ledgers."""
        rows = (("changes", _CHANGES, self.changes), ("files", _FILES, self.files))
        own = []
        for name, head, texts in rows:
            if not texts:
                continue
            shown = [Row(mask.plain(row), "") for row in texts]
            own.append(Content(name, head, tuple(shown), _MORE))
        fitted = [
            block._replace(cap=block.tokens)
            for block in fit_blocks([*contents, *own], budget, count, BRIEF_SHARES)
        ]
        note = unnumbered(mask.plain(self.memory))
        tokens = count.count(note)
        if note:
            fitted.append(Fitted("memory", note, tokens, tokens))
        return tuple(fitted)


NOTHING = Fitted("", "", 0, 0)
"""A section without text."""


def fit_blocks(
    contents: Sequence[Content],
    budget: int,
    count: Count,
    shares: Mapping[str, float] = SHARES,
) -> tuple[Fitted, ...]:
    """Return the non-empty blocks in the order of `shares`."""
    known = {content.name: content for content in contents}
    least = LEAST if budget >= _SMALL else 0
    fitted: list[Fitted] = []
    shown: set[str] = set()
    for name, share in shares.items():
        if name not in known:
            continue
        content = known[name]
        cap = max(int(budget * share), least)
        rows = tuple(row for row in content.rows if row.record not in shown)
        if content.rows and not rows and not content.further:
            continue
        content = content._replace(rows=rows)
        if name == "decisions" and budget >= _REMINDED_FROM:
            most = int(budget * _REMINDER_SHARE)
            reminders = min(_reminder_tokens(content, count), most)
            if reminders > cap:
                cap = reminders
                short = [row._replace(full=row.short or row.full) for row in rows]
                content = content._replace(rows=tuple(short))
        block = _fit(content, cap, count)
        fitted.append(block)
        shown |= block.records
    return tuple(fitted)


def _reminder_tokens(content: Content, count: Count) -> int:
    """Return the tokens of a block with the short text of its first rows and the line
    that counts the others.
    """
    rows = [row.short or row.full for row in content.rows[:_REMINDERS]]
    rows.append(content.more.format(len(content.rows) + content.further))
    return count.count(content.head) + sum(entry_tokens(row, count) for row in rows)


def _fit(content: Content, cap: int, count: Count) -> Fitted:
    """Choose the shorter text of each row in order while room remains, then expand the
    first rows to their full text.
    """
    rows = content.rows
    total = len(content.rows) + content.further
    room = cap - count.count(content.head)
    chosen: dict[int, str] = {}
    used = [0]
    for at in sorted(range(len(rows)), key=lambda at: rows[at].rank):
        row = rows[at]
        texts = (row.short or row.full, row.full)
        chosen[at] = min(texts, key=lambda text: entry_tokens(text, count))
        used.append(used[-1] + entry_tokens(chosen[at], count))
        if used[-1] > room:
            break
    rest = ""
    if len(chosen) < total or used[-1] > room:
        most = room - entry_tokens(content.more.format(total), count)
        while chosen and used[-1] > most:
            chosen.popitem()
            used.pop()
        rest = content.more.format(total - len(chosen))
    free = room - used[-1]
    if rest:
        free -= entry_tokens(rest, count)
    if free < 0:
        return Fitted(content.name, "", 0, cap)
    shown = [rows[at] for at in sorted(chosen)]
    lines: list[str] = []
    for at, row in zip(sorted(chosen), shown, strict=True):
        more = entry_tokens(row.full, count) - entry_tokens(chosen[at], count)
        if more <= free:
            free -= more
            chosen[at] = row.full
        lines.append(chosen[at])
    if rest:
        lines.append(rest)
    return _fitted(content, lines, shown, cap, count)


def _fitted(
    content: Content, lines: Sequence[str], shown: Sequence[Row], cap: int, count: Count
) -> Fitted:
    pieces = [content.head, *end_rows(lines)]
    records = [row.record for row in shown if row.record]
    entries = [row.entry for row in shown if row.entry is not None]
    return Fitted(
        content.name,
        text="".join(pieces),
        tokens=sum(map(count.count, pieces)),
        cap=cap,
        records=frozenset(records),
        entries=tuple(entries),
    )
