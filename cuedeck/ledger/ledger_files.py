"""Append-only files of JSON lines: one lock, one write, synced to disk before an append
returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from cuedeck.ledger.jsonl_ledger import Ledger, format_entries, parse_ledger
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import StorageError
from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.model.paths import ledger_path
from cuedeck.store.clock import moment_after
from cuedeck.store.files.append import COMMITTED, appending
from cuedeck.store.files.disk import read_generated
from cuedeck.store.files.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.text.timestamps import format_moment, moment_of

Value = TypeVar("Value")
Make = Callable[[Sequence[LedgerEntry], str], Sequence[dict[str, object]]]
"""Returns the new entries, given the existing ones and the current time."""


class Ledgers:
    """The ledgers of a workspace; each is parsed again only when its bytes change."""

    def __init__(self, workspace: WorkspacePaths) -> None:
        self._workspace = workspace
        self._cache: dict[str, tuple[bytes, Ledger]] = {}
        self._derived: dict[tuple[str, object], tuple[Ledger, object]] = {}
        self.unreadable: set[str] = set()
        """Paths of the ledgers that could not be read."""

    def read(self, name: str) -> Ledger:
        """Return the entries and faults of a ledger; an unreadable ledger, such as a
        symbolic link, has no entry and one fault.
        """
        path = ledger_path(name)
        place = self._workspace.absolute(path)
        self.unreadable.discard(path)
        try:
            data = read_generated(place)
        except StorageError as error:
            self.unreadable.add(path)
            message = error.message.replace(place, path)
            return Ledger(
                (),
                (
                    Diagnostic(
                        path=path,
                        line=0,
                        level="error",
                        code="unreadable",
                        message=message,
                        hint=error.hint,
                    ),
                ),
            )
        return self._parsed(name, data or b"")

    def _parsed(self, name: str, data: bytes) -> Ledger:
        """Return the parsed bytes of a ledger; if it only grew, only its new lines are
        parsed.
        """
        path = ledger_path(name)
        before, ledger = self._cache.get(name, (None, Ledger((), ())))
        if before == data:
            return ledger
        if before and before.endswith(b"\n") and data.startswith(before):
            added = parse_ledger(data[len(before) :], path, before.count(b"\n"))
            ledger = Ledger(
                ledger.entries + added.entries, ledger.faults + added.faults
            )
        else:
            ledger = parse_ledger(data, path, 0)
        self._cache[name] = (data, ledger)
        return ledger

    def derive(
        self, name: str, make: Callable[[Sequence[LedgerEntry]], Value]
    ) -> Value:
        """Return the result of `make` for the entries of a ledger, cached while the
        ledger is unchanged.
        """
        ledger = self.read(name)
        cached = self._derived.get((name, make))
        if cached is None or cached[0] is not ledger:
            cached = self._derived[name, make] = (ledger, make(ledger.entries))
        return cast("Value", cached[1])

    def append(self, name: str, make: Make) -> Sequence[dict[str, object]]:
        """Add the entries that `make` returns; they are on disk when this returns.

        The time given to `make` is later than that of every entry. An incomplete last
        line stays as it is, and the new entries begin on the next line. Raises:
        whatever `make` raises, with nothing written; Locked, StorageError.
        """
        place = self._workspace.absolute(ledger_path(name))
        with locked(self._workspace, name):
            entries = self._parsed(name, read_generated(place) or b"").entries
            rows = make(entries, _next_time(entries))
            if rows:
                with appending(place, COMMITTED) as end:
                    end.add(format_entries(rows))
        return rows


def _next_time(entries: Sequence[LedgerEntry]) -> str:
    """Return the current time, or a time shortly after the newest entry if that one is
    in the future.
    """
    moments = (moment_of(entry.timestamp) for entry in entries)
    return format_moment(moment_after(filter(None, moments)))
