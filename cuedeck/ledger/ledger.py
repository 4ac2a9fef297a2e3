"""The ledger of a workspace, or of a memory: entries of several kinds in files of lines
under one lock, synced to disk before a change returns.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeVar, cast

from cuedeck.ledger.codecs import Log, format_entries, parse_log
from cuedeck.ledger.entry_files import EntryFiles
from cuedeck.ledger.kind import Identified, Kind
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.entry_node import LedgerEntry
from cuedeck.model.errors import StorageError
from cuedeck.model.exchange_row import Row
from cuedeck.model.ids import new_id
from cuedeck.model.paths import EXCHANGE, EXCHANGED_LOGS, HOME
from cuedeck.model.ports import JsonView
from cuedeck.store.clock import moment_after
from cuedeck.store.files.append import COMMITTED, appending
from cuedeck.store.files.file_lock import FILES
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.text.timestamps import format_moment, moment_of

Value = TypeVar("Value")
Entry = TypeVar("Entry", bound=Identified)
Foreign = dict[Row, LedgerEntry | None]
"""Rows of other copies with their entries."""
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
    row: JsonView
    """Its line."""
    warnings: Sequence[str]
    """About unresolved addresses."""


Settle = Callable[[Sequence[LedgerEntry], JsonView], JsonView]
"""Returns further fields of a new line, given the log under its lock and the line."""


class Ledger(EntryFiles):
    """Files of entries; each is parsed again only when its bytes change."""

    def __init__(
        self, workspace: WorkspacePaths, root: str = HOME, lock: str = FILES
    ) -> None:
        super().__init__(workspace, root, lock)
        self._parsed: dict[str, tuple[bytes, Log]] = {}
        self._merged: dict[str, tuple[Log, bytes, Foreign, Log]] = {}
        self._derived: dict[tuple[str, object], tuple[Log, object]] = {}
        self.unreadable: set[str] = set()
        """Paths of the logs that could not be read."""

    def entries(self, kind: Kind[Entry]) -> tuple[Entry, ...]:
        """Return the entries of a kind, oldest first. Raises: StorageError."""
        return self.derive(kind.log, kind.read)

    def add(
        self,
        kind: Kind[Entry],
        given: JsonView,
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
        proof = dict(zip(named, cited.hashes, strict=True))

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
        return Added(str(row["id"]), row, cited.warnings)

    def read_log(self, name: str) -> Log:
        """Return the entries and faults of a log; an unreadable one, such as a symbolic
        link, has no entry and one fault.
        """
        path = self.path(f"{name}.jsonl")
        self.unreadable.discard(path)
        try:
            return self.log(name)
        except StorageError as error:
            self.unreadable.add(path)
            message = error.message.replace(self.place(f"{name}.jsonl"), path)
            fault = Diagnostic(
                path,
                0,
                "error",
                "unreadable",
                message,
                error.hint,
            )
            return Log((), (fault,))

    def log(self, name: str) -> Log:
        """Return the entries and faults of a log, with the entries of other copies.
        Raises: StorageError.
        """
        own = self.own_log(name)
        if name not in EXCHANGED_LOGS:
            return own
        data = self.data(f"{EXCHANGE}/{name}.jsonl")
        if not data:
            return own
        known = self._merged.get(name)
        if known is None or known[0] is not own or known[1] != data:
            # Most workspaces have no hub.
            from cuedeck.ledger.merge_rows import foreign_entries, merged

            before, rows = (known[1], known[2]) if known else (b"", {})
            if not data.startswith(before):
                before, rows = b"", {}
            rows |= foreign_entries(data[len(before) :], before.count(b"\n"))
            known = self._merged[name] = own, data, rows, merged(own, rows)
        return known[3]

    def own_log(self, name: str) -> Log:
        """Return the entries and faults of a log of this copy. If it only grew, only
        its new lines are parsed. Raises: StorageError.
        """
        path = self.path(f"{name}.jsonl")
        data = self.data(f"{name}.jsonl") or b""
        before, log = self._parsed.get(name, (b"", Log((), ())))
        if before == data:
            return log
        if before.endswith(b"\n") and data.startswith(before):
            added = parse_log(data[len(before) :], path, before.count(b"\n"))
            log = Log(log.entries + added.entries, log.faults + added.faults)
        else:
            log = parse_log(data, path)
        self._parsed[name] = (data, log)
        return log

    def derive(
        self, name: str, make: Callable[[Sequence[LedgerEntry]], Value]
    ) -> Value:
        """Return the result of `make` for the entries of a file, cached while it is
        unchanged.
        """
        log = self.read_log(name)
        cached = self._derived.get((name, make))
        if cached is None or cached[0] is not log:
            cached = self._derived[name, make] = (log, make(log.entries))
        return cast("Value", cached[1])

    def append(self, name: str, make: Make) -> Sequence[dict[str, object]]:
        """Add the entries that `make` returns to a committed log; they are on disk when
        this returns.

        The time given to `make` is later than that of every entry. An incomplete last
        line stays as it is, and the new entries begin on the next line. Raises:
        whatever `make` raises, with nothing written; Locked, StorageError.
        """
        with self.writing():
            entries = self.log(name).entries
            moments = (moment_of(entry.timestamp) for entry in entries)
            now = format_moment(moment_after(filter(None, moments)))
            rows = make(entries, now)
            if rows:
                with appending(self.place(f"{name}.jsonl"), COMMITTED) as end:
                    end.add(format_entries(rows))
        return rows

    def append_entries(self, kind: Kind[Entry], values: Iterable[Entry]) -> None:
        """Append entries of a private kind durably. Raises: Locked, StorageError."""
        lines = "".join(f"{kind.format(each)}\n" for each in values)
        self.add_lines(kind.file, lines)

    def replace(
        self, kind: Kind[Entry], ids: Collection[str], by: Iterable[Entry] = ()
    ) -> None:
        """Remove entries and put others in the place of those with their ids, else at
        the end, in one step; every other byte stays. Raises: Locked, StorageError.
        """
        lines = {each.id: kind.format(each) for each in by}
        self.rewrite(kind.file, lambda text: kind.replaced(text, ids, lines))

    def forget(
        self, kind: Kind[Entry], ids: Collection[str], named: Collection[str] = ()
    ) -> None:
        """Remove entries, and the damaged lines that contain one of their ids or of the
        ids `named`. Raises: Locked, StorageError.
        """
        if not ids and not named:
            return
        with self.writing():
            for name in kind.files(self):
                self.rewrite(name, lambda text: kind.without(text, ids, named))


def _without_empty(row: JsonView, kind: Kind[Entry]) -> dict[str, object]:
    """Return a line without empty fields, except those that are always written."""
    always = [name for name, rule in kind.fields.items() if rule.always]
    return {name: value for name, value in row.items() if value or name in always}
