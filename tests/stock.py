"""Workspaces with a memory, laid out by lot: records of many days, each in the files where it would stand."""

from __future__ import annotations

import random
import string
import uuid
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from holdings import ARCHIVE, HOME, MEMORY

from cuedeck.parse.record_file import format_record

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


class Kept(NamedTuple):
    """A record of a workspace."""

    id: str
    word: str
    """Stands in its text and nowhere else."""


class Size(NamedTuple):
    """How much a workspace holds."""

    current: int = 12
    """Records in MEMORY.md."""
    archived: int = 4
    words: int = 20
    """Of a text, at most."""
    over: int = 1
    """Records by which an append is beyond the window."""


class Stock(NamedTuple):
    """What a workspace holds before a command, oldest first."""

    archived: tuple[Kept, ...]
    current: tuple[Kept, ...]

    @property
    def named(self) -> Mapping[str, Kept]:
        """Return the records that commands name."""
        if not self.current:
            return {}
        middle = self.current[len(self.current) // 2]
        found = {"OLDEST": self.current[0], "MIDDLE": middle, "NEWEST": self.current[-1]}
        return found | ({"ARCHIVED": self.archived[-1]} if self.archived else {})


def lay_out(root: Path, size: Size, lots: random.Random, *, is_new: bool = False, is_open: bool = False) -> Stock:
    """Write a workspace by lot: records of many days, each in the files where it would stand."""
    write(root / HOME / "cards/aaaaaa.md", _CARD)
    write(root / "README.md", "# Hello\n")
    if is_new:
        return Stock((), ())
    made, lines, days = [], [], {}
    whole = size.archived + size.current
    for number in range(whole):
        day = (date.today() - timedelta(days=60 - number * 50 // whole)).isoformat()
        kept, line = _record(size, lots, day, _category(number - size.archived, size))
        made.append(kept)
        lines.append(line)
        days.setdefault(f"memory/{day}.md", []).append(line)
    current = lines[size.archived :]
    current.insert(len(current) // 2, "A line by hand between them.")
    write(root / HOME / MEMORY, _HEADER + "\n".join(current) + ("\n- {" if is_open else "\n"))
    for name, each in ((ARCHIVE, lines[: size.archived]), *days.items()):
        write(root / HOME / name, "".join(f"{line}\n" for line in each))
    return Stock(tuple(made[: size.archived]), tuple(made[size.archived :]))


def _category(at: int, size: Size) -> str:
    """Return what kind a record is; the oldest and the middle one of MEMORY.md are such as may be merged."""
    return "learned" if at % 5 == 4 and at != size.current // 2 else _CATEGORIES[at % len(_CATEGORIES)]


def _record(size: Size, lots: random.Random, day: str, category: str) -> tuple[Kept, str]:
    identity = str(uuid.UUID(int=lots.getrandbits(128), version=4))
    word = "q" + "".join(lots.choice(string.ascii_lowercase) for _ in range(9))
    said = " ".join(lots.choice(_WORDS) for _ in range(lots.randint(3, size.words)))
    text = f"{said} {word}" + lots.choice(("", '\nand a second line with é and "quotes"'))
    source = {"sourceChannel": "cli", "confidence": 1, "timestamp": f"{day}T08:00:00.000Z"}
    provenance = {**source, "sensitivity": "private-user"}
    value = {"id": identity, "sessionId": "main", "category": category, "text": text, "provenance": provenance}
    return Kept(identity, word), format_record(value)


def write(place: Path, text: str) -> None:
    """Write a file, with the folders above it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")
