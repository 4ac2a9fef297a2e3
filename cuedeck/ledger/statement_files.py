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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.ledger.codecs import format_entries, parse_log
from cuedeck.model.entry_node import LedgerEntry
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import SESSIONS
from cuedeck.model.statement import Statement
from cuedeck.store.clock import local_now
from cuedeck.store.files.append import appending
from cuedeck.store.files.disk import changed_at, names_in, read_generated, write_atomic
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.nofollow import PRIVATE, touch
from cuedeck.store.files.private_folder import keyed_hash
from cuedeck.text.timestamps import moment_of

if TYPE_CHECKING:
    from cuedeck.model.ports import Json
    from cuedeck.store.workspace_paths import WorkspacePaths

LOCK = "statements"
ENDING = ".statements.jsonl"
DAY_SESSION = "decisions-"
"""Beginning of the name of a session for facts of a day without a session of a host."""
MOST = 200
"""Statements of a session; above it, plain messages are dropped first, rules and
choices of the user last, the oldest of a kind first.
"""
_EVERY = "every.session"
"""Name of the file of tombstones that count for all sessions."""
_COMMITTED, _FORGOTTEN = "committed", "forgotten"
_TURN_END, _RECORD = "turn-end", "turn-record"
_ID_DIGITS = 12

Values = Mapping[str, Any]
"""The values of a row."""


class Turns(NamedTuple):
    """Numbers of the turns of a session."""

    last: int
    """0 without a turn."""
    ended: frozenset[int]
    recorded: frozenset[int]
    """Turns without an end that have a record."""


class StatementFiles:
    """The files of statements of a workspace."""

    def __init__(self, paths: WorkspacePaths) -> None:
        self._paths = paths

    def paths(self) -> list[str]:
        """Return the workspace-relative paths of the files, sorted."""
        return statement_paths(self._paths)

    def path(self, session: str) -> str:
        """Return the path of the file of a session."""
        return f"{SESSIONS}/{session}{ENDING}"

    def rows(self, path: str) -> Sequence[LedgerEntry]:
        """Return the rows of a file, in order; none if it is missing. Raises:
        StorageError.
        """
        data = read_generated(self._paths.absolute(path)) or b""
        return parse_log(data, path).entries

    def statements(self) -> Iterator[tuple[str, LedgerEntry]]:
        """Yield the statements of all files with their paths. Raises: StorageError."""
        for path in self.paths():
            for row in self.rows(path):
                if is_statement(row.value):
                    yield path, row

    def _values(self, path: str) -> dict[str, Values]:
        return {row.id: row.value for row in self.rows(path)}

    def turns(self, session: str) -> Turns:
        """Return the turns of a session. Raises: StorageError."""
        rows = self._values(self.path(session)).values()

        def having(kind: str) -> frozenset[int]:
            return frozenset(turn_of(row) for row in rows if row.get("kind") == kind)

        last = max(map(turn_of, rows), default=0)
        return Turns(last, having(_TURN_END), having(_RECORD))

    def statements_of(self, session: str, turn: int) -> list[Statement]:
        """Return the statements of a turn, in order. Raises: StorageError."""
        rows = filter(is_statement, self._values(self.path(session)).values())
        return [parse_statement(row) for row in rows if turn_of(row) == turn]

    def turn_with(self, session: str, statements: Iterable[Statement]) -> int:
        """Return the number of the last turn that has some of the statements; 0 without
        one. Raises: StorageError.
        """
        rows = self._values(self.path(session))
        ids = {_id_of(session, each) for each in statements}
        return max((turn_of(rows[each]) for each in ids if each in rows), default=0)

    def uncommitted(self, path: str) -> Sequence[LedgerEntry]:
        """Return the rows of a file that no commit has read. Raises: StorageError."""
        rows = self.rows(path)
        ids = [row.id for row in rows]
        return rows[ids.index(_COMMITTED) + 1 :] if _COMMITTED in ids else rows

    def commit(self, path: str, read: Sequence[LedgerEntry]) -> None:
        """Mark rows of `uncommitted` as read; rows that came since are not. Raises:
        Locked, StorageError.
        """
        done = {row.id: row.value for row in read}
        with locked(self._paths, LOCK):
            rows = self._values(path)
            unread = [row.id for row in self.uncommitted(path)]
            new = [rows[each] for each in unread if done.get(each) != rows[each]]
            kept = [row for row in rows.values() if row not in new]
            kept = [row for row in kept if row["id"] != _COMMITTED]
            self._replace(path, [*kept, {"id": _COMMITTED, "kind": _COMMITTED}, *new])

    def find(self, identity: str) -> tuple[str, LedgerEntry]:
        """Return the path and the row of a statement. Raises: LookupError without it;
        StorageError.
        """
        for path, row in self.statements():
            if row.id == identity:
                return path, row
        raise LookupError(identity)

    def ids(self) -> list[str]:
        """Return the ids of all statements, in the order of their files. Raises:
        StorageError.
        """
        return [row.id for _, row in self.statements()]

    def forgotten(self) -> frozenset[str]:
        """Return the ids of all forgotten statements. Raises: StorageError."""
        rows = [row for path in self.paths() for row in self.rows(path)]
        return frozenset(row.id for row in rows if row.value.get("kind") == _FORGOTTEN)

    def add(
        self,
        session: str,
        statements: Iterable[Statement],
        ended: int = 0,
        *,
        is_read: bool = True,
    ) -> list[str]:
        """Append the statements that the file of a session lacks; return their ids. A
        fact with a key replaces its earlier state, and a statement the message with its
        text in the same turn, whose kind only the whole turn shows.

        `ended` is the number of a turn that has ended, 0 for none; a turn without
        statements has no end. Unless `is_read`, the transcript of the session counts as
        read no later than before. Statements are on disk when this returns. Raises:
        Locked, StorageError.
        """
        path = self.path(session)
        with locked(self._paths, LOCK):
            rows = self._values(path)
            new = _new_rows(session, rows, self.remembered(session, statements))
            merged = {}
            for identity, row in rows.items():
                if identity not in new or row.get("kind") == "message":
                    merged[identity] = new.get(identity, row)
            merged |= new
            turns = {ended} if new else set(map(turn_of, merged.values()))
            if ended and ended in turns:
                end = _mark(_TURN_END, ended)
                merged.setdefault(str(end["id"]), end)
            read_at = self.changed_at(session)
            try:
                self._write(path, list(rows.values()), _shrunk(merged))
            except StorageError:
                # A failed append changes the time of the file.
                self.note_reading(session, read_at)
                raise
        if not is_read:
            self.note_reading(session, read_at)
        return list(new)

    def add_fact(self, session: str, fact: Statement) -> None:
        """Append a fact that is in no transcript to the last turn of a session. Raises:
        Locked, StorageError.
        """
        turn = max(1, self.turns(session).last)
        self.add(session, [replace(fact, turn=turn)], is_read=False)

    def count_new(self, session: str, statements: Iterable[Statement]) -> int:
        """Return how many statements `add` would append or replace."""
        rows = self._values(self.path(session))
        return len(_new_rows(session, rows, self.remembered(session, statements)))

    def remembered(
        self, session: str, statements: Iterable[Statement]
    ) -> list[Statement]:
        """Return the statements of a session without those that were forgotten there,
        or said in any session before they were forgotten: a host may copy a
        conversation into a new session. Raises: StorageError.
        """
        rows = self._values(self.path(session))
        every = self._values(self.path(_EVERY))
        kept = []
        for each in statements:
            here = rows.get(_id_of(session, each), {})
            everywhere = every.get(statement_id("", each.speaker, each.text))
            if here.get("kind") == _FORGOTTEN:
                continue
            if everywhere is not None:
                forgotten_at = moment_of(str(everywhere.get("timestamp")))
                said_at = moment_of(each.timestamp) or forgotten_at
                if forgotten_at and said_at and said_at <= forgotten_at:
                    continue
            kept.append(each)
        return kept

    def open_turn(self, session: str, statements: Sequence[Statement]) -> int:
        """Return the number of the last turn, which has these statements; 0 if it has
        an end or a record, or if no hook wrote the file of the session before. Raises:
        StorageError.
        """
        turns = self.turns(session)
        turn = turns.last
        if not turn or not statements:
            return 0
        if not self.turn_with(session, statements):
            turn += 1
        return 0 if turn in turns.ended | turns.recorded else turn

    def note_record(self, session: str, turn: int) -> bool:
        """Note that a turn without an end gets a record; return whether no other
        process did. Raises: Locked, StorageError.
        """
        path = self.path(session)
        mark = _mark(_RECORD, turn)
        with locked(self._paths, LOCK):
            rows = list(self._values(path).values())
            if mark in rows:
                return False
            self._write(path, rows, [*rows, mark])
        return True

    def changed_at(self, session: str) -> float:
        """Return the time at which the file of a session was changed; 0 without it."""
        return changed_at(self._paths.absolute(self.path(session)))

    def note_reading(self, session: str, seconds: float | None = None) -> None:
        """Note that a session has been read now, or at a time since the epoch, even if
        nothing was added.
        """
        with suppress(OSError):
            touch(self._paths.absolute(self.path(session)), seconds)

    def remove_facts(self, keys: Iterable[str]) -> None:
        """Remove facts of tools from all sessions, for good. Raises: Locked,
        StorageError.
        """
        found = set()
        wanted = list(keys)
        for path in self.paths():
            session = os.path.basename(path).removesuffix(ENDING)
            ids = {statement_id(session, "tool", key) for key in wanted}
            data = read_generated(self._paths.absolute(path)) or b""
            if any(each.encode() in data for each in ids):
                rows = self._values(path)
                found |= {each for each in ids if is_statement(rows.get(each, {}))}
        if found:
            self.forget(found)

    def forget(self, identities: Collection[str]) -> int:
        """Remove statements, with a tombstone for each; return how many were removed.
        Raises: Locked, StorageError.
        """
        everywhere = []
        count = 0
        now = local_now().isoformat(timespec="milliseconds")
        with locked(self._paths, LOCK):
            for path in self.paths():
                rows = self._values(path)
                found = [row for row in rows.values() if row["id"] in identities]
                found = list(filter(is_statement, found))
                for row in found:
                    rows[row["id"]] = _tombstone(row["id"], turn=turn_of(row))
                    identity = statement_id("", str(row.get("speaker")), row["text"])
                    everywhere.append(_tombstone(identity, timestamp=now))
                if found:
                    self._replace(path, rows.values())
                count += len(found)
            self._write(self.path(_EVERY), [], everywhere)
        return count

    def _write(
        self,
        path: str,
        old: Sequence[Values],
        new: Sequence[Values],
    ) -> None:
        """Write the rows of a file that has the old ones: append them if these are
        first.
        """
        if new[: len(old)] != old:
            self._replace(path, new)
        elif len(new) > len(old):
            with appending(self._paths.absolute(path), PRIVATE) as file:
                file.add(format_entries(new[len(old) :]))

    def _replace(self, path: str, rows: Iterable[Values]) -> None:
        place, data = self._paths.absolute(path), format_entries(list(rows))
        write_atomic(place, data, os.path.dirname(place), private=True)


def statement_paths(paths: WorkspacePaths) -> list[str]:
    """Return the workspace-relative paths of the files, sorted. Raises:
    StorageError.
    """
    names = names_in(paths.absolute(SESSIONS))
    return [f"{SESSIONS}/{name}" for name in names if name.endswith(ENDING)]


def statement_id(session: str, speaker: str, text: str) -> str:
    """Return the id of a statement, which does not reveal its text. Raises:
    StorageError without a key.
    """
    name = f"{session}\0{speaker}\0{text}"
    return keyed_hash(name.encode("utf-8", "surrogatepass"))[:_ID_DIGITS]


def _id_of(session: str, statement: Statement) -> str:
    return statement_id(session, statement.speaker, statement.key or statement.text)


def is_statement(row: Values) -> bool:
    """Return whether a row is a statement."""
    return isinstance(row.get("text"), str) and bool(row["text"])


def parse_statement(row: Values) -> Statement:
    """Return the statement in a row; the names of its files are left out."""
    speaker = row.get("speaker")
    return Statement(
        kind=str(row.get("kind", "")),
        speaker=speaker if speaker in ("user", "tool") else "agent",
        text=str(row.get("text", "")),
        turn=turn_of(row),
        timestamp=str(row.get("timestamp", "")),
    )


def turn_of(row: Values) -> int:
    """Return the number of the turn of a row; 0 without one."""
    turn = row.get("turn", 0)
    return turn if isinstance(turn, int) else 0


def _new_rows(
    session: str, stored: Mapping[str, Values], statements: Iterable[Statement]
) -> dict[str, Values]:
    """Return the rows of new statements by id, of facts whose state has changed, and of
    messages that have a kind now; none that a full file would drop again.
    """
    texts = list(filter(is_statement, stored.values()))
    lowest = min(map(_drop_rank, texts)) if len(texts) >= MOST else (0, 0)
    new: dict[str, Values] = {}
    for statement in statements:
        row: Values = _row_of(session, statement)
        identity = row["id"]
        before = new.get(identity, stored.get(identity, {}))
        is_plain = before.get("kind") == "message" != statement.kind
        is_sharper = is_plain and turn_of(before) == statement.turn
        is_changed = bool(statement.key) and is_statement(before)
        if _drop_rank(row) >= lowest and (not before or is_sharper or is_changed):
            if statement.key:
                new.pop(identity, None)
            new[identity] = row
    changed: dict[str, Values] = {}
    for identity, row in new.items():
        before = stored.get(identity, {})
        if (before.get("text"), before.get("kind")) != (row["text"], row["kind"]):
            changed[identity] = row
    return changed


def _row_of(session: str, statement: Statement) -> Json:
    row: Json = {
        "id": _id_of(session, statement),
        "timestamp": statement.timestamp,
        "turn": statement.turn,
        "kind": statement.kind,
        "speaker": statement.speaker,
        "text": statement.text,
    }
    if statement.files:
        row["files"] = list(statement.files)
    return row


def _drop_rank(row: Values) -> tuple[int, int]:
    if row.get("kind") == "message":
        return 0, turn_of(row)
    return (2 if row.get("speaker") == "user" else 1), turn_of(row)


def _shrunk(rows: Mapping[str, Values]) -> list[Values]:
    """Return the rows of a session; of too many statements without the oldest plain
    messages.
    """
    texts = list(filter(is_statement, rows.values()))
    surplus = len(texts) - MOST
    if surplus < MOST // 10:
        return list(rows.values())
    # A transcript that is read late adds old turns at the end.
    texts.sort(key=_drop_rank)
    dropped = {row["id"] for row in texts[:surplus]}
    return [row for identity, row in rows.items() if identity not in dropped]


def _mark(kind: str, turn: int) -> Values:
    return {"id": f"{kind}-{turn}", "turn": turn, "kind": kind}


def _tombstone(identity: str, **values: Any) -> Values:
    return {"id": identity, **values, "kind": _FORGOTTEN}
