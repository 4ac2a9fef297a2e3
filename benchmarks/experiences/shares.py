"""Which share of the pairs is judged right: swaps kept apart, near-duplicates merged, by script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.experiences.pairs import SCRIPTS, Pair, pairs
from cuedeck.model.settings_schema import ExperienceSettings
from cuedeck.records.experiences.duplicates import alike

THRESHOLD = ExperienceSettings().uniqueness_threshold
LEAST_APART, LEAST_MERGED = 0.95, 0.90


class Share(NamedTuple):
    """What became of the pairs of one script or kind."""

    name: str
    apart: int
    swaps: int
    merged: int
    near: int

    @property
    def is_met(self) -> bool:
        """Tell whether both bars are met."""
        return self.apart >= LEAST_APART * self.swaps and self.merged >= LEAST_MERGED * self.near


def shares(half: str, how: str = "words") -> list[Share]:
    """Return the shares of every script. Order: of `SCRIPTS`."""
    return [_share(script, [pair for pair in pairs(half) if pair.script == script], how) for script in SCRIPTS]


def shares_of_kinds(half: str, how: str = "words") -> list[Share]:
    """Return the shares of every kind of pair in every language."""
    found: dict[str, list[Pair]] = {}
    for pair in pairs(half):
        found.setdefault(f"{pair.language} {pair.kind}", []).append(pair)
    return [_share(name, of_kind, how) for name, of_kind in found.items()]


def _share(name: str, drawn: Sequence[Pair], how: str) -> Share:
    judged = [(pair.same, alike(how, pair.one, pair.other) >= THRESHOLD) for pair in drawn]
    return Share(
        name,
        judged.count((False, False)),
        sum(not same for same, _ in judged),
        judged.count((True, True)),
        sum(same for same, _ in judged),
    )


def format_shares(rows: Sequence[Share]) -> str:
    """Return rows as a Markdown table."""
    lines = ["| | swaps kept apart | near-duplicates merged | |", "|---|---|---|---|"]
    for row in rows:
        apart, merged = _part(row.apart, row.swaps), _part(row.merged, row.near)
        lines.append(f"| {row.name} | {apart} | {merged} | {'met' if row.is_met else 'MISSED'} |")
    return "\n".join(lines) + "\n"


def _part(times: int, of: int) -> str:
    return f"{times}/{of} ({100 * times / of:.1f} %)" if of else ""
