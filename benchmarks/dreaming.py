"""`python -m benchmarks.dreaming`: whether dreaming promotes the facts that were
recalled often, and nothing else.

A memory of 1,000 records gets 40 facts that different queries recalled on several days,
60 decoys, and answers that contain hits on other records, some of them before the fact.
Nights are run one after the other. The exit code is 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import NamedTuple

from cuedeck.engine.init_workspace import init_workspace
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.engine.workspace import Workspace
from cuedeck.knowledge.dreaming.count_recalls import AnsweredText, count_recalls
from cuedeck.knowledge.dreaming.run_dream import run_dream
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.ledger.records.memory_files import MemoryFiles, memory_of

PRECISION = 0.95
RECALL = 0.90
RECORDS = 1_000
FACTS = 40
DECOYS = 20
"""Decoys of each kind."""
NIGHTS = 10
END = datetime(2026, 11, 22, 3, tzinfo=UTC)
_OTHER_HITS = 6
"""Hits on other records in each answer."""
_BEST_OTHER = 0.95
"""Highest score of another record; the fact has 1, or less in some answers."""
MISSES = 0.02
"""Share of the answers in which another record is the best."""
_WORDS = """
Ana Bruno Carla Diego Elena Farid Greta Hugo Ines Jonas Karla Liam
billing staging search login export reports gateway archive mailer importer dashboard
reviews restarts owns measures documents deploys audits translates
"""
_PHRASES = """
the nightly dump, the release notes, the port 5433, the cache, the retry queue
in Madrid, on Mondays, before noon, after each release, with two approvals, by hand
"""
_PEOPLE, _SYSTEMS, _VERBS = (line.split() for line in _WORDS.strip().split("\n"))
_OBJECTS, _PLACES = (line.split(", ") for line in _PHRASES.strip().split("\n"))
_HEADERS = (
    "# {day}",
    "## Notes of {day}",
    "{day}",
    "Session notes {day}",
    "**Decisions**",
    "Next steps:",
    "### {system}",
    "---",
    "Daily log, {day}",
    "Meeting {day}",
)


class Planted(NamedTuple):
    """Ids of the planted records."""

    facts: frozenset[str]
    headers: frozenset[str]
    stale: frozenset[str]
    one_query: frozenset[str]


class Measured(NamedTuple):
    """Result of all nights."""

    planted: Planted
    promoted: Sequence[str]
    seconds: Sequence[float]

    @property
    def right(self) -> int:
        return len(self.planted.facts.intersection(self.promoted))

    @property
    def precision(self) -> float:
        return self.right / max(1, len(self.promoted))

    @property
    def recall(self) -> float:
        return self.right / len(self.planted.facts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, dream and print the figures of each seed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.dreaming", description=__doc__
    )
    parser.add_argument("--seeds", type=int, default=3, help="planted sets (3)")
    parser.add_argument(
        "--records", type=int, default=RECORDS, help=f"records of a memory ({RECORDS})"
    )
    parser.add_argument(
        "--misses",
        type=float,
        default=MISSES,
        help=f"share of the answers in which another record is the best ({MISSES})",
    )
    asked = parser.parse_args(arguments)
    is_met = True
    print("| seed | promoted | right | precision | recall | slowest night |")
    print("|---:|---:|---:|---:|---:|---:|")
    for seed in range(asked.seeds):
        with tempfile.TemporaryDirectory() as folder:
            found = measure(folder, seed, asked.records, asked.misses)
        print(
            f"| {seed} | {len(found.promoted)} | {found.right} | {found.precision:.3f} "
            f"| {found.recall:.3f} | {max(found.seconds):.2f} s |",
            flush=True,
        )
        for kind in ("headers", "stale", "one_query"):
            wrong = getattr(found.planted, kind).intersection(found.promoted)
            if wrong:
                print(f"  {kind}: {len(wrong)}")
        is_once = len(set(found.promoted)) == len(found.promoted)
        is_met = is_met and is_once and found.precision >= PRECISION
        is_met = is_met and found.recall >= RECALL
    return int(not is_met)


def measure(
    folder: str, seed: int, records: int = RECORDS, misses: float = MISSES
) -> Measured:
    """Plant a memory in a folder and run the nights."""
    random = Random(seed)
    init_workspace(folder)
    workspace = open_workspace(folder, {})
    memory = memory_of(workspace)
    texts = list(_texts(random, records, DECOYS))
    wanted = [NewRecord(text, id=f"{random.getrandbits(128):032x}") for text in texts]
    ids = add_records(workspace, memory, wanted)
    places = dict(zip(ids, texts, strict=True))
    planted = _choose(random, ids)
    others = [each for each in ids if each not in planted.facts]
    promoted: list[str] = []
    seconds: list[float] = []
    for night in range(NIGHTS, -1, -1):
        now = END - timedelta(days=night)
        for query, identity in _recalls(planted, random, night):
            best = 0.8 if random.random() < misses else 1.0
            wanted_row = _row(identity, places[identity], best)
            drawn = random.sample(others, _OTHER_HITS)
            rest = {each: places[each] for each in drawn if each != identity}
            _answer(memory, random, query, wanted_row, rest, now.date())
        promoted += _dream(workspace, memory, now, seconds)
    workspace.close()
    return Measured(planted, promoted, seconds)


def _texts(random: Random, records: int, headers: int) -> Iterator[str]:
    """Yield the texts of the headers, then different sentences."""
    for number in range(headers):
        form = _HEADERS[number % len(_HEADERS)]
        day = (END - timedelta(days=number)).date().isoformat()
        yield form.format(day=day, system=random.choice(_SYSTEMS))
    seen: set[str] = set()
    while len(seen) < records - headers:
        parts = map(random.choice, (_PEOPLE, _VERBS, _OBJECTS, _SYSTEMS, _PLACES))
        person, verb, thing, system, place = parts
        text = f"{person} {verb} {thing} for the {system} service {place}"
        if text not in seen:
            seen.add(text)
            yield text


def _choose(random: Random, ids: Sequence[str]) -> Planted:
    """Choose the facts and decoys; the first records are the headers."""
    headers = ids[:DECOYS]
    rest = random.sample(ids[DECOYS:], FACTS + 2 * DECOYS)
    stale = rest[FACTS : FACTS + DECOYS]
    one_query = rest[FACTS + DECOYS :]
    return Planted(
        frozenset(rest[:FACTS]),
        frozenset(headers),
        frozenset(stale),
        frozenset(one_query),
    )


def _recalls(planted: Planted, random: Random, night: int) -> Iterator[tuple[str, str]]:
    """Yield query and best record of each recall before a night.

    Facts are recalled on about a third of the days, by queries that differ. Stale
    records were recalled on many days until three weeks before the first night.
    """
    for identity in sorted(planted.facts):
        if random.random() < 0.35 or night in (2, 5):
            yield f"query {random.randrange(12)} about {identity[:8]}", identity
    for identity in sorted(planted.headers):
        yield f"query {random.randrange(12)} of {identity[:8]}", identity
    for identity in sorted(planted.one_query):
        if random.random() < 0.6:
            yield f"query of {identity[:8]}", identity
    if night != NIGHTS:
        return
    for identity in sorted(planted.stale):
        for number in range(12):
            yield f"stale {number} {identity[:8]}", identity


def _answer(
    memory: MemoryFiles,
    random: Random,
    query: str,
    wanted: AnsweredText,
    others: dict[str, str],
    day: date,
) -> None:
    """Count one answer: the wanted record and other hits."""
    answer = [wanted]
    for other, text in others.items():
        answer.append(_row(other, text, random.uniform(0.1, _BEST_OTHER)))
    answer.sort(key=lambda row: -row.score)
    if query.startswith("stale"):
        day -= timedelta(days=21 + random.randrange(20))
    count_recalls(memory, query, answer, day)


def _row(identity: str, text: str, score: float) -> AnsweredText:
    return AnsweredText(f"record:{identity}", ".cuedeck/MEMORY.md", 1, text, score)


def _dream(
    workspace: Workspace, memory: MemoryFiles, now: datetime, seconds: list[float]
) -> list[str]:
    """Run one night; return the ids of the promoted records."""
    start = time.perf_counter()
    report = run_dream(workspace, memory, now=now)
    seconds.append(time.perf_counter() - start)
    return [each.record.id for each in report.promotions]


if __name__ == "__main__":
    os.environ["CUEDECK_NO_BACKGROUND"] = "1"
    sys.exit(main())
