"""Findings of the scan in a sample, and its duration for many records."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from benchmarks.integrity.generate import NOW, Templates, make_sample
from cuedeck.knowledge.integrity.scan_records import Finding, find_findings
from cuedeck.model.memory_record import Record
from cuedeck.text.timestamps import format_moment

MANY = 50_000


class Measured(NamedTuple):
    """The figures of a sample."""

    ordinary: int
    false: tuple[Finding, ...]
    """Findings in the ordinary and planted records that are not a planted pair."""
    planted: int
    missed: tuple[str, ...]
    """The newer sentence of each pair that was not found."""
    compatible: int
    blamed: tuple[Finding, ...]
    """Findings in the compatible claims."""

    @property
    def false_share(self) -> float:
        """Return the false findings per ordinary record."""
        return len(self.false) / self.ordinary

    @property
    def found_share(self) -> float:
        """Return the share of the planted pairs that were found, from 0 to 1."""
        return 1 - len(self.missed) / self.planted


def measure(half: Templates) -> Measured:
    """Scan the records of a sample."""
    sample = make_sample(half)
    found = find_findings(sample.records, NOW)
    pairs = {
        (each.record, each.other) for each in found if each.kind == "contradiction"
    }
    return Measured(
        ordinary=len(sample.records) - 2 * len(sample.planted),
        false=tuple(
            each for each in found if (each.record, each.other) not in sample.planted
        ),
        planted=len(sample.planted),
        missed=tuple(
            newer for pair, newer in sample.planted.items() if pair not in pairs
        ),
        compatible=len(sample.compatible),
        blamed=find_findings(sample.compatible, NOW),
    )


def crowd(half: Templates, count: int = MANY) -> list[Record]:
    """Return many records: half of them are turn summaries, a quarter are claims
    on one subject, and a quarter are claims on different subjects.
    """
    ordinary = [
        each
        for each in make_sample(half, ordinary=count // 2).records
        if each.id.startswith("o")
    ]
    alike = [
        f"The user likes topic {number} and wants more of it."
        for number in range(count // 4)
    ]
    apart = [
        f"The {number}th service runs on port {number % 60_000}."
        for number in range(count - count // 2 - count // 4)
    ]
    moment = format_moment(NOW - timedelta(days=1))
    texts = enumerate([*alike, *apart])
    return [
        *ordinary,
        *(Record(f"n{at}", text, "learned", timestamp=moment) for at, text in texts),
    ]


def seconds(records: Sequence[Record]) -> float:
    """Return the duration of one scan in seconds."""
    start = time.perf_counter()
    find_findings(records, NOW)
    return time.perf_counter() - start
