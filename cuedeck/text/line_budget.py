"""Text of a layer, built from candidate lines within a token limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cuedeck.model.ports import Count

_MORE = "…"


class LineBudget:
    """Lines chosen so far, by position in the text, and the tokens left for others."""

    def __init__(self, count: Count, limit: int) -> None:
        self._count = count
        self._limit = limit
        self._lines: dict[int, str] = {}
        self.left = limit

    def __contains__(self, position: int) -> bool:
        return position in self._lines

    def add(self, position: int, line: str) -> bool:
        """Add or replace the line at a position if it fits; return whether it did."""
        cost = self.cost(line)
        if position in self._lines:
            cost -= self.cost(self._lines[position])
        if cost > self.left:
            return False
        self._lines[position] = line
        self.left -= cost
        return True

    def cost(self, line: str) -> int:
        """Return the tokens of a line with its line break."""
        return self._count.count(f"{line}\n")

    def text(self) -> str:
        """Return the lines in text order, within the limit."""
        return join_lines(self._lines, self._count, self._limit)


def join_lines(lines: Mapping[int, str], count: Count, limit: int) -> str:
    """Return lines joined by their positions; the last ones are dropped until the whole
    text fits, because tokens may span two lines.
    """
    kept = [lines[at] for at in sorted(lines)]
    text = "\n".join(kept)
    while kept and count.count(text) > limit:
        kept.pop()
        text = "\n".join(kept)
    return text


def cut_text(text: str, count: Count, limit: int) -> str:
    """Return a text of at most `limit` tokens; a cut is marked by `…` and made at a
    space where there is one.
    """
    if count.count(text) <= limit:
        return text
    if limit < 1:
        return ""
    head = count.cut(text, limit - 1)
    whole = head.rpartition(" ")[0] or head
    shortened = f"{whole.rstrip(' ,;:')}{_MORE}"
    if count.count(shortened) <= limit:
        return shortened
    return count.cut(text, limit)


def add_names(
    text: str,
    names: Sequence[str],
    count: Count,
    limit: int,
    separator: str = ", ",
) -> str:
    """Return a text with names at its end, as many as fit, and the number of the
    others; empty if not even the first one fits.
    """
    found = ""
    for at in range(1, len(names) + 1):
        rest = len(names) - at
        more = f"{separator}+{rest:,} more" if rest else ""
        longer = f"{text}{separator.join(names[:at])}{more}"
        if count.count(longer) > limit:
            break
        found = longer
    return found
