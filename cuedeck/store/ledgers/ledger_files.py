"""Append-only files of JSON lines: one lock, one write, on disk before anybody is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from cuedeck.model.errors import StorageError
from cuedeck.model.file import Diagnostic
from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.model.paths import ledger_path
from cuedeck.parse.jsonl_ledger import Ledger, format_entries, parse_ledger
from cuedeck.parse.timestamps import format_moment, moment_of
from cuedeck.store.clock import moment_after
from cuedeck.store.fs.append import COMMITTED, appending
from cuedeck.store.fs.disk import read_bytes
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths

Value = TypeVar("Value")
Make = Callable[[Sequence[LedgerEntry], str], Sequence[dict[str, object]]]
"""What makes new entries of those that are there and of the time that is now."""


class Ledgers:
    """The ledgers of a workspace, each read again only when its bytes are others."""

    def __init__(self, workspace: WorkspacePaths) -> None:
        self._workspace = workspace
        self._read: dict[str, tuple[bytes, Ledger]] = {}
        self._made: dict[tuple[str, object], tuple[Ledger, object]] = {}
        self.unreadable: set[str] = set()
        """Paths of the ledgers that could not be read."""

    def read(self, name: str) -> Ledger:
        """Return the entries and faults of a ledger; an unreadable ledger has no entry and one fault."""
        path = ledger_path(name)
        place = self._workspace.absolute(path)
        self.unreadable.discard(path)
        try:
            data = read_bytes(place)
        except StorageError as error:
            self.unreadable.add(path)
            message = error.message.replace(place, path)
            return Ledger((), (Diagnostic(path, 0, "error", "unreadable", message, error.hint),))
        return self._parsed(name, data or b"")

    def _parsed(self, name: str, data: bytes) -> Ledger:
        """Parse a ledger; of one that only grew the new lines alone."""
        known, ledger = self._read.get(name, (b"", Ledger((), ())))
        if known != data or name not in self._read:
            grew = known.endswith(b"\n") and data.startswith(known)
            new = parse_ledger(
                data[len(known) :] if grew else data, ledger_path(name), known.count(b"\n") if grew else 0
            )
            if grew:
                new = Ledger(ledger.entries + new.entries, ledger.faults + new.faults)
            self._read[name] = (data, new)
        return self._read[name][1]

    def derive(self, name: str, make: Callable[[Sequence[LedgerEntry]], Value]) -> Value:
        """Return what `make` gives for the entries of a ledger, made once for each state of it."""
        ledger = self.read(name)
        known = self._made.get((name, make))
        if known is None or known[0] is not ledger:
            known = self._made[name, make] = (ledger, make(ledger.entries))
        return cast("Value", known[1])

    def append(self, name: str, make: Make) -> Sequence[dict[str, object]]:
        """Add the entries that `make` returns; they are on disk when this returns.

        The time given to `make` is later than that of every entry. A last line that was cut short stays as it is,
        and the new ones begin on a line of their own.
        Raises: whatever `make` raises, with nothing written; Locked, StorageError.
        """
        place = self._workspace.absolute(ledger_path(name))
        with locked(self._workspace, name):
            entries = self._parsed(name, read_bytes(place) or b"").entries
            rows = make(entries, _next_time(entries))
            if rows:
                with appending(place, COMMITTED) as end:
                    end.add(format_entries(rows))
        return rows


def _next_time(entries: Sequence[LedgerEntry]) -> str:
    """Return now; a little after the newest entry where that has a time to come."""
    return format_moment(moment_after(moment for entry in entries if (moment := moment_of(entry.timestamp))))
