"""Footer of a scene: card, budget, exact token count, encoding, receipt and unresolved refs."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Unresolved
from cuedeck.scene.fence import code, fold
from cuedeck.scene.mask import Mask

_MORE = "- unresolved: {} more, see `cuedeck doctor`\n"
_LEAST_ROW = 10
"""Minimum tokens of a row; limits the number of unresolved refs that are formatted to those that might fit."""
_HASH_TOKENS = 65
"""Upper bound of the tokens of a 64-digit hexadecimal hash with the space before it."""


class Footer:
    """The last part of the scene; it states the exact tokens of the file that contains it."""

    def __init__(
        self, card: str, budget: int, count: Count, receipt: str, unresolved: Sequence[Unresolved], mask: Mask
    ) -> None:
        self._card = card
        self._budget = budget
        self._count = count
        self._receipt = receipt
        self._total = len(unresolved)
        self._rows = [_row(each, mask) for each in unresolved[: budget // _LEAST_ROW]]
        self._costs = [count.count(row) for row in self._rows]
        self._bare = count.count(self._format(budget, ())) + 1  # the blank line before the rows
        # A hash costs 28 to 48 tokens. If room allows, the maximum is reserved, so that a changed hash does not change
        # the plan.
        slack = min(_HASH_TOKENS, budget // 50) - count.count(f" {receipt}")
        self.least = self._bare + max(0, slack)
        """Tokens to reserve for the footer without its rows."""

    def most(self, share: int) -> int:
        """Return the tokens to reserve: the footer and up to `share` tokens of its rows."""
        return self.least + sum(self._count.count(row) for row in self._fitting(share))

    def text(self, used: int) -> tuple[str, int]:
        """Return the footer after `used` tokens, and the tokens of the whole file."""
        rows = self._fitting(self._budget - used - self._bare)
        # The footer contains its own token count. More digits never cost fewer tokens, so the iteration ends at a fixed
        # point.
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
        room -= self._count.count(_MORE.format(self._total))
        if room < 0:
            return ()
        rows: list[str] = []
        for row, cost in zip(self._rows, self._costs, strict=True):
            if cost <= room:
                rows.append(row)
                room -= cost
        return [*rows, _MORE.format(self._total - len(rows))]

    def _format(self, tokens: int, rows: Sequence[str]) -> str:
        card = f"card {code(self._card)} · " if self._card else ""
        broken = f" · {self._total} unresolved" if self._total else ""
        line = f"{card}budget {self._budget} · {tokens} tokens {self._count.encoding}{broken}"
        listed = "\n" + "".join(rows) if rows else ""
        return f"## Receipt\n\n{line}\nsha256 {self._receipt}\n{listed}"


def _row(each: Unresolved, mask: Mask) -> str:
    def words(text: str, most: int) -> str:
        line = fold(mask.plain(text), most)
        return code(line) if "`" in line else line

    ref = fold(mask.words(each.ref, each.source) if each.form != "pinned" else mask.plain(each.ref), 120)
    near = f"; nearest: {words(each.suggestion, 120)}" if each.suggestion else ""
    fits = f"; fits {', '.join(words(name, 80) for name in each.candidates[:4])}" if each.reason == "ambiguous" else ""
    place = f"on line {each.line} of {words(each.source, 200)}" if each.line else f"in {words(each.source, 200)}"
    return f"- unresolved: {code(ref)} ({each.reason}) {place}{near}{fits}\n"
