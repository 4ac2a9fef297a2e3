"""End of a scene: the notice of omitted visits, the receipt and the footer with the
exact token count.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from cuedeck.model.ports import Count
from cuedeck.model.scene_values import LeftOut, Unresolved, Visit
from cuedeck.scene.budget import Plan
from cuedeck.scene.fence import code, fold
from cuedeck.scene.mask import Mask
from cuedeck.scene.visit_heading import command
from cuedeck.scene.visit_views import Views

_MORE_OMITTED = "> - and {} more, {} tokens\n"
_CROWDED = "no room for: {}"
_MORE_UNRESOLVED = "- unresolved: {} more, see `cuedeck doctor`\n"
_LEAST_ROW = 10
"""Minimum tokens of a row; limits the number of unresolved refs that are formatted to
those that might fit.
"""
RECEIPT_DIGITS = 12
"""Digits of the receipt in the footer."""
_HASH_TOKENS = 13
"""Upper bound of the tokens of these hexadecimal digits with the space before them."""
FORMAT = 4
"""Version of the layout of SCENE.md; a new version changes every receipt."""


def least_notice(visits: int, count: Count) -> int:
    """Return the maximum tokens of a notice that only counts, for the given number of
    visits.
    """
    return count.count(_head(_counts(visits, visits)) + "\n")


def left_out(planned: Plan, views: Views) -> tuple[LeftOut, ...]:
    """Return the omitted visits, in visit order."""
    return tuple(
        LeftOut(
            visit.address,
            visit.tier,
            visit.depth,
            views.size(visit),
            "over budget",
            command(visit.address),
        )
        for visit in planned.left_out
    )


def format_notice(
    planned: Plan,
    gone: Sequence[LeftOut],
    views: Views,
    count: Count,
    cap: int,
    crowded: Sequence[str] = (),
) -> str:
    """Return a list of the omitted visits within `cap` tokens and a count of the rest;
    empty if nothing was reduced.

    `crowded` names the blocks without room; they are listed only if the notice has room
    for them.
    """
    counts = (
        _counts(len(gone), sum(each.reduced for each in planned.shown))
        if planned.pressed
        else ""
    )
    named = _CROWDED.format(", ".join(crowded)) if crowded else ""
    summary = "; ".join(filter(None, (counts, named)))
    if count.count(_head(summary) + "\n") > cap:
        summary = counts
    if not summary:
        return ""
    head = _head(summary)
    rows: list[str] = []
    more = _MORE_OMITTED.format(len(gone), sum(each.tokens for each in gone))
    free = cap - count.count(head + "\n") - count.count(more)
    for each, visit in zip(gone, planned.left_out, strict=True):
        row = views.labels.row(visit, each.tokens, each.reason)
        free -= count.count(row)
        if free < 0:
            break
        rows.append(row)
    hidden = gone[len(rows) :]
    if rows and hidden:
        rows.append(
            _MORE_OMITTED.format(len(hidden), sum(each.tokens for each in hidden))
        )
    return head + "".join(rows) + "\n"


def _head(summary: str) -> str:
    return f"> [!WARNING] Truncated\n> Cut to fit: {summary}.\n"


def _counts(gone: int, smaller: int) -> str:
    return f"{gone} left out, {smaller} reduced"


class Footer:
    """The last part of the scene; it states the exact tokens of the file that contains
    it.
    """

    def __init__(
        self,
        card: str,
        budget: int,
        count: Count,
        receipt: str,
        unresolved: Sequence[Unresolved],
        mask: Mask,
    ) -> None:
        self._card = card
        self._budget = budget
        self._count = count
        self._receipt = receipt[:RECEIPT_DIGITS]
        self._total = len(unresolved)
        self._rows = [_row(each, mask) for each in unresolved[: budget // _LEAST_ROW]]
        self._costs = [count.count(row) for row in self._rows]
        self._bare = (
            count.count(self._format(budget, ())) + 1
        )  # the blank line before the rows
        # The tokens of a hash differ. The maximum is reserved, so that a changed hash
        # does not change the plan.
        slack = _HASH_TOKENS - count.count(f" {self._receipt}")
        self.least = self._bare + max(0, slack)
        """Tokens to reserve for the footer without its rows."""

    def most(self, share: int) -> int:
        """Return the tokens to reserve: the footer and up to `share` tokens of its
        rows.
        """
        return self.least + sum(self._count.count(row) for row in self._fitting(share))

    def text(self, used: int) -> tuple[str, int]:
        """Return the footer after `used` tokens, and the tokens of the whole file."""
        rows = self._fitting(self._budget - used - self._bare)
        # The footer contains its own token count. More digits never cost fewer tokens,
        # so the iteration ends at a fixed point.
        tokens = used
        while True:
            text = self._format(tokens, rows)
            exact = used + self._count.count(text)
            if exact == tokens:
                return text, tokens
            tokens = exact

    def _fitting(self, room: int) -> Sequence[str]:
        if sum(self._costs) <= room and len(self._rows) == self._total:
            return self._rows
        room -= self._count.count(_MORE_UNRESOLVED.format(self._total))
        if room < 0:
            return ()
        rows: list[str] = []
        for row, cost in zip(self._rows, self._costs, strict=True):
            if cost <= room:
                rows.append(row)
                room -= cost
        return [*rows, _MORE_UNRESOLVED.format(self._total - len(rows))]

    def _format(self, tokens: int, rows: Sequence[str]) -> str:
        card = f"card {code(self._card)} · " if self._card else ""
        broken = f" · {self._total} unresolved" if self._total else ""
        line = f"{card}limit {self._budget} · {tokens} tokens {self._count.encoding}{broken}"
        listed = "\n" + "".join(rows) if rows else ""
        return f"## Receipt\n\n{line}\nsha256 {self._receipt}\n{listed}"


def _row(each: Unresolved, mask: Mask) -> str:
    def words(text: str, most: int) -> str:
        line = fold(mask.plain(text), most)
        return code(line) if "`" in line else line

    ref = fold(
        mask.words(each.ref, each.source)
        if each.form != "pinned"
        else mask.plain(each.ref),
        120,
    )
    near = f"; nearest: {words(each.suggestion, 120)}" if each.suggestion else ""
    fits = (
        f"; fits {', '.join(words(name, 80) for name in each.candidates[:4])}"
        if each.reason == "ambiguous"
        else ""
    )
    place = (
        f"on line {each.line} of {words(each.source, 200)}"
        if each.line
        else f"in {words(each.source, 200)}"
    )
    return f"- unresolved: {code(ref)} ({each.reason}) {place}{near}{fits}\n"


def receipt(
    choices: Mapping[str, object],
    hashes: Mapping[str, str],
    visits: Iterable[Visit],
    unresolved: Iterable[Unresolved],
) -> str:
    """Return the sha256 (hex) of the rendered inputs and of the resolution results.

    `choices` are the relevant settings; `hashes` maps each visited path to its content
    hash.
    """
    inputs = {
        "format": FORMAT,
        "choices": choices,
        "files": sorted(hashes.items()),
        "visits": [
            [
                visit.address,
                visit.why,
                visit.spans,
                visit.parts,
                visit.wants_full,
                visit.pinned,
            ]
            for visit in visits
        ],
        "unresolved": [list(each) for each in unresolved],
    }
    return hashlib.sha256(
        json.dumps(inputs, sort_keys=True, ensure_ascii=False).encode(
            "utf-8", "surrogatepass"
        )
    ).hexdigest()
