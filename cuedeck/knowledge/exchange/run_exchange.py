"""One exchange: receives the entries of other copies, sends the new ones of this copy,
and removes the text of forgotten ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.memory.forget_record import forget_record
from cuedeck.ledger.exchange_files import NOTES, ExchangeFiles
from cuedeck.ledger.kinds.experience_kind import EXPERIENCE
from cuedeck.ledger.merge_rows import (
    KINDS,
    LOG_KINDS,
    collisions,
    digest_of,
    is_storable,
    microseconds,
    notes_text,
    own_rows,
    reason_to_stay,
    shown_author,
)
from cuedeck.ledger.records.memory_files import (
    EXPERIENCES,
    PRIMARY,
    TOMBSTONES,
    memory_of,
)
from cuedeck.ledger.records.record_lookup import every_record, file_names
from cuedeck.model.errors import Invalid
from cuedeck.model.exchange_row import Row
from cuedeck.model.paths import EXCHANGED_LOGS
from cuedeck.store.clock import moment_after
from cuedeck.store.entries.postgres import Heads, Hub, NotAMember
from cuedeck.store.files.fingerprint import Print
from cuedeck.text.timestamps import format_moment

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json

_LOGS = tuple(f"{name}.jsonl" for name in EXCHANGED_LOGS)
_MOST_SHOWN = 10
_MOST_FOUND = 20
_BATCH = 5_000
"""Rows that are received at once."""
_MOST_SENT = 250
_MOST_DRIFT = 60_000_000
"""Microseconds by which the clock of a machine may differ from that of the hub."""


class Outgoing(NamedTuple):
    """The lines of a copy that the hub does not have."""

    rows: Sequence[Row]
    withheld: Mapping[str, int]
    """Number of lines that stay on this machine, by reason."""


class Exchange:
    """Access of an open workspace to its hub. Raises: Invalid without one."""

    def __init__(self, workspace: Workspace, machine: str) -> None:
        self._workspace = workspace
        self._machine = machine
        self._settings = workspace.settings.exchange
        if not self._settings.hub:
            raise Invalid(
                "no hub is configured",
                hint="set CUEDECK_EXCHANGE__HUB=postgresql://LOGIN@HOST/NAME in your environment",
            )
        self.hub = Hub(self._settings.hub)
        self.files = ExchangeFiles(workspace.paths)
        self._memory = memory_of(workspace)
        self._idle: object = None
        """State of files and hub after the last exchange."""

    @property
    def id(self) -> str:
        """Id of the workspace on the hub; empty before the first exchange."""
        return self._settings.workspace

    def is_agreed(self) -> bool:
        """Return whether the user agreed to exchange this workspace."""
        agreed = self.files.state().get("agreed")
        return bool(self.id) and agreed == self.files.agreement(self.id)

    def agree(self, workspace_id: str) -> None:
        """Note the agreement of the user, and the id of the workspace in config.toml.
        Raises: Locked, StorageError.
        """
        if workspace_id != self.id:
            self._workspace.ledger.rewrite(
                "config.toml", lambda text: _with_id(text, workspace_id)
            )
            self._workspace.forget_settings()
            self._settings = self._workspace.settings.exchange
        with self.files.writing():
            agreed = self.files.agreement(workspace_id)
            self.files.save({"agreed": agreed}, is_first=True)

    def outgoing(self, *, everything: bool = False) -> Outgoing:
        """Return the lines that may leave and that the hub does not have; with
        `everything` all that may leave. Raises: StorageError.
        """
        rows = []
        withheld: Counter[str] = Counter()
        forgotten = self._memory.forgotten()
        for kind in KINDS:
            if kind not in self._settings.kinds:
                continue
            known = set()
            if not everything:
                found = self.files.rows(kind)
                known = {(row.id, row.digest) for row in found if not row.origin}
            for row, value in own_rows(kind, self._own_data(kind)):
                if (row.id, row.digest) in known or row.name in forgotten:
                    continue
                reason = reason_to_stay(row, value)
                if not reason and self._workspace.find_secrets(row.line):
                    reason = "contains a secret"
                if reason:
                    withheld[reason] += 1
                else:
                    rows.append(row)
        return Outgoing(rows, withheld)

    def status(self) -> Json:
        """Return the state of the exchange and the entries to send, without the hub.
        Raises: StorageError.
        """
        outgoing = self.outgoing()
        ids = {row.id for row in outgoing.rows}
        return {
            "workspace": self.id,
            "agreed": self.is_agreed(),
            "at": self.files.state().get("at", ""),
            "waiting": len(outgoing.rows),
            "first": sorted(ids)[:_MOST_SHOWN],
            "withheld": outgoing.withheld,
            "kept_apart": self._kept_apart(),
            "known": {kind: len(self.files.rows(kind)) for kind in KINDS},
        }

    def search(self, words: str) -> list[Json]:
        """Return the newest entries on the hub with all words. Raises: as `run`."""
        found = []
        for row in self.hub.search(self.id, words, _MOST_FOUND):
            found.append({"id": row.id, "author": shown_author(row), "text": row.line})
        return found

    def run(self, patience_seconds: float | None = None) -> Json:
        """Exchange once. Raises: Locked if another process exchanges, NetworkError,
        StorageError, ConfigurationError, Invalid for a login that is not a member.
        """
        with self.files.writing(patience_seconds):
            prints = self._own_prints()
            heads = self._heads()
            state = self.files.state()
            if self._idle == (prints, heads.hub, heads.last):
                return {"received": 0, "sent": 0, "erased": 0}
            if state.get("hub") != heads.hub:
                state |= {"resend": "hub" in state, "hub": heads.hub, "cursors": {}}
            received = self._receive(heads, state)
            outgoing = self.outgoing(everything=state.pop("resend", False))
            sent = self._send(outgoing.rows)
            erased = self._erase()
            if sent or erased:
                received += self._receive(self._heads(), state)
            self._remove_erased()
            if state.pop("notes_due", False):
                self._write_notes()
            state["at"] = format_moment(moment_after(()))
            self.files.save(state)
            self._idle = prints, heads.hub, heads.last
        return {
            "workspace": self.id,
            "received": max(received - sent, 0),
            "sent": sent,
            "erased": erased,
            "withheld": outgoing.withheld,
            "kept_apart": self._kept_apart(),
            "clock_ahead_seconds": _drift(heads),
        }

    def forget(self, address: str) -> int:
        """Remove the text of an exchanged entry from the hub; return the number of its
        lines. The next exchange removes it from all copies.

        Raises: Invalid for an entry that is unknown or has another author.
        """
        kind = address.partition(":")[0]
        found = 0
        for row in self.files.rows(kind) if kind in KINDS else ():
            if row.id == address and row.line and not row.origin:
                found += self.hub.erase(self.id, row)
        if not found:
            raise Invalid(
                f"`{address}` is not an exchanged entry of your login",
                hint="give an address such as decision:k3f9qa; an administrator can remove those of others",
            )
        return found

    def _heads(self) -> Heads:
        try:
            return self.hub.heads(self.id)
        except NotAMember:
            self.hub.register(self.id, self._settings.team)
            return self.hub.heads(self.id)

    def _receive(self, heads: Heads, state: Json) -> int:
        """Store the entries that the hub has received since the last exchange; return
        the number of new ones.
        """
        cursors = state["cursors"]
        received = 0
        for workspace, last in heads.last.items():
            origin = "" if workspace == self.id else workspace
            while cursors.get(workspace, 0) < last:
                after = cursors.get(workspace, 0)
                rows, reached = self.hub.pull(workspace, after, _BATCH, origin)
                if any(row.kind not in LOG_KINDS for row in rows):
                    state["notes_due"] = True
                    self.files.save(state)
                received += self.files.store(filter(is_storable, rows))
                is_all = len(rows) < _BATCH
                cursors[workspace] = max(reached, last) if is_all else reached
                self.files.save(state)
        return received

    def _send(self, rows: Sequence[Row]) -> int:
        for at in range(0, len(rows), _MOST_SENT):
            batch = rows[at : at + _MOST_SENT]
            self.hub.append(self.id, self._machine, batch)
        return len(rows)

    def _erase(self) -> int:
        """Remove the text of forgotten records from the hub; return their number."""
        forgotten = self._memory.forgotten()
        erased = 0
        for row in self.files.rows("record") if forgotten else ():
            if row.name in forgotten and row.line and not row.origin:
                erased += self.hub.erase(self.id, row)
        return erased

    def _remove_erased(self) -> None:
        """Remove the own entries whose text was removed on the hub."""
        for kind in KINDS:
            erased = {row.digest for row in self.files.rows(kind) if not row.line}
            if not erased:
                continue
            own = own_rows(kind, self._own_data(kind))
            names = [row.name for row, _ in own if row.digest in erased]
            if not names:
                continue
            if kind in LOG_KINDS:
                self._workspace.ledger.rewrite(
                    f"{kind}s.jsonl", partial(_without, erased)
                )
            elif kind == "record":
                for name in names:
                    forget_record(self._workspace, self._memory, name)
            else:
                self._memory.forget(EXPERIENCE, names)

    def _write_notes(self) -> None:
        own = {*self._memory.forgotten()}
        own.update(every_record(self._memory, file_names(self._memory)))
        own.update(each.id for each in self._memory.entries(EXPERIENCE))
        rows = {*self.files.rows("record"), *self.files.rows("experience")}
        self.files.rewrite(NOTES, lambda text: notes_text(rows, own))

    def _own_prints(self) -> Sequence[Print | None]:
        own = map(self._workspace.ledger.print, _LOGS)
        return [*own, *map(self._memory.print, (PRIMARY, EXPERIENCES, TOMBSTONES))]

    def _own_data(self, kind: str) -> bytes:
        if kind == "record":
            return self._memory.data(PRIMARY) or b""
        ledger = self._memory if kind == "experience" else self._workspace.ledger
        return ledger.data(f"{kind}s.jsonl") or b""

    def _kept_apart(self) -> list[str]:
        logs = map(self._workspace.ledger.log, EXCHANGED_LOGS)
        return [name for log in logs for name in collisions(log)]


def _drift(heads: Heads) -> int:
    """Return by how many seconds the clock of this machine is ahead of that of the hub;
    0 for less than a minute.
    """
    ahead = microseconds(format_moment(moment_after(()))) - heads.clock
    return ahead // 1_000_000 if abs(ahead) > _MOST_DRIFT else 0


def _with_id(text: str, workspace_id: str) -> str:
    """Return config.toml with the id of the workspace."""
    line = f'[exchange]\nworkspace = "{workspace_id}"'
    rest = re.sub(r"(?m)^[ \t]*workspace[ \t]*=.*\n?", "", text)
    made, count = re.subn(r"(?m)^\[exchange\].*$", line, rest, count=1)
    return made if count else f"{rest.rstrip()}\n\n{line}\n".lstrip()


def _without(erased: set[str], text: str) -> str:
    """Return a log without the lines with the digests `erased`."""
    kept = []
    for line in text.split("\n"):
        data = line.strip().encode("utf-8", "surrogateescape")
        if digest_of(data) not in erased:
            kept.append(line)
    return "\n".join(kept)
