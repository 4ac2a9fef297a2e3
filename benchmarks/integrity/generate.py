"""Records generated from templates; equal seeds give equal records."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from cuedeck.model.memory_record import Record
from cuedeck.text.timestamps import format_moment


class Planted(NamedTuple):
    """Two sentences that contradict each other."""

    category: str
    older: str
    newer: str


class Templates(NamedTuple):
    """Sentences with slots, and the words that fill them."""

    fillers: Mapping[str, tuple[str, ...]]
    """Words for a slot such as `{file}`; `{file2}` and `{file3}` in the same record or
    pair get other words.
    """
    ordinary: tuple[str, ...]
    """Sentences of turn summaries."""
    planted: tuple[Planted, ...]
    compatible: tuple[tuple[str, str], ...]
    """Category and text of similar claims; no two of them contradict each other."""


SEED = 2311
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
ORDINARY = 1_000
"""Turn summaries of a sample."""
_TURN_SUMMARY = "turn-summary"
_SENTENCES = (1, 1, 2, 3)
"""Numbers of sentences of a turn summary; one is drawn."""
_MINUTES = 100 * 24 * 60
"""Maximum age of a record at `NOW`; no record is stale."""
_SESSIONS = 25
_HOLE = re.compile(r"\{([a-z]+)(\d?)\}")


class Sample(NamedTuple):
    """Records of the templates and their contradicting pairs."""

    records: tuple[Record, ...]
    """Ordinary and planted records, in the order of their time."""
    planted: Mapping[tuple[str, str], str]
    """Ids of the newer and the older record of each pair, with the newer text."""
    compatible: tuple[Record, ...]


def make_sample(half: Templates, seed: int = SEED, ordinary: int = ORDINARY) -> Sample:
    """Return the records: each planted template once, ordinary templates as often as
    needed.
    """
    chance = random.Random(f"held {seed}")
    records = [_ordinary(half, f"o{number:05}", chance) for number in range(ordinary)]
    planted: dict[tuple[str, str], str] = {}
    for number, pair in enumerate(half.planted):
        older, newer = _fill((pair.older, pair.newer), half.fillers, chance)
        first, second = sorted(chance.sample(range(_MINUTES), 2))
        records.append(
            _record(f"p{number:03}-older", older, pair.category, first, chance)
        )
        records.append(
            _record(f"p{number:03}-newer", newer, pair.category, second, chance)
        )
        planted[records[-1].id, records[-2].id] = newer
    compatible = [
        _record(f"c{number:03}", text, category, chance.randrange(_MINUTES), chance)
        for number, (category, text) in enumerate(half.compatible)
    ]
    ordered = sorted(records, key=lambda record: (record.timestamp, record.id))
    return Sample(tuple(ordered), planted, tuple(compatible))


def _ordinary(half: Templates, identity: str, chance: random.Random) -> Record:
    drawn = chance.sample(half.ordinary, chance.choice(_SENTENCES))
    sentences = [_fill((each,), half.fillers, chance)[0] for each in drawn]
    text = " ".join(
        [each if each.endswith((".", "。", "?")) else f"{each}." for each in sentences]
    )
    return _record(identity, text, _TURN_SUMMARY, chance.randrange(_MINUTES), chance)


def _record(
    identity: str, text: str, category: str, minute: int, chance: random.Random
) -> Record:
    moment = NOW - timedelta(minutes=_MINUTES - minute)
    session = f"session-{chance.randrange(_SESSIONS)}"
    return Record(identity, text, category, session, timestamp=format_moment(moment))


def _fill(
    texts: Sequence[str], fillers: Mapping[str, Sequence[str]], chance: random.Random
) -> list[str]:
    """Return the texts with filled slots; a slot has the same word in all of them."""
    words: dict[str, str] = {}
    for name, number in dict.fromkeys(_HOLE.findall("\n".join(texts))):
        others = [
            word for hole, word in words.items() if hole.rstrip("0123456789") == name
        ]
        words[name + number] = chance.choice(
            [word for word in fillers[name] if word not in others]
        )
    return [text.format_map(words) for text in texts]
