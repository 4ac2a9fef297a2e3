"""Labels of a visit outside its fence: name, reason, lines and the command that shows
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cuedeck.context.ranking.rank_files import SIGNALS
from cuedeck.model.address import format_lines, split_anchor
from cuedeck.model.ports import Count, Lookup
from cuedeck.model.scene_values import TASK, Shown, Span, View, Visit
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


class VisitRenderer:
    """What the texts of one scene are made with, and the labels of its visits: masked,
    on one line, and cut with `…` at a small budget.
    """

    def __init__(self, lookup: Lookup, mask: Mask, count: Count, budget: int) -> None:
        self.lookup = lookup
        self.mask = mask
        self.count = count
        self.budget = budget
        self._labels: dict[tuple[str, str], str] = {}

    def name(self, visit: Visit) -> str:
        """Return the address as printed in the scene."""
        return self._label(visit.address, visit.path, self.budget // 20, fold)

    def why(self, visit: Visit) -> str:
        """Return the reason as printed in the scene."""
        most = 2 * (self.budget // 20)
        return self._label(visit.why, visit.via or "", most, single_line)

    def show(
        self,
        visit: Visit,
        view: View,
        body: str = "",
        spans: Sequence[Span] = (),
        lines: int = 0,
        size: int | None = None,
    ) -> Shown:
        """Return a visit as rendered: its heading, its body, and its line of the map,
        which the root lacks, because its text is the task.

        `spans` are the line ranges shown, `lines` is the number of lines of the visit,
        and `size` the tokens of the full text if it is not shown in full.
        """
        name = code(self.name(visit))
        why = self.why(visit)
        place = _shown_lines(view, spans, lines, size)
        head = entry = ""
        if visit.tier == "related":
            reason = f"in full: {why}" if view == "full" else why
            signal = SIGNALS.get(visit.edge or "")
            why = signal.label if signal else "related"
        else:
            is_overview = visit.kind == "folder" and view == "full"
            phrase = _OVERVIEW if is_overview else _PHRASES[view]
            rest = "" if size is None else f"; all {size} tokens{self._how(visit)}"
            state = self._state(visit)
            reason = f"depth {visit.depth}, {phrase}: {why}{state}{rest}"
        if visit.depth:
            entry = f"- {name} {place}{why}\n"
        if view != "line" or not visit.depth:
            head = f"### {name}\n{reason}\n\n"
        tokens = self.count.count(head) + self.count.count(body)
        cost = tokens
        if entry:
            cost += entry_tokens(entry, self.count)
        return Shown(visit, view, head, body, entry, tokens, visit.lines, cost)

    def row(self, visit: Visit, size: int, reason: str) -> str:
        """Return the visit's line of the truncation notice."""
        how = self._how(visit)
        facts = f"depth {visit.depth}, {size} tokens, {reason}"
        return f"> - {code(self.name(visit))} ({facts}){how}\n"

    def _state(self, visit: Visit) -> str:
        """Return the status and the priority of the root card, if it has any."""
        file = self.lookup.file(visit.path)
        if visit.depth or file is None or file.card is None:
            return ""
        values = (("status", file.card.status), ("priority", file.card.priority))
        return "".join(
            f"; {name} {single_line(self.mask.plain(value), _LONGEST_VALUE)}"
            for name, value in values
            if value
        )

    def _how(self, visit: Visit) -> str:
        # A shortened or masked address does not resolve; no command is better than a
        # wrong one.
        is_exact = self.name(visit) == visit.address != TASK
        if self.budget < _COMMANDS_FROM or not is_exact:
            return ""
        layer = " --layer L1" if visit.kind == "folder" else ""
        return f": {code(command(visit.address) + layer)}"

    def _label(
        self, text: str, address: str, most: int, to_line: Callable[[str, int], str]
    ) -> str:
        key = text, address
        if key not in self._labels:
            line = to_line(self._masked(text, address), _LONGEST)
            if self.count.cut(line, max(most, _KEPT_NAME)) != line:
                line = self.count.cut(line, most).rstrip() + "…"
            self._labels[key] = line
        return self._labels[key]

    def _masked(self, text: str, address: str) -> str:
        for path in (address, split_anchor(address)[0]):
            file = self.lookup.file(path)
            # The names of files without sections and symbols cannot contain words of
            # their text.
            if file is not None and (file.sections or file.symbols):
                return self.mask.words(text, path)
        return self.mask.plain(text)


def entry_tokens(entry: str, count: Count) -> int:
    """Return the maximum tokens of a map line in any position."""
    return max(count.count(entry), count.count(entry + "\n"))


def end_rows(rows: Sequence[str]) -> list[str]:
    """Return the rows with a blank line after the last one."""
    if not rows:
        return []
    *others, last = rows
    return [*others, f"{last}\n"]


def fit_rows(rows: Iterable[str], room: int, cost: Callable[[str], int]) -> list[str]:
    """Return the rows that fit in `room` tokens; one that does not fit is skipped."""
    fitting: list[str] = []
    for row in rows:
        tokens = cost(row)
        if tokens <= room:
            fitting.append(row)
            room -= tokens
    return fitting


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
