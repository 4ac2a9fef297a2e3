"""Share of correctly judged pairs: changed statements kept apart and near-duplicates
merged, by language.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.experiences.pairs import LANGUAGES, Pair, pairs
from cuedeck.model.settings_schema import ExperienceSettings
from cuedeck.text.rank_texts import cosine, hash_vector
from cuedeck.text.similarity import prepare, similarity

THRESHOLD = ExperienceSettings().uniqueness_threshold
LEAST_APART, LEAST_MERGED = 0.95, 0.90
BARRED = ("en", "es")
"""Languages that must meet the bars; the others are reported."""


class Share(NamedTuple):
    """The pairs of one language, or of one kind in one language."""

    name: str
    apart: int
    swaps: int
    merged: int
    near: int

    @property
    def is_met(self) -> bool:
        """Return whether both bars are met."""
        return (
            self.apart >= LEAST_APART * self.swaps
            and self.merged >= LEAST_MERGED * self.near
        )

    @property
    def is_missed(self) -> bool:
        """Return whether a language that must meet the bars misses one."""
        return self.name in BARRED and not self.is_met


def compare(method: str, one: str, other: str) -> float:
    """Return the similarity of two texts, from 0 to 1; equal texts have 1 in both
    methods.
    """
    if method == "words":
        return similarity(prepare(one), prepare(other))
    if one.strip() == other.strip():
        return 1.0
    return cosine(hash_vector(one), hash_vector(other))


def shares(half: str, how: str = "words") -> list[Share]:
    """Return the shares of every language. Order: of `LANGUAGES`."""
    return [
        _share(
            language, [pair for pair in pairs(half) if pair.language == language], how
        )
        for language in LANGUAGES
    ]


def shares_of_kinds(half: str, how: str = "words") -> list[Share]:
    """Return the shares of every kind of pair in every language."""
    found: dict[str, list[Pair]] = {}
    for pair in pairs(half):
        found.setdefault(f"{pair.language} {pair.kind}", []).append(pair)
    return [_share(name, of_kind, how) for name, of_kind in found.items()]


def _share(name: str, drawn: Sequence[Pair], how: str) -> Share:
    judged = [
        (pair.same, compare(how, pair.one, pair.other) >= THRESHOLD) for pair in drawn
    ]
    return Share(
        name,
        judged.count((False, False)),
        sum(not same for same, _ in judged),
        judged.count((True, True)),
        sum(same for same, _ in judged),
    )


def format_shares(rows: Sequence[Share]) -> str:
    """Return rows as a Markdown table."""
    lines = [
        "| | swaps kept apart | near-duplicates merged | bars |",
        "|---|---|---|---|",
    ]
    for row in rows:
        apart, merged = _part(row.apart, row.swaps), _part(row.merged, row.near)
        lines.append(f"| {row.name} | {apart} | {merged} | {_verdict(row)} |")
    return "\n".join(lines) + "\n"


def _verdict(row: Share) -> str:
    if row.name not in BARRED:
        return ""
    return "met" if row.is_met else "MISSED"


def _part(times: int, of: int) -> str:
    return f"{times}/{of} ({100 * times / of:.1f} %)" if of else ""
