"""Labels of a visit outside its fence: name, reason, lines and the command that shows
it.
"""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.context.ranking.rank_fusion import SIGNAL_NAMES
from cuedeck.model.address import format_lines, split_anchor
from cuedeck.model.ports import Count, Lookup
from cuedeck.model.scene_values import TASK, Span, View, Visit
from cuedeck.parse.fence import code, fold, single_line
from cuedeck.parse.secrets.mask import Mask

_LONGEST = 400
"""Maximum characters of a name or a reason, independent of the budget."""
_KEPT_NAME = 13
"""Minimum tokens of a name, enough for `.cuedeck/cards/` and an id of six characters.
"""
_COMMANDS_FROM = 400
"""Minimum budget for commands; below it they would take room from the card."""
_RANGES = 16
"""Maximum characters of the line ranges in a line of the map, after the first range."""
_LONGEST_VALUE = 40
"""Maximum characters of a status or a priority."""
_PHRASES: dict[View, str] = {
    "full": "shown in full",
    "section": "shown in part",
    "outline": "shown as outline",
    "line": "shown as line",
}
_OVERVIEW = "shown as overview"
"""The full view of a folder."""


class Labels:
    """Names and reasons within one budget: masked, on one line, and cut with `…` at a
    small budget.
    """

    def __init__(self, lookup: Lookup, mask: Mask, count: Count, budget: int) -> None:
        self._lookup = lookup
        self._mask = mask
        self._count = count
        self.budget = budget
        self._names_commands = budget >= _COMMANDS_FROM
        self._name_tokens = budget // 20
        self._names: dict[str, str] = {}
        self._reasons: dict[str, str] = {}

    def name(self, visit: Visit) -> str:
        """Return the address as printed in the scene."""
        if visit.address not in self._names:
            masked = fold(self._masked(visit.address, visit.path), _LONGEST)
            self._names[visit.address] = self._short(masked, self._name_tokens)
        return self._names[visit.address]

    def why(self, visit: Visit) -> str:
        """Return the reason as printed in the scene."""
        if visit.address not in self._reasons:
            masked = single_line(self._masked(visit.why, visit.via or ""), _LONGEST)
            self._reasons[visit.address] = self._short(masked, 2 * self._name_tokens)
        return self._reasons[visit.address]

    def entry(
        self,
        visit: Visit,
        view: View,
        spans: Sequence[Span],
        lines: int,
        size: int | None,
    ) -> str:
        """Return the visit's line of the map; empty for the root, because its text is
        the task.

        `spans` are the line ranges shown, `lines` is the number of lines of the visit,
        and `size` the tokens of the full text if it is not shown in full.
        """
        if visit.depth == 0:
            return ""
        if visit.text:
            lines = int(view == "line")  # a ledger entry has no lines to name
        shown = _shown_lines(view, spans, lines, size)
        return f"- {code(self.name(visit))} {shown}{self.why(visit)}\n"

    def head(self, visit: Visit, view: View, size: int | None) -> str:
        """Return the heading with the address, followed by depth, view and reason.

        `size` is given for a partial view; it is printed with the command that shows
        the full text.
        """
        rest = "" if size is None else f"; all {size} tokens{self._how(visit)}"
        is_overview = visit.kind == "folder" and view == "full"
        phrase = _OVERVIEW if is_overview else _PHRASES[view]
        reason = (
            f"depth {visit.depth}, {phrase}: {self.why(visit)}"
            f"{self._state(visit)}{rest}"
        )
        return f"### {code(self.name(visit))}\n{reason}\n\n"

    def related(self, visit: Visit, view: View) -> str:
        """Return heading and reason of a related visit."""
        phrase = "in full: " if view == "full" else ""
        return f"### {code(self.name(visit))}\n{phrase}{self.why(visit)}\n\n"

    def related_entry(self, visit: Visit, spans: Sequence[Span], lines: int) -> str:
        """Return the map line of a related visit."""
        view: View = "full" if spans == visit.spans else "section"
        reason = SIGNAL_NAMES.get(visit.edge or "", "related")
        shown = _shown_lines(view, spans, lines, None)
        return f"- {code(self.name(visit))} {shown}{reason}\n"

    def row(self, visit: Visit, size: int, reason: str) -> str:
        """Return the visit's line of the truncation notice."""
        how = self._how(visit)
        return f"> - {code(self.name(visit))} (depth {visit.depth}, {size} tokens, {reason}){how}\n"

    def _state(self, visit: Visit) -> str:
        """Return the status and the priority of the root card, if it has any."""
        file = self._lookup.file(visit.path)
        if visit.depth or file is None or file.card is None:
            return ""
        values = (("status", file.card.status), ("priority", file.card.priority))
        named = [
            f"{name} {single_line(self._mask.plain(value), _LONGEST_VALUE)}"
            for name, value in values
            if value
        ]
        return "".join(f"; {each}" for each in named)

    def _how(self, visit: Visit) -> str:
        # A shortened or masked address does not resolve; no command is better than a
        # wrong one.
        useful = self._names_commands and self.name(visit) == visit.address != TASK
        if not useful:
            return ""
        layer = " --layer L1" if visit.kind == "folder" else ""
        return f": {code(command(visit.address) + layer)}"

    def _masked(self, text: str, address: str) -> str:
        for path in (address, split_anchor(address)[0]):
            file = self._lookup.file(path)
            # The names of files without sections and symbols cannot contain words of
            # their text.
            if file is not None and (file.sections or file.symbols):
                return self._mask.words(text, path)
        return self._mask.plain(text)

    def _short(self, text: str, most: int) -> str:
        if self._count.cut(text, max(most, _KEPT_NAME)) == text:
            return text
        return self._count.cut(text, most).rstrip() + "…"


def entry_tokens(entry: str, count: Count) -> int:
    """Return the maximum tokens of a map line in any position."""
    return max(count.count(entry), count.count(entry + "\n"))


def end_rows(rows: Sequence[str]) -> list[str]:
    """Return the rows with a blank line after the last one."""
    if not rows:
        return []
    *others, last = rows
    return [*others, f"{last}\n"]


def command(address: str) -> str:
    """Return the command that prints an address, quoted for a shell."""
    end = "-- " if address.startswith("-") else ""
    if not address.startswith("#") and all(
        letter.isalnum() or letter in "/._-#" for letter in address
    ):
        return f"cuedeck read {end}{address}"
    quoted = address.replace("'", "'\\''")
    return f"cuedeck read {end}'{quoted}'"


def _shown_lines(
    view: View,
    spans: Sequence[Span],
    lines: int,
    size: int | None,
) -> str:
    """Return the line ranges that a visit shows, for its line of the map."""
    if view == "line" and size is not None:
        return f"not shown, {size} tokens: "
    if not lines:
        return ""
    if not spans:
        return f"outline of {lines} lines: "
    ranges = [format_lines(start, end).replace("L", "") for start, end in spans]
    kept = 1
    while kept < len(ranges) and len(" ".join(ranges[: kept + 1])) <= _RANGES:
        kept += 1
    more = f" +{len(ranges) - kept}" if kept < len(ranges) else ""
    return f"{', '.join(ranges[:kept])}{more}: "
