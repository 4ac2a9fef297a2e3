"""Where the files of a profile are, and what stands in them."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.profile import Profile
from cuedeck.model.settings_schema import MemorySettings
from cuedeck.parse.jsonl_ledger import parse_ledger
from cuedeck.parse.record_file import RecordFile, parse_records, without_records
from cuedeck.store.fs.disk import read_bytes
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.fs.fingerprint import Print, is_settled, print_of
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.store.memory.memory_writer import Writer

PRIMARY = "MEMORY.md"
USER = "USER.md"
EXPERIENCES = "experiences.jsonl"
FOLDER = "memory"
TOMBSTONES = f"{FOLDER}/tombstones.jsonl"
UNDO = f"{FOLDER}/undo"
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})\.md")


class _Read(NamedTuple):
    print: Print
    at_ns: int
    data: bytes
    content: RecordFile
    gone: frozenset[str]
    """Ids that were forgotten by then."""


class MemoryFiles:
    """The files of one profile; names are relative to its root, and only `writing` changes them."""

    def __init__(self, workspace: WorkspacePaths, profile: Profile, settings: MemorySettings) -> None:
        self.workspace = workspace
        self.profile = profile
        self.settings = settings
        self.changes = 0
        """Goes up with every change that is made through this object."""
        self.notices: list[Callable[[str], None]] = []
        """Each is called with `append`, `trim`, `edit`, `compact` or `forget` after such a change."""
        self.is_shared = False
        """True as soon as it shows that somebody else writes MEMORY.md, too."""
        self.derived: dict[str, Any] = {}
        """What others made of the files, by name, so that who stays open makes it once."""
        self.counted: tuple[Print, tuple[int, int]] | None = None
        """Records and characters of MEMORY.md as it was."""
        self._reads: dict[str, _Read] = {}
        self._buried: tuple[Print | None, frozenset[str]] = (None, frozenset())

    @property
    def archive(self) -> str:
        """Name of the file that gets what leaves MEMORY.md; empty for none."""
        return self.settings.archive

    @property
    def long_memory(self) -> str:
        return self.settings.long_memory

    @property
    def lock(self) -> str:
        """The family of files that one lock guards."""
        return f"memory-{self.profile.id}"

    def path(self, name: str) -> str:
        """Return the workspace-relative path of a file."""
        return f"{self.profile.root}/{name}" if self.profile.root else name

    def place(self, name: str) -> str:
        """Return where a file is on this machine."""
        return self.workspace.absolute(self.path(name))

    def print(self, name: str) -> Print | None:
        """Return what tells whether a file changed; None when it is not there."""
        return print_of(self.place(name))

    def text(self, name: str) -> str | None:
        """Return a file as text; bytes that are no UTF-8 are kept as surrogates. None when it is not there.

        Raises: StorageError.
        """
        data = read_bytes(self.place(name))
        return None if data is None else decode(data)

    def read(self, name: str) -> RecordFile:
        """Return a file of records, read again only when it changed; no lines when it is not there.

        Raises: StorageError.
        """
        place = self.place(name)
        now = print_of(place)
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
        data = read_bytes(place) or b""
        if known is None or known.data != data:
            content = without_records(parse_records(decode(data)), gone)
        else:
            content = known.content
        self._reads[name] = _Read(now, at, data, content, gone)
        return content

    def forgotten(self) -> frozenset[str]:
        """Return the ids of records that were forgotten; one that came back with an old file is none.

        Raises: StorageError.
        """
        now = self.print(TOMBSTONES)
        if self._buried[0] != now:
            rows = parse_ledger(read_bytes(self.place(TOMBSTONES)) or b"", TOMBSTONES).entries if now else ()
            self._buried = (now, frozenset(row.id for row in rows))
        return self._buried[1]

    @property
    def primary(self) -> RecordFile:
        """What MEMORY.md holds."""
        return self.read(PRIMARY)

    @property
    def archived(self) -> RecordFile:
        """What left MEMORY.md, oldest first."""
        return self.read(self.archive) if self.archive else RecordFile(())

    def days(self) -> tuple[str, ...]:
        """Return the days that have a daily log, the first one first."""
        try:
            names = os.listdir(self.place(FOLDER))
        except OSError:
            return ()
        found = (_DAY.fullmatch(name) for name in names)
        return tuple(sorted(match[1] for match in found if match and _is_day(match[1])))

    def changed(self, what: str) -> None:
        """Tell those who asked for it that something changed."""
        self.changes += 1
        for notice in self.notices:
            notice(what)

    @contextmanager
    def writing(self, patience_seconds: float | None = None) -> Iterator[Writer]:
        """Hold the lock of the profile; what is given writes its files. Raises: Locked, StorageError."""
        from cuedeck.store.memory.memory_writer import Writer

        patience = {} if patience_seconds is None else {"patience_seconds": patience_seconds}
        with locked(self.workspace, self.lock, **patience):
            yield Writer(self)


def daily(day: str) -> str:
    """Return the name of the log of a day (`2026-11-21`)."""
    return f"{FOLDER}/{day}.md"


def decode(data: bytes) -> str:
    """Return bytes as text that gives the same bytes again."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Return the bytes of a text that `decode` gave."""
    return text.encode("utf-8", "surrogateescape")


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
