"""Paths and cached contents of the memory files of a profile."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from datetime import date
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cuedeck.model.profile import OWN, Profile
from cuedeck.store.files.disk import read_generated
from cuedeck.store.files.fingerprint import Print, is_settled, print_of
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.ledger.records.record_file import RecordFile
    from cuedeck.model.settings_schema import MemorySettings

    EntryKind = Literal["file", "link", "folder", "special"]
    """Kind of an entry of a folder; a pipe, a socket or a device is `special`."""

PRIMARY = "MEMORY.md"
USER = "USER.md"
EXPERIENCES = "experiences.jsonl"
FOLDER = "memory"
TOMBSTONES = f"{FOLDER}/tombstones.jsonl"
UNDO = f"{FOLDER}/undo"
LOOKED_AT = f"{FOLDER}/extracted.json"
"""Keys of the processed records. Not in the cache: without them, deleted experiences
would be extracted again.
"""
DREAMS_FOLDER = f"{FOLDER}/.dreams"
RECALLS = f"{DREAMS_FOLDER}/recalls.jsonl"
"""Counts of recall hits, with a lock of their own; see `recall_hits`."""
PROMOTIONS = f"{DREAMS_FOLDER}/promotions.jsonl"
"""Ledger of the facts that dreaming promoted."""
DIARY = "DREAMS.md"
FOREIGN_EXPERIENCES = "tmp/experience-store.json"
"""Experiences of CursorClaw."""
_DAY = r"(\d{4}-\d{2}-\d{2})\.md"


class _Read(NamedTuple):
    print: Print
    at_ns: int
    data: bytes
    content: RecordFile
    gone: frozenset[str]
    """Ids of the records that were forgotten when the file was parsed."""


class Size(NamedTuple):
    """Size of a file of records."""

    records: int
    chars: int
    """Code points of the whole file."""


class MemoryFiles:
    """Memory files of one profile. Names are relative to its root;
    `memory_writer.writing` changes the files.
    """

    def __init__(
        self, paths: WorkspacePaths, profile: Profile, settings: MemorySettings
    ) -> None:
        self.workspace = paths.shared if profile == OWN else paths
        self.profile = profile
        self.settings = settings
        self.hide: Callable[[RecordFile, frozenset[str]], RecordFile] | None = None
        """Removes the text of forgotten records from a parsed file; None removes only
        their lines.
        """
        self.changes = 0
        """Number of changes made through this object."""
        self.notices: list[Callable[[str], None]] = []
        """Callbacks, called with `append`, `trim`, `edit`, `compact` or `forget` after
        each change.
        """
        self.derived: dict[str, Any] = {}
        """Values that other modules derived from the files, by name, cached for
        long-lived processes.
        """
        self._reads: dict[str, _Read] = {}
        self._buried: tuple[Print | None, frozenset[str]] = (None, frozenset())

    @property
    def archive(self) -> str:
        """Name of the file that receives the records removed from MEMORY.md; empty for
        none.
        """
        return self.settings.archive

    @property
    def long_memory(self) -> str:
        return self.settings.long_memory

    @property
    def lock(self) -> str:
        """Name of the lock of this profile."""
        return f"memory-{self.profile.id}"

    def path(self, name: str) -> str:
        """Return the workspace-relative path of a file."""
        if self.profile.root:
            return f"{self.profile.root}/{name}"
        return name

    def place(self, name: str) -> str:
        """Return the absolute path of a file."""
        return self.workspace.absolute(self.path(name))

    def print(self, name: str) -> Print | None:
        """Return the fingerprint of a file, or None if it is missing."""
        return print_of(self.place(name))

    def data(self, name: str) -> bytes | None:
        """Return the content of a file, or None if it is missing.

        A symbolic link in any component of the path is refused, because a repository
        could present another file of the user as its memory. Raises: StorageError.
        """
        return read_generated(self.place(name))

    def text(self, name: str) -> str | None:
        """Return the text of a file, or None if it is missing. Invalid UTF-8 is kept as
        surrogates.

        Raises: StorageError, also for a symbolic link.
        """
        data = self.data(name)
        if data is None:
            return None
        return decode(data)

    def read(self, name: str) -> RecordFile:
        """Return the parsed records of a file without forgotten ones; empty if it is
        missing. Cached while unchanged.

        Raises: StorageError, also for a symbolic link.
        """
        # A search has the records in its index.
        from cuedeck.ledger.records.record_file import (
            RecordFile,
            parse_records,
            without_records,
        )

        now = self.print(name) if name else None
        if now is None:
            self._reads.pop(name, None)
            return RecordFile(())
        gone = self.forgotten()
        known = self._reads.get(name)
        if known is not None and known.gone is not gone:
            known = None
        if known is not None and known.print == now and is_settled(now, known.at_ns):
            return known.content
        at = time.time_ns()
        data = self.data(name) or b""
        if known is not None and known.data == data:
            content = known.content
        else:
            hide = self.hide or without_records
            content = hide(parse_records(decode(data)), gone)
        self._reads[name] = _Read(
            print=now, at_ns=at, data=data, content=content, gone=gone
        )
        return content

    def forgotten(self) -> frozenset[str]:
        """Return the ids of forgotten records, which stay hidden even if an old copy of
        a file brings them back.

        Raises: StorageError.
        """
        now = self.print(TOMBSTONES)
        if self._buried[0] != now:
            ids = self._read_tombstones() if now else frozenset()
            self._buried = (now, ids)
        return self._buried[1]

    def _read_tombstones(self) -> frozenset[str]:
        # Most memories have no forgotten records.
        from cuedeck.ledger.codecs import parse_log

        data = self.data(TOMBSTONES) or b""
        return frozenset(row.id for row in parse_log(data, TOMBSTONES).entries)

    @property
    def primary(self) -> RecordFile:
        """The parsed MEMORY.md."""
        return self.read(PRIMARY)

    def size(self) -> Size:
        """Return the numbers of records and characters of MEMORY.md. Raises:
        StorageError.
        """
        lines = self.primary.lines
        chars = sum(len(line.text) + 1 for line in lines)
        return Size(len(self.primary.records), max(chars - 1, 0))

    @property
    def archived(self) -> RecordFile:
        """The parsed archive of records removed from MEMORY.md, oldest first."""
        return self.read(self.archive)

    def days(self) -> tuple[str, ...]:
        """Return the days (`YYYY-MM-DD`) that have a daily log, in order."""
        return tuple(filter(is_day, self._named_days("file")))

    def has_log(self, day: str) -> bool:
        """Return whether a day has a daily log: a file, not a symbolic link."""
        try:
            mode = os.lstat(self.place(daily(day))).st_mode
        except OSError:
            return False
        return stat.S_ISREG(mode)

    def impossible_days(self) -> tuple[str, ...]:
        """Return the names of logs that are no days, such as `2026-02-30`."""
        named = self._named_days("file")
        return tuple(day for day in named if not is_day(day))

    def days_without_file(self, kind: EntryKind) -> tuple[str, ...]:
        """Return the names of logs that are entries of a kind other than files, which
        are never read.
        """
        return tuple(self._named_days(kind))

    def notes(self) -> tuple[str, ...]:
        """Return the names of the Markdown files below `memory/` that are neither daily
        logs nor kept by CueDeck itself, in order: `memory/notes.md`,
        `memory/trips/oslo.md`.

        Hidden names and symbolic links are left out.
        """
        own = (self.archive, self.long_memory, PRIMARY, USER)
        return tuple(
            name
            for name in sorted(_markdown_below(self.place(FOLDER), FOLDER))
            if name not in own and not re.fullmatch(f"{FOLDER}/{_DAY}", name)
        )

    def _named_days(self, kind: EntryKind) -> list[str]:
        """Return the names of the logs that are entries of a kind, in order."""
        try:
            with os.scandir(self.place(FOLDER)) as entries:
                names = [each.name for each in entries if _kind_of(each) == kind]
        except OSError:
            return []
        found = (re.fullmatch(_DAY, name) for name in names)
        return sorted(match[1] for match in found if match)

    def changed(self, what: str) -> None:
        """Count a change and call the callbacks in `notices`."""
        self.changes += 1
        for notice in self.notices:
            notice(what)


def _kind_of(entry: os.DirEntry[str]) -> EntryKind:
    if entry.is_symlink():
        return "link"
    if entry.is_dir():
        return "folder"
    return "file" if entry.is_file() else "special"


def _markdown_below(place: str, folder: str) -> Iterator[str]:
    """Yield the names of the Markdown files in the folder at a place and below it;
    `folder` is its name.
    """
    try:
        with os.scandir(place) as entries:
            listed = [each for each in entries if not each.name.startswith(".")]
    except OSError:
        return
    for each in listed:
        name = f"{folder}/{each.name}"
        if each.is_symlink() or name == UNDO:
            continue
        if each.is_dir():
            yield from _markdown_below(each.path, name)
        elif each.name.lower().endswith(".md") and each.is_file():
            yield name


def daily(day: str) -> str:
    """Return the file name of the log of a day such as `2026-11-21`."""
    return f"{FOLDER}/{day}.md"


def decode(data: bytes) -> str:
    """Return bytes as text from which `encode` restores the same bytes."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the bytes of a text made by `decode`."""
    return text.encode("utf-8", "surrogateescape")


def is_day(text: str) -> bool:
    """Return whether a text such as `2026-11-21` is a date that exists."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
