"""Files of statements: one append-only file of JSON lines for each session of a host,
private and never committed.

A row is a statement, the end of a turn, the note that a turn without an end has a
record, the tombstone of a forgotten statement, or the place up to which statements
became memories of the cortex tree. The id of a statement
depends on its session, speaker and text, so that reading a transcript again adds
nothing, and a tombstone lasts. The id of a fact whose last state counts depends on its
key instead.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.ledger.codecs import format_entries, parse_log
from cuedeck.ledger.statements.statement_rows import (
    MOST,
    drop_rank,
    has_any,
    ids_of,
    is_forgotten,
    is_record,
    is_statement,
    is_turn_end,
    lacks_end,
    new_rows,
    parse_statement,
    record_mark,
    statement_id,
    tombstone,
    tombstone_everywhere,
    turn_end,
    turn_of,
    with_kinds,
)
from cuedeck.model.entry_node import LedgerEntry
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import SESSIONS
from cuedeck.model.statement import Statement
from cuedeck.store.files.append import appending
from cuedeck.store.files.disk import changed_at, names_in, read_generated, write_atomic
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.nofollow import PRIVATE, touch
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.text.timestamps import moment_of

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths


LOCK = "statements"
DAY_SESSION = "decisions-"
"""Beginning of the name of a session for facts of a day without a session of a host."""
_EVERY = "every.session"
"""Name of the file of tombstones that count for all sessions."""
_COMMITTED = "committed"
_IS_OF_TOOL = re.compile(rb'"speaker": "tool"').search


class StatementFiles:
    """The files of statements of a workspace."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._workspace = paths

    def paths(self) -> list[str]:
        """Return the workspace-relative paths of the files, sorted."""
        return statement_paths(self._workspace)

    def path(self, session: str) -> str:
        """Return the path of the file of a session."""
        return f"{SESSIONS}/{session}{ENDING}"

    def rows(self, path: str) -> Sequence[LedgerEntry]:
        """Return the rows of a file, in order; none if it is missing. Raises:
        StorageError.
        """
        place = self._workspace.absolute(path)
        data = read_generated(place) or b""
        return parse_log(data, path).entries

    def statements_of(self, session: str, turn: int) -> list[Statement]:
        """Return the statements of a turn, in order. Raises: StorageError."""
        path = self.path(session)
        values = (row.value for row in self.rows(path))
        return [
            parse_statement(value)
            for value in values
            if is_statement(value) and turn_of(value) == turn
        ]

    def uncommitted(self, path: str) -> Sequence[LedgerEntry]:
        """Return the rows of a file that no commit has read. Raises: StorageError."""
        rows = self.rows(path)
        ids = [row.id for row in rows]
        if _COMMITTED not in ids:
            return rows
        first = ids.index(_COMMITTED) + 1
        return rows[first:]

    def commit(self, path: str, read: Sequence[LedgerEntry]) -> None:
        """Mark rows of `uncommitted` as read; rows that came since are not. Raises:
        Locked, StorageError.
        """
        with locked(self._workspace, LOCK):
            unread = self.uncommitted(path)
            new = {row.id: row.value for row in unread}
            for row in read:
                if new.get(row.id) == row.value:
                    del new[row.id]
            kept = []
            for row in self.rows(path):
                if row.id not in new and row.id != _COMMITTED:
                    kept.append(dict(row.value))
            mark: dict[str, object] = {"id": _COMMITTED, "kind": _COMMITTED}
            self._replace(path, [*kept, mark, *map(dict, new.values())])

    def forgotten(self) -> frozenset[str]:
        """Return the ids of all forgotten statements. Raises: StorageError."""
        rows = (row for _, row in self._every_row())
        return frozenset(row.id for row in rows if is_forgotten(row.value))

    def ids(self) -> list[str]:
        """Return the ids of all statements, in the order of their files. Raises:
        StorageError.
        """
        rows = (row for _, row in self._every_row())
        return [row.id for row in rows if is_statement(row.value)]

    def find(self, identity: str) -> tuple[str, LedgerEntry]:
        """Return the path and the row of a statement. Raises: LookupError without it;
        StorageError.
        """
        for path, row in self._every_row():
            if row.id == identity and is_statement(row.value):
                return path, row
        raise LookupError(identity)

    def _every_row(self) -> Iterator[tuple[str, LedgerEntry]]:
        for path in self.paths():
            for row in self.rows(path):
                yield path, row

    def add(
        self, session: str, statements: Iterable[Statement], ended: int = 0
    ) -> list[str]:
        """Append the statements that the file of a session lacks; return their ids. A
        fact with a key replaces its earlier state, and a statement the message with its
        text in the same turn, whose kind only the whole turn shows.

        `ended` is the number of a turn that has ended, 0 for none; a turn without
        statements has no end. Statements are on disk when this returns. Raises: Locked,
        StorageError.
        """
        path = self.path(session)
        with locked(self._workspace, LOCK):
            rows = self.rows(path)
            remembered = self.remembered(session, statements)
            added = new_rows(session, rows, remembered)
            ids = list(added)
            values = [dict(row.value) for row in rows]
            kept = with_kinds(values, added)
            new = list(added.values())
            if ended and lacks_end(values, ended, has_new=bool(new)):
                end = turn_end(ended)
                new.append(end)
            read_at = self.changed_at(session)
            try:
                if kept != values:
                    self._replace(path, [*kept, *new])
                elif new:
                    self._append(path, new)
            except StorageError:
                # A failed append changes the time of the file.
                self.note_reading(session, read_at)
                raise
            if new:
                self._shrink(path)
        return ids

    def turn_with(self, session: str, statements: Iterable[Statement]) -> int:
        """Return the number of the last turn that has some of the statements; 0 without
        one. Raises: StorageError.
        """
        ids = ids_of(session, statements)
        rows = self.rows(self.path(session))
        return max((turn_of(row.value) for row in rows if row.id in ids), default=0)

    def count_new(self, session: str, statements: Iterable[Statement]) -> int:
        """Return how many statements `add` would append or replace."""
        rows = self.rows(self.path(session))
        return len(new_rows(session, rows, self.remembered(session, statements)))

    def remembered(
        self, session: str, statements: Iterable[Statement]
    ) -> list[Statement]:
        """Return the statements of a session without those that were forgotten there,
        or said in any session before they were forgotten: a host may copy a
        conversation into a new session. Raises: StorageError.
        """
        rows = self.rows(self.path(session))
        here = {row.id for row in rows if is_forgotten(row.value)}
        times = {}
        for row in self.rows(self.path(_EVERY)):
            written = row.value.get("timestamp")
            times[row.id] = moment_of(str(written))
        if not here and not times:
            return list(statements)
        kept = []
        for each in statements:
            name = each.key or each.text
            if statement_id(session, each.speaker, name) in here:
                continue
            everywhere = statement_id("", each.speaker, each.text)
            forgotten_at = times.get(everywhere)
            said_at = moment_of(each.timestamp)
            if forgotten_at is None or (said_at or forgotten_at) > forgotten_at:
                kept.append(each)
        return kept

    def open_turn(self, session: str, statements: Sequence[Statement]) -> int:
        """Return the number of the last turn, which has these statements; 0 if it has
        an end or a record, or if no hook wrote the file of the session before. Raises:
        StorageError.
        """
        path = self.path(session)
        rows = [row.value for row in self.rows(path)]
        if not rows or not statements:
            return 0
        turn = max(map(turn_of, rows))
        if not has_any(session, rows, statements):
            turn += 1
        for row in rows:
            if is_turn_end(row, turn) or is_record(row, turn):
                return 0
        return turn

    def note_record(self, session: str, turn: int) -> bool:
        """Note that a turn without an end gets a record; return whether no other
        process did. Raises: Locked, StorageError.
        """
        path = self.path(session)
        mark = record_mark(turn)
        with locked(self._workspace, LOCK):
            for row in self.rows(path):
                if row.id == mark["id"]:
                    return False
            self._append(path, [mark])
        return True

    def changed_at(self, session: str) -> float:
        """Return the time at which the file of a session was changed; 0 without it."""
        return changed_at(self._workspace.absolute(self.path(session)))

    def note_reading(self, session: str, seconds: float | None = None) -> None:
        """Note that a session has been read now, or at a time since the epoch, even if
        nothing was added.
        """
        with suppress(OSError):
            touch(self._workspace.absolute(self.path(session)), seconds)

    def add_unread(self, session: str, statements: Iterable[Statement]) -> list[str]:
        """Do as `add`, but the transcript of the session counts as read no later than
        before.
        """
        read_at = self.changed_at(session)
        added = self.add(session, statements)
        self.note_reading(session, read_at)
        return added

    def add_fact(self, session: str, fact: Statement) -> None:
        """Append a fact that is in no transcript to the last turn of a session. Raises:
        Locked, StorageError.
        """
        turns = [turn_of(row.value) for row in self.rows(self.path(session))]
        self.add_unread(session, [replace(fact, turn=max((1, *turns)))])

    def texts_of_tools(self, kind: str) -> frozenset[str]:
        """Return the texts of the facts of a kind.

        Other rows are left out before they are parsed. Raises: StorageError.
        """
        texts = set()
        for path in self.paths():
            place = self._workspace.absolute(path)
            data = read_generated(place) or b""
            lines = data.split(b"\n")
            of_tools = filter(_IS_OF_TOOL, lines)
            found = parse_log(b"\n".join(of_tools), path)
            for row in found.entries:
                value = row.value
                if value.get("kind") != kind:
                    continue
                text = str(value.get("text"))
                texts.add(text)
        return frozenset(texts)

    def remove_fact(self, key: str) -> None:
        """Remove a fact of a tool from all sessions, for good. Raises: Locked,
        StorageError.
        """
        found = set()
        for path in self.paths():
            session = os.path.basename(path).removesuffix(ENDING)
            identity = statement_id(session, "tool", key)
            data = read_generated(self._workspace.absolute(path)) or b""
            if identity.encode() in data:
                found.add(identity)
        if found:
            self.forget(found)

    def forget(self, identities: Collection[str]) -> int:
        """Remove statements, with a tombstone for each; return how many were removed.
        Raises: Locked, StorageError.
        """
        count = 0
        everywhere: list[dict[str, object]] = []
        with locked(self._workspace, LOCK):
            for path in self.paths():
                rows = [dict(row.value) for row in self.rows(path)]
                found = [row for row in rows if row.get("id") in identities]
                if not found:
                    continue
                count += len(found)
                everywhere += map(tombstone_everywhere, found)
                kept = [tombstone(row) if row in found else row for row in rows]
                self._replace(path, kept)
            if everywhere:
                self._append(self.path(_EVERY), everywhere)
        return count

    def _shrink(self, path: str) -> None:
        """Drop the oldest plain messages of a session with too many statements."""
        rows = [dict(row.value) for row in self.rows(path)]
        texts = [row for row in rows if row.get("text")]
        surplus = len(texts) - MOST
        if surplus < MOST // 10:
            return
        # A transcript that is read late adds old turns at the end.
        texts.sort(key=drop_rank)
        dropped = frozenset(row["id"] for row in texts[:surplus])
        kept = [row for row in rows if row.get("id") not in dropped]
        self._replace(path, kept)

    def _append(self, path: str, rows: Sequence[dict[str, object]]) -> None:
        with appending(self._workspace.absolute(path), PRIVATE) as file:
            file.add(format_entries(rows))

    def _replace(self, path: str, rows: Sequence[dict[str, object]]) -> None:
        place, data = self._workspace.absolute(path), format_entries(rows)
        write_atomic(place, data, os.path.dirname(place), private=True)


ENDING = ".statements.jsonl"


def statement_paths(paths: WorkspacePaths) -> list[str]:
    """Return the workspace-relative paths of the files, sorted. Raises:
    StorageError.
    """
    names = names_in(paths.absolute(SESSIONS))
    return [f"{SESSIONS}/{name}" for name in names if name.endswith(ENDING)]
