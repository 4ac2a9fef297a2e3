"""Paths and cached contents of the memory files of a profile."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.codecs import Log
from cuedeck.ledger.entry_files import decode, encode
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.ledger import Ledger
from cuedeck.ledger.records.record_file import (
    RecordFile,
    format_record,
    parse_records,
)
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.paths import OWN, Profile
from cuedeck.model.ports import Json
from cuedeck.model.settings_schema import MemorySettings
from cuedeck.store.files.append import appending
from cuedeck.store.files.nofollow import is_below
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.settings_schema import Settings


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
"""Counts of recall hits; see `recall_hits`."""
PROMOTIONS = f"{DREAMS_FOLDER}/promotions.jsonl"
"""Ledger of the facts that dreaming promoted."""
DIARY = "DREAMS.md"
FOREIGN_EXPERIENCES = "tmp/experience-store.json"
"""Experiences of CursorClaw."""
HEADER = (
    "# MEMORY.md — Long-term memory\n\n"
    "One record a line: `- ` and a JSON object. Records are added at the end, text between them stays.\n"
    "Daily logs: `memory/YYYY-MM-DD.md`, the same lines.\n\n---\n\n"
)
"""First lines of a new MEMORY.md; at most 250 characters."""
_DAY = r"(\d{4}-\d{2}-\d{2})\.md"


class Size(NamedTuple):
    """Size of a file of records."""

    records: int
    chars: int
    """Code points of the whole file."""


class MemoryFiles(Ledger):
    """Memory files of one profile, with its records, experiences and promotions."""

    def __init__(
        self, paths: WorkspacePaths, profile: Profile, settings: MemorySettings
    ) -> None:
        shared = paths.shared if profile == OWN else paths
        super().__init__(shared, profile.root, f"memory-{profile.id}")
        self.profile = profile
        self.settings = settings
        self._reads: dict[str, tuple[tuple[bytes, frozenset[str]], RecordFile]] = {}
        """Content of each file, with the bytes and the forgotten ids of which it was
        made.
        """

    @property
    def archive(self) -> str:
        """Name of the file that receives the records removed from MEMORY.md; empty for
        none.
        """
        return self.settings.archive

    @property
    def long_memory(self) -> str:
        return self.settings.long_memory

    def read_log(self, name: str) -> Log:
        return self.log(name)  # an error is reported by each command

    def read(self, name: str) -> RecordFile:
        """Return the parsed records of a file without forgotten ones; empty if it is
        missing. Cached while unchanged.

        Raises: StorageError, also for a symbolic link.
        """
        data = self.data(name) if name else None
        if data is None:
            self._reads.pop(name, None)
            return RecordFile(())
        source = data, self.forgotten()
        known = self._reads.get(name)
        if known is None or known[0] != source:
            content = parse_records(decode(data))
            if source[1]:
                # Most memories have no forgotten records.
                from cuedeck.ledger.records.record_file_edit import hide_forgotten

                content = hide_forgotten(content, source[1])
            known = self._reads[name] = source, content
        return known[1]

    def forgotten(self) -> frozenset[str]:
        """Return the ids of forgotten records, which stay hidden even if an old copy of
        a file brings them back. Raises: StorageError.
        """
        log = self.log(TOMBSTONES.removesuffix(".jsonl"))
        return frozenset(row.id for row in log.entries)

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
        return tuple(day for day, is_read in self._logs() if is_read)

    def has_log(self, day: str) -> bool:
        """Return whether a day has a daily log: a file, not a symbolic link."""
        try:
            mode = os.lstat(self.place(daily(day))).st_mode
        except OSError:
            return False
        return stat.S_ISREG(mode)

    def unread_days(self) -> tuple[str, ...]:
        """Return the names of logs that are never read: entries that are no files, and
        impossible days such as `2026-02-30`.
        """
        return tuple(day for day, is_read in self._logs() if not is_read)

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

    def _logs(self) -> list[tuple[str, bool]]:
        found = []
        try:
            with os.scandir(self.place(FOLDER)) as entries:
                for each in entries:
                    match = re.fullmatch(_DAY, each.name)
                    if match:
                        is_file = each.is_file(follow_symlinks=False)
                        found.append((match[1], is_file and is_day(match[1])))
        except OSError:
            return []
        return sorted(found)

    def add_records(self, values: Sequence[Json], day: str) -> None:
        """Append the JSON objects of records to MEMORY.md and to the log of a day.

        If the log cannot be written, the append to MEMORY.md is undone. Raises: Locked,
        StorageError.
        """
        lines = encode("".join(f"{format_record(value)}\n" for value in values))
        with self.writing(), appending(self.place(PRIMARY)) as primary:
            primary.add(lines, encode(HEADER))
            try:
                with appending(self.place(daily(day))) as log:
                    log.add(lines)
            except StorageError:
                primary.take_back()
                raise

    def archive_lines(self, lines: Sequence[str]) -> None:
        """Append lines to the archive, if there is one, except those that it has: an
        interrupted attempt may have written them. Raises: Locked, StorageError.
        """
        if self.archive and lines:
            known = set((self.text(self.archive) or "").split("\n"))
            fresh = [line for line in lines if line not in known]
            self.add_lines(self.archive, "".join(f"{line}\n" for line in fresh))


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


def is_day(text: str) -> bool:
    """Return whether a text such as `2026-11-21` is a date that exists."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def memory_of(workspace: Workspace, profile: str = "") -> MemoryFiles:
    """Return the memory of a profile, by default that of the workspace.

    Raises: NotFound with the nearest id, ConfigurationError if its folder is outside
    the workspace.
    """
    chosen = _profile(workspace.settings, profile) if profile else OWN
    memories = workspace.cached(_OpenMemories)
    if chosen.id not in memories:
        files = MemoryFiles(workspace.paths, chosen, workspace.settings.memory)
        _check_inside(files)
        memories[chosen.id] = files
    return memories[chosen.id]


def _profile(settings: Settings, text: str) -> Profile:
    known = {profile.id: profile for profile in (OWN, *settings.profile)}
    return known[pick(text, list(known), "profile", "cuedeck config show")]


class _OpenMemories(dict[str, MemoryFiles]):
    """Memories opened so far, by profile id."""


def _check_inside(files: MemoryFiles) -> None:
    """Raise ConfigurationError if the settings name a place outside the workspace. A
    link is also refused by each read and write.
    """
    root = os.path.realpath(files.workspace.root)
    for name in (PRIMARY, FOLDER, files.archive, files.long_memory):
        place = files.place(name)
        is_link = name == FOLDER and os.path.islink(place)
        if is_link or not is_below(os.path.realpath(place), root):
            message = f"{files.path(name)} is a link or points outside the workspace"
            raise ConfigurationError(
                message,
                hint="memory must be inside the workspace: replace the link by a file",
            )


def forgotten_ids(workspace: Workspace) -> frozenset[str]:
    """Return the ids of forgotten records."""
    try:
        return memory_of(workspace).forgotten()
    except (ConfigurationError, StorageError):
        return frozenset()
