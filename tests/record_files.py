"""Independent reader of record files: it reads bytes and lines, without any command of
the product.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import lz4.frame

from cuedeck.ledger.records.record_file import parse_line

HOME = ".cuedeck"
MEMORY = "MEMORY.md"
ARCHIVE = "memory/MEMORY-archive.md"


class RecordFile(NamedTuple):
    """Content of one file of records."""

    ids: tuple[str, ...]
    """Ids of the records in order of line, with duplicates."""
    texts: Mapping[str, str]
    torn: tuple[str, ...]
    """Lines that begin like a record but cannot be parsed."""
    is_open: bool
    """Whether the last line has no line break."""

    @property
    def duplicate_ids(self) -> list[str]:
        """Return the ids that occur more than once."""
        return [identity for identity, times in Counter(self.ids).items() if times > 1]


RecordFiles = Mapping[str, RecordFile]
"""Files of records by name: MEMORY.md, daily logs, the archive."""


def read_record_file(place: Path) -> RecordFile:
    """Read one file of records."""
    text = (
        place.read_bytes().decode("utf-8", "surrogateescape") if place.exists() else ""
    )
    lines = [parse_line(line) for line in text.split("\n")]
    records = [line.record for line in lines if line.record is not None]
    torn = tuple(
        line.text
        for line in lines
        if line.record is None and line.text.lstrip().startswith("- {")
    )
    return RecordFile(
        tuple(each.id for each in records),
        {each.id: each.text for each in records},
        torn,
        text[-1:] != "\n",
    )


def read_record_files(root: Path, home: str = HOME) -> RecordFiles:
    """Read all files of records of a memory."""
    folder = root / home
    names = (
        MEMORY,
        *sorted(f"memory/{place.name}" for place in (folder / "memory").glob("*.md")),
    )
    return {name: read_record_file(folder / name) for name in names}


def all_ids(found: RecordFiles) -> frozenset[str]:
    """Return the ids of the records of all files."""
    return frozenset(identity for each in found.values() for identity in each.ids)


def broken_lines(place: Path) -> list[str]:
    """Return the lines of a ledger that are not JSON, including an incomplete last
    line.
    """
    found = []
    for line in (
        place.read_text("utf-8", "surrogateescape").split("\n")
        if place.exists()
        else ()
    ):
        try:
            json.loads(line or "{}")
        except ValueError:
            found.append(line)
    return found


def iter_files(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of all files below a folder, including caches; compressed
    files also decompressed.
    """
    for place in sorted(root.rglob("*")):
        if place.is_file():
            data = place.read_bytes()
            yield place.relative_to(root).as_posix(), data
            with contextlib.suppress(RuntimeError):
                yield (
                    f"{place.relative_to(root).as_posix()}, unpacked",
                    lz4.frame.decompress(data),
                )


def find_text(root: Path, text: str) -> list[str]:
    """Return the files that contain a text, also in JSON notation; each once per
    occurrence.
    """
    forms = {
        text.encode(),
        json.dumps(text)[1:-1].encode(),
        json.dumps(text, ensure_ascii=False)[1:-1].encode(),
    }
    return [
        name
        for name, data in iter_files(root)
        for _ in range(max(map(data.count, forms)))
    ]
