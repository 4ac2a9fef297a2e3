"""Generated workspaces with a memory: random records of many days, each in the files
where the product keeps it.
"""

from __future__ import annotations

import random
import string
import uuid
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from record_files import ARCHIVE, HOME, MEMORY

from cuedeck.ledger.records.record_file import format_record

_CARD = "---\nid: aaaaaa\ntitle: Fix login\nstatus: active\nrefs: [README.md]\n---\n"
_HEADER = "# MEMORY.md — Long-term memory\n\nWritten by hand, and kept.\n\n---\n\n"
_CATEGORIES = ("note", "turn-summary", "note", "turn-summary")
_WORDS = (
    "the",
    "login",
    "expires",
    "after",
    "an",
    "hour",
    "staging",
    "is",
    "reset",
    "every",
    "night",
    "nobody",
    "knows",
)


class CorpusRecord(NamedTuple):
    """A generated record."""

    id: str
    word: str
    """Unique word of its text."""


class CorpusSize(NamedTuple):
    """Size of a generated workspace."""

    current: int = 12
    """Records in MEMORY.md."""
    archived: int = 4
    words: int = 20
    """Maximum number of words of a text."""
    over: int = 1
    """Number of records by which an append exceeds the window."""


class MemoryCorpus(NamedTuple):
    """Records of a generated workspace, oldest first."""

    archived: tuple[CorpusRecord, ...]
    current: tuple[CorpusRecord, ...]

    @property
    def named(self) -> Mapping[str, CorpusRecord]:
        """Return the records that commands refer to, by placeholder."""
        if not self.current:
            return {}
        middle = self.current[len(self.current) // 2]
        found = {
            "OLDEST": self.current[0],
            "MIDDLE": middle,
            "NEWEST": self.current[-1],
        }
        return found | ({"ARCHIVED": self.archived[-1]} if self.archived else {})


def write_corpus(
    root: Path,
    size: CorpusSize,
    rng: random.Random,
    *,
    is_new: bool = False,
    is_open: bool = False,
) -> MemoryCorpus:
    """Write a workspace with random records.

    With `is_new` it has no memory; with `is_open` MEMORY.md ends with an incomplete
    line.
    """
    write_file(root / HOME / "cards/aaaaaa.md", _CARD)
    write_file(root / "README.md", "# Hello\n")
    if is_new:
        return MemoryCorpus((), ())
    made, lines, days = [], [], {}
    whole = size.archived + size.current
    for number in range(whole):
        day = (date.today() - timedelta(days=60 - number * 50 // whole)).isoformat()
        kept, line = _record(size, rng, day, _category(number - size.archived, size))
        made.append(kept)
        lines.append(line)
        days.setdefault(f"memory/{day}.md", []).append(line)
    current = lines[size.archived :]
    current.insert(len(current) // 2, "A line by hand between them.")
    write_file(
        root / HOME / MEMORY,
        _HEADER + "\n".join(current) + ("\n- {" if is_open else "\n"),
    )
    for name, each in ((ARCHIVE, lines[: size.archived]), *days.items()):
        write_file(root / HOME / name, "".join(f"{line}\n" for line in each))
    return MemoryCorpus(tuple(made[: size.archived]), tuple(made[size.archived :]))


def _category(at: int, size: CorpusSize) -> str:
    """Return the category of a record; compaction may merge the oldest and the middle
    one of MEMORY.md.
    """
    return (
        "learned"
        if at % 5 == 4 and at != size.current // 2
        else _CATEGORIES[at % len(_CATEGORIES)]
    )


def _record(
    size: CorpusSize, rng: random.Random, day: str, category: str
) -> tuple[CorpusRecord, str]:
    identity = str(uuid.UUID(int=rng.getrandbits(128), version=4))
    word = "q" + "".join(rng.choice(string.ascii_lowercase) for _ in range(9))
    message = " ".join(rng.choice(_WORDS) for _ in range(rng.randint(3, size.words)))
    text = f"{message} {word}" + rng.choice(
        ("", '\nand a second line with é and "quotes"')
    )
    source = {
        "sourceChannel": "cli",
        "confidence": 1,
        "timestamp": f"{day}T08:00:00.000Z",
    }
    provenance = {**source, "sensitivity": "private-user"}
    value = {
        "id": identity,
        "sessionId": "main",
        "category": category,
        "text": text,
        "provenance": provenance,
    }
    return CorpusRecord(identity, word), format_record(value)


def write_file(place: Path, text: str) -> None:
    """Write a file and create its parent folders."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")
