"""Appends to and rewrites of the memory files of a profile, under its lock."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from cuedeck.ledger.records.late_appends import written_late
from cuedeck.ledger.records.memory_files import (
    FOREIGN_EXPERIENCES,
    PRIMARY,
    MemoryFiles,
    daily,
    decode,
    encode,
)
from cuedeck.ledger.records.record_file import format_record
from cuedeck.model.errors import StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.append import appending
from cuedeck.store.files.disk import failed, write_atomic
from cuedeck.store.files.file_lock import locked

HEADER = (
    "# MEMORY.md — Long-term memory\n\n"
    "One record a line: `- ` and a JSON object. Records are added at the end, text between them stays.\n"
    "Daily logs: `memory/YYYY-MM-DD.md`, the same lines.\n\n---\n\n"
)
"""First lines of a new MEMORY.md; at most 250 characters."""
_HINT = "nothing was added; free space or fix its permissions"
_ATTEMPTS = 5
_CHUNK = 1 << 20


Cut = Callable[[bytes], tuple[bytes, int, Sequence[str]]]
"""Returns the new front part of a file, the offset where the unchanged rest begins, and
the removed lines.
"""


class Writer:
    """Writer of the files of a profile. The caller must hold its lock; each write is
    durable on return.
    """

    def __init__(self, files: MemoryFiles) -> None:
        self._files = files

    def append(self, values: Sequence[Mapping[str, Any]], day: str) -> None:
        """Append records to MEMORY.md and to the log of a day.

        If the log cannot be written, the append to MEMORY.md is undone.
        Raises: StorageError.
        """
        lines = encode("".join(f"{format_record(value)}\n" for value in values))
        place = self._files.place(PRIMARY)
        with appending(place) as primary:
            primary.add(lines, encode(HEADER))
            try:
                with appending(self._files.place(daily(day))) as log:
                    log.add(lines)
            except StorageError:
                primary.take_back()
                raise
        self._files.changed("append")

    def add_lines(self, name: str, text: str) -> None:
        """Append whole lines to a file; create it if missing. Raises: StorageError."""
        if text:
            with appending(self._files.place(name)) as file:
                file.add(encode(text))

    def rewrite(self, name: str, make: Callable[[str], str]) -> bool:
        """Replace the text of a file by `make(text)`; return whether it changed.

        Lines that a program without the lock appends meanwhile are kept at the end.
        Raises: StorageError, and whatever `make` raises; the old file is then
        unchanged.
        """
        return self._rewrite(name, lambda data: encode(make(decode(data))))

    def _rewrite(self, name: str, make: Callable[[bytes], bytes]) -> bool:
        place = self._files.place(name)
        for _ in range(_ATTEMPTS):
            done = _replaced(place, make, self._files.workspace.cache)
            if done is not None:
                return done
        raise StorageError(
            f"{self._files.path(name)} keeps changing",
            hint="nothing was changed; try again",
        )

    def trim(self, cut: Cut) -> int:
        """Move the lines chosen by `cut` from MEMORY.md to the archive, if configured;
        return their number.

        The lines are written to the archive before they are removed from MEMORY.md.
        Raises: StorageError.
        """
        gone: list[str] = []

        def without(data: bytes) -> bytes:
            kept, at, gone[:] = cut(data)
            self.archive(gone)
            return kept + data[at:]

        self._rewrite(PRIMARY, without)
        if gone:
            self._files.changed("trim")
        return len(gone)

    def archive(self, lines: Sequence[str]) -> None:
        """Append lines to the archive, except those that an interrupted attempt already
        wrote at its end.
        """
        if not self._files.archive or not lines:
            return
        known = self._tail(
            self._files.archive,
            2 * sum(len(encode(line)) + 1 for line in lines) + _CHUNK,
        )
        fresh = [line for line in lines if line not in known]
        self.add_lines(self._files.archive, "".join(f"{line}\n" for line in fresh))

    def _tail(self, name: str, length: int) -> set[str]:
        try:
            place = self._files.place(name)
            with open(place, "rb", opener=nofollow.opener) as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - length))
                return set(decode(file.read()).split("\n"))
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise StorageError(
                f"cannot read {self._files.path(name)}: {error.strerror}", hint=_HINT
            ) from error


@contextmanager
def writing(
    files: MemoryFiles, patience_seconds: float | None = None
) -> Iterator[Writer]:
    """Hold the lock of a profile and yield a writer of its files. Raises: Locked,
    StorageError.
    """
    patience = (
        {} if patience_seconds is None else {"patience_seconds": patience_seconds}
    )
    with locked(files.workspace, files.lock, **patience):
        yield Writer(files)


def _replaced(place: str, make: Callable[[bytes], bytes], scratch: str) -> bool | None:
    """Replace a file by `make(data)`; return whether it changed.

    Returns: None, with nothing changed, if the file was replaced or became shorter
    meanwhile; the caller tries again.
    """
    try:
        with open(place, "rb", buffering=0, opener=nofollow.opener) as old:
            data = nofollow.read_open(old)
            made = make(data)
            if made == data:
                return False
            grown = _grown(old.fileno(), place, len(data))
            if grown is None:
                return None
            write_atomic(place, made + grown, scratch)
            late = written_late(old.fileno(), len(data) + len(grown))
    except FileNotFoundError:
        made = make(b"")
        if not made:
            return False
        _create(place, made, scratch)
        return True
    except OSError as error:
        raise failed(f"read {place}", error, _HINT) from error
    if late:
        with appending(place) as file:
            file.add(late)
    return True


def _create(place: str, data: bytes, scratch: str) -> None:
    """Write a new file, readable by its owner only. Raises: StorageError."""
    try:
        nofollow.make_folder(os.path.dirname(place))
    except OSError as error:
        raise failed(f"write {place}", error, _HINT) from error
    write_atomic(place, data, scratch, private=True)


def _grown(handle: int, place: str, length: int) -> bytes | None:
    """Return the bytes appended after `length`; None if the file was replaced or became
    shorter.
    """
    now, named = os.fstat(handle), os.stat(place)
    if now.st_ino != named.st_ino or now.st_size < length:
        return None
    return os.pread(handle, now.st_size - length, length)


VECTORS = ("tmp/memory-embeddings.json", FOREIGN_EXPERIENCES)


def without_vectors(text: str, identity: str, record_text: str) -> str:
    """Return the JSON of an embeddings file (`VECTORS`) without the rows of a record.

    `identity` and `record_text` are those of the record. A file that cannot be parsed
    is emptied if it contains either of them.
    """
    try:
        value = json.loads(text)
        rows = next(each for each in value.values() if isinstance(each, list))
    except (ValueError, AttributeError, StopIteration, RecursionError):
        contains_record = any(part in text for part in (identity, record_text) if part)
        return "" if contains_record else text
    kept = [row for row in rows if not _is_of(row, identity, record_text)]
    if len(kept) == len(rows):
        return text
    rows[:] = kept
    return json.dumps(value, ensure_ascii=False, indent=2)


def _is_of(row: object, identity: str, record_text: str) -> bool:
    if not isinstance(row, dict):
        return False
    if identity in (row.get("recordId"), row.get("id")):
        return True
    return bool(record_text) and row.get("text") == record_text
