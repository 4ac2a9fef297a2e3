"""Labels of a visit outside its fence: name, reason, lines and the command that shows it."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.model.address import split_anchor
from cuedeck.model.ports import Count, Lookup
from cuedeck.model.scene_values import Span, View, Visit
from cuedeck.scene.fence import code, fold, single_line
from cuedeck.scene.mask import Mask

_LONGEST = 400
"""Maximum characters of a name or a reason, independent of the budget."""
_KEPT_NAME = 13
"""Minimum tokens of a name, enough for `.cuedeck/cards/` and an id of six characters."""
_COMMANDS_FROM = 400
"""Minimum budget for commands; below it they would take room from the card."""
_MOST_SPANS = 3
_PHRASES: dict[View, str] = {
    "full": "shown in full",
    "section": "shown in part",
    "outline": "shown as outline",
    "line": "shown as line",
}


class Labels:
    """Names and reasons within one budget: masked, on one line, and cut with `…` at a small budget."""

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

    def entry(self, visit: Visit) -> str:
        """Return the visit's line of the map."""
        return f"- {code(self.name(visit))} {self.why(visit)}\n"

    def head(self, visit: Visit, view: View, lines: Span, size: int | None) -> str:
        """Return the heading with the address, followed by depth, view and reason.

        `size` is given for a partial view; it is printed with the command that shows the full text.
        """
        where = "" if visit.kind in ("folder", "binary") else f" ({_spans(visit.spans, lines)})"
        rest = "" if size is None else f"; all {size} tokens{self._how(visit)}"
        reason = f"depth {visit.depth}, {_PHRASES[view]}: {self.why(visit)}{rest}"
        return f"### {code(self.name(visit))}{where}\n{reason}\n\n"

    def related(self, visit: Visit, view: View) -> str:
        """Return heading and reason of a related visit."""
        phrase = "in full: " if view == "full" else ""
        return f"### {code(self.name(visit))}\n{phrase}{self.why(visit)}\n\n"

    def row(self, visit: Visit, size: int, reason: str) -> str:
        """Return the visit's line of the truncation notice."""
        how = self._how(visit)
        return f"> - {code(self.name(visit))} (depth {visit.depth}, {size} tokens, {reason}){how}\n"

    def _how(self, visit: Visit) -> str:
        # A shortened or masked address does not resolve; no command is better than a wrong one.
        useful = self._names_commands and self.name(visit) == visit.address
        return f": {code(command(visit.address))}" if useful else ""

    def _masked(self, text: str, address: str) -> str:
        for path in (address, split_anchor(address)[0]):
            file = self._lookup.file(path)
            # The names of files without sections and symbols cannot contain words of their text.
            if file is not None and (file.sections or file.symbols):
                return self._mask.words(text, path)
        return self._mask.plain(text)

    def _short(self, text: str, most: int) -> str:
        if self._count.cut(text, max(most, _KEPT_NAME)) == text:
            return text
        return self._count.cut(text, most).rstrip() + "…"


def entry_tokens(entry: str, count: Count) -> int:
    """Return the maximum tokens of a map line in any position; the last line has a blank line after it."""
    return max(count.count(entry), count.count(entry + "\n"))


def command(address: str) -> str:
    """Return the command that prints an address, quoted for a shell."""
    end = "-- " if address.startswith("-") else ""
    if not address.startswith("#") and all(letter.isalnum() or letter in "/._-#" for letter in address):
        return f"cuedeck read {end}{address}"
    quoted = address.replace("'", "'\\''")
    return f"cuedeck read {end}'{quoted}'"


def _spans(spans: Sequence[Span], lines: Span) -> str:
    shown = spans if lines == (spans[0][0], spans[-1][1]) else (lines,)
    word = "line" if shown[0][0] == shown[-1][1] else "lines"
    ranges = [str(start) if start == end else f"{start}-{end}" for start, end in shown]
    more = f" and {len(ranges) - _MOST_SPANS} ranges more" if len(ranges) > _MOST_SPANS else ""
    return f"{word} {', '.join(ranges[:_MOST_SPANS])}{more}"
