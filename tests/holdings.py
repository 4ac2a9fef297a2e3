"""What the files of a workspace hold, read as bytes and lines: no command of the product takes part."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import lz4.frame

from cuedeck.parse.record_file import parse_line

HOME = ".cuedeck"
MEMORY = "MEMORY.md"
ARCHIVE = "memory/MEMORY-archive.md"


class Held(NamedTuple):
    """What stands in one file of records."""

    ids: tuple[str, ...]
    """Of its records, line by line; one that stands there twice is here twice."""
    texts: Mapping[str, str]
    torn: tuple[str, ...]
    """Lines that begin like a record and are none."""
    is_open: bool
    """Whether its last line has no end."""

    @property
    def doubled(self) -> list[str]:
        """Return what stands there more than once."""
        return [identity for identity, times in Counter(self.ids).items() if times > 1]


Holdings = Mapping[str, Held]
"""By name: MEMORY.md, daily logs, the archive."""


def held(place: Path) -> Held:
    """Read one file of records."""
    text = place.read_bytes().decode("utf-8", "surrogateescape") if place.exists() else ""
    lines = [parse_line(line) for line in text.split("\n")]
    records = [line.record for line in lines if line.record is not None]
    torn = tuple(line.text for line in lines if line.record is None and line.text.lstrip().startswith("- {"))
    return Held(tuple(each.id for each in records), {each.id: each.text for each in records}, torn, text[-1:] != "\n")


def holdings(root: Path, home: str = HOME) -> Holdings:
    """Read all files of records of a memory."""
    folder = root / home
    names = (MEMORY, *sorted(f"memory/{place.name}" for place in (folder / "memory").glob("*.md")))
    return {name: held(folder / name) for name in names}


def ids_of(found: Holdings) -> frozenset[str]:
    """Return the ids of all records, wherever they stand."""
    return frozenset(identity for each in found.values() for identity in each.ids)


def broken_lines(place: Path) -> list[str]:
    """Return the lines of a ledger that are no JSON; a last one without an end may be one of them."""
    found = []
    for line in place.read_text("utf-8", "surrogateescape").split("\n") if place.exists() else ():
        try:
            json.loads(line or "{}")
        except ValueError:
            found.append(line)
    return found


def everything(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield all files below a folder, those of caches and databases too; what is packed also unpacked."""
    for place in sorted(root.rglob("*")):
        if place.is_file():
            data = place.read_bytes()
            yield place.relative_to(root).as_posix(), data
            with contextlib.suppress(RuntimeError):
                yield f"{place.relative_to(root).as_posix()}, unpacked", lz4.frame.decompress(data)


def places_of(root: Path, text: str) -> list[str]:
    """Return the files that hold a text, also as JSON would write it; each as often as it holds it."""
    forms = {text.encode(), json.dumps(text)[1:-1].encode(), json.dumps(text, ensure_ascii=False)[1:-1].encode()}
    return [name for name, data in everything(root) for _ in range(max(map(data.count, forms)))]
