"""The ledger of a workspace: entries of every kind in append-only logs, under one lock,
synced to disk before an append returns.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from cuedeck.ledger.codecs import Log, format_entries, parse_log
from cuedeck.ledger.kind import Kind, LogEntry
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import StorageError
from cuedeck.model.ids import new_id
from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.model.paths import ledger_path
from cuedeck.store.clock import moment_after
from cuedeck.store.files.append import COMMITTED, appending
from cuedeck.store.files.disk import read_generated
from cuedeck.store.files.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.text.timestamps import format_moment, moment_of

LOCK = "ledger"
"""Family of the lock of all logs."""
Value = TypeVar("Value")
Entry = TypeVar("Entry", bound=LogEntry)
Make = Callable[[Sequence[LedgerEntry], str], Sequence[dict[str, object]]]
"""Returns the new entries, given the existing ones and the current time."""


class Cited(NamedTuple):
    """Cited addresses in canonical form."""

    addresses: Sequence[str]
    hashes: Sequence[str]
    """SHA-256 (hex) of the content of each address; empty for an unresolved one."""
    warnings: Sequence[str]
    commit: str
    """HEAD; empty without a commit."""


class Doors(Protocol):
    """What the ledger asks of its workspace for a new entry."""

    def mask(self, value: Value, /) -> Value:
        """Return a value with masked secrets."""

    def cite(self, addresses: Sequence[str]) -> Cited:
        """Resolve addresses. Raises: Ambiguous, Invalid for an empty one."""

    def origin(self, card: str) -> Mapping[str, str]:
        """Return the ids of the card, by default the active one, and of the open
        session.
        """


class Added(NamedTuple):
    """A new entry."""

    id: str
    row: Mapping[str, Any]
    """Its line."""
    warnings: Sequence[str]
    """About unresolved addresses."""


Settle = Callable[[Sequence[LedgerEntry], Mapping[str, Any]], Mapping[str, Any]]
"""Returns further fields of a new line, given the log under its lock and the line."""


class Ledger:
    """The logs of a workspace; each is parsed again only when its bytes change."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._workspace = paths
        self._cache: dict[str, tuple[bytes, Log]] = {}
        self._derived: dict[tuple[str, object], tuple[Log, object]] = {}
        self.unreadable: set[str] = set()
        """Paths of the logs that could not be read."""

    def entries(self, kind: Kind[Entry]) -> tuple[Entry, ...]:
        """Return the entries of a kind, oldest first. Raises: StorageError."""
        return self.derive(kind.log, kind.read)

    def add(
        self,
        kind: Kind[Entry],
        given: Mapping[str, Any],
        doors: Doors,
        *,
        cites: Sequence[str] = (),
        card: str = "",
        settle: Settle = lambda entries, row: {},
    ) -> Added:
        """Append an entry durably, with masked secrets, its addresses in canonical form
        with their hashes, its card and session, and without empty fields.

        Raises: Invalid, TooLong, NotFound, Ambiguous, Locked, StorageError, and every
        error of `settle`; nothing is written then.
        """
        kind.require({**given, kind.cites: cites})
        cited = doors.cite(cites)
        values = {**kind.unmasked(given), **doors.origin(card)}
        values, named = doors.mask((values, list(cited.addresses)))
        cleaned = {**kind.clean(values), kind.cites: named}
        proof = dict(
            zip(
                named,
                cited.hashes,
                strict=True,
            )
        )

        def make(entries: Sequence[LedgerEntry], now: str) -> list[dict[str, object]]:
            taken = frozenset(entry.id for entry in entries)
            seed = f"{cleaned[kind.text_field]}\0{time.time_ns()}".encode()
            row = {
                "id": new_id(seed, taken.__contains__),
                "timestamp": now,
                **cleaned,
                "card": values["card"],
                "session": values["session"],
            }
            row.update(settle(entries, row))
            row["commit"] = cited.commit
            row["proof"] = {name: each for name, each in proof.items() if each}
            return [_without_empty(row, kind)]

        (row,) = self.append(kind.log, make)
        return Added(
            str(row["id"]),
            row,
            cited.warnings,
        )

    def read(self, name: str) -> Log:
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
            return Log(
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

    def _parsed(self, name: str, data: bytes) -> Log:
        """Return the parsed bytes of a ledger; if it only grew, only its new lines are
        parsed.
        """
        path = ledger_path(name)
        before, ledger = self._cache.get(name, (None, Log((), ())))
        if before == data:
            return ledger
        if before and before.endswith(b"\n") and data.startswith(before):
            added = parse_log(
                data[len(before) :],
                path,
                before.count(b"\n"),
            )
            ledger = Log(ledger.entries + added.entries, ledger.faults + added.faults)
        else:
            ledger = parse_log(
                data,
                path,
                0,
            )
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
        with locked(self._workspace, LOCK):
            entries = self._parsed(name, read_generated(place) or b"").entries
            rows = make(entries, _next_time(entries))
            if rows:
                with appending(place, COMMITTED) as end:
                    end.add(format_entries(rows))
        return rows


def _without_empty(row: Mapping[str, Any], kind: Kind[Entry]) -> dict[str, object]:
    """Return a line without empty fields, except those that are always written."""
    always = [name for name, rule in kind.fields.items() if rule.always]
    return {name: value for name, value in row.items() if value or name in always}


def _next_time(entries: Sequence[LedgerEntry]) -> str:
    """Return the current time, or a time shortly after the newest entry if that one is
    in the future.
    """
    moments = (moment_of(entry.timestamp) for entry in entries)
    return format_moment(moment_after(filter(None, moments)))
