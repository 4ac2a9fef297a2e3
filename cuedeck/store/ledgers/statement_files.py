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
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from cuedeck.model.errors import StorageError
from cuedeck.model.ledger_entry import LedgerEntry
from cuedeck.model.paths import SESSIONS
from cuedeck.model.statement import Statement
from cuedeck.parse.jsonl_ledger import format_entries, parse_ledger
from cuedeck.parse.timestamps import moment_of
from cuedeck.store.clock import local_now
from cuedeck.store.fs.append import appending
from cuedeck.store.fs.disk import changed_at, read_generated, write_atomic
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.fs.nofollow import PRIVATE, touch
from cuedeck.store.fs.private_folder import keyed_hash
from cuedeck.store.ledgers.statement_paths import ENDING, statement_paths
from cuedeck.store.workspace_paths import WorkspacePaths

LOCK = "statements"
MOST = 200
"""Statements of a session; above it, plain messages are dropped first, rules and
choices of the user last, the oldest of a kind first.
"""
DAY_SESSION = "decisions-"
"""Beginning of the name of a session for facts of a day without a session of a host."""
_ID_DIGITS = 12
_TURN_END, _RECORD = "turn-end", "turn-record"
FORGOTTEN = "forgotten"
"""Kind of a tombstone."""
_EVERY = "every.session"
"""Name of the file of tombstones that count for all sessions."""
_COMMITTED = "committed"
_IS_OF_TOOL = re.compile(rb'"speaker": "tool"').search


class StatementFiles:
    """The files of statements of a workspace."""

    def __init__(self, workspace: WorkspacePaths) -> None:
        self._workspace = workspace

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
        data = read_generated(self._workspace.absolute(path)) or b""
        return parse_ledger(data, path).entries

    def statements_of(self, session: str, turn: int) -> list[Statement]:
        """Return the statements of a turn, in order. Raises: StorageError."""
        return [
            parse_statement(row.value)
            for row in self.rows(self.path(session))
            if is_statement(row.value) and turn_of(row.value) == turn
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
            rows = self.rows(path)
            others = [row for row in rows if row.id not in new]
            kept = [dict(row.value) for row in others if row.id != _COMMITTED]
            mark: dict[str, object] = {
                "id": _COMMITTED,
                "kind": _COMMITTED,
            }
            rest = map(dict, new.values())
            self._replace(path, [*kept, mark, *rest])

    def forgotten(self) -> frozenset[str]:
        """Return the ids of all forgotten statements. Raises: StorageError."""
        found: set[str] = set()
        for path in self.paths():
            for row in self.rows(path):
                if _is_forgotten(row.value):
                    found.add(row.id)
        return frozenset(found)

    def ids(self) -> list[str]:
        """Return the ids of all statements, in the order of their files. Raises:
        StorageError.
        """
        return [
            row.id
            for path in self.paths()
            for row in self.rows(path)
            if is_statement(row.value)
        ]

    def find(self, identity: str) -> tuple[str, LedgerEntry]:
        """Return the path and the row of a statement. Raises: LookupError without it;
        StorageError.
        """
        for path in self.paths():
            for row in self.rows(path):
                if row.id == identity and is_statement(row.value):
                    return path, row
        raise LookupError(identity)

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
            added = _new_rows(session, rows, self.remembered(session, statements))
            ids = list(added)
            values = [dict(row.value) for row in rows]
            kept = _with_kinds(values, added)
            new = list(added.values())
            if ended and _lacks_end(values, ended, has_new=bool(new)):
                end = _mark(_TURN_END, ended)
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
        ids = {_row(session, each)["id"] for each in statements}
        rows = self.rows(self.path(session))
        return max((turn_of(row.value) for row in rows if row.id in ids), default=0)

    def count_new(self, session: str, statements: Iterable[Statement]) -> int:
        """Return how many statements `add` would append or replace."""
        rows = self.rows(self.path(session))
        return len(_new_rows(session, rows, self.remembered(session, statements)))

    def remembered(
        self, session: str, statements: Iterable[Statement]
    ) -> list[Statement]:
        """Return the statements of a session without those that were forgotten there,
        or said in any session before they were forgotten: a host may copy a
        conversation into a new session. Raises: StorageError.
        """
        path = self.path(session)
        here = {row.id for row in self.rows(path) if _is_forgotten(row.value)}
        times = {}
        for row in self.rows(self.path(_EVERY)):
            times[row.id] = moment_of(str(row.value.get("timestamp")))
        if not here and not times:
            return list(statements)
        kept = []
        for each in statements:
            name = each.key or each.text
            if statement_id(session, each.speaker, name) in here:
                continue
            forgotten_at = times.get(statement_id("", each.speaker, each.text))
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
        if not _has_any(session, rows, statements):
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
        mark = _mark(_RECORD, turn)
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
        path = self.path(session)
        turns = [1]
        for row in self.rows(path):
            turns.append(turn_of(row.value))
        last = max(turns)
        placed = replace(fact, turn=last)
        self.add_unread(session, [placed])

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
            found = parse_ledger(b"\n".join(of_tools), path)
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
            name = os.path.basename(path)
            session = name.removesuffix(ENDING)
            identity = statement_id(session, "tool", key)
            place = self._workspace.absolute(path)
            data = read_generated(place) or b""
            written = identity.encode()
            if written in data:
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
                everywhere += map(_tombstone_everywhere, found)
                kept = [_tombstone(row) if row in found else row for row in rows]
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
        texts.sort(key=_rank)
        dropped = frozenset(row["id"] for row in texts[:surplus])
        self._replace(path, [row for row in rows if row.get("id") not in dropped])

    def _append(self, path: str, rows: Sequence[dict[str, object]]) -> None:
        with appending(self._workspace.absolute(path), PRIVATE) as file:
            file.add(format_entries(rows))

    def _replace(self, path: str, rows: Sequence[dict[str, object]]) -> None:
        place = self._workspace.absolute(path)
        write_atomic(place, format_entries(rows), os.path.dirname(place), private=True)


def statement_id(session: str, speaker: str, text: str) -> str:
    """Return the id of a statement, which does not reveal its text. Raises:
    StorageError without a key.
    """
    data = f"{session}\0{speaker}\0{text}".encode("utf-8", "surrogatepass")
    return keyed_hash(data)[:_ID_DIGITS]


def is_statement(value: Mapping[str, object]) -> bool:
    """Return whether a row is a statement."""
    return isinstance(value.get("text"), str) and bool(value.get("text"))


def parse_statement(value: Mapping[str, object]) -> Statement:
    """Return the statement in a row; the names of its files are left out."""
    speaker = value.get("speaker")
    return Statement(
        kind=str(value.get("kind", "")),
        speaker=speaker if speaker in ("user", "tool") else "agent",
        text=str(value.get("text", "")),
        turn=turn_of(value),
        timestamp=str(value.get("timestamp", "")),
    )


def is_turn_end(value: Mapping[str, object], turn: int = 0) -> bool:
    """Return whether a row is the end of a turn; of this one, if given."""
    is_end = value.get("kind") == _TURN_END
    return is_end and (not turn or turn_of(value) == turn)


def is_record(value: Mapping[str, object], turn: int) -> bool:
    """Return whether a row notes that a turn without an end has a record."""
    return value.get("kind") == _RECORD and turn_of(value) == turn


def _new_rows(
    session: str, rows: Iterable[LedgerEntry], statements: Iterable[Statement]
) -> dict[str, dict[str, object]]:
    """Return the rows of new statements by id, and of facts whose state has changed;
    none that a full file would drop again.
    """
    stored = {row.id: row.value for row in rows}
    texts = [value for value in stored.values() if is_statement(value)]
    lowest = min(map(_rank, texts)) if len(texts) >= MOST else (0, 0)
    new: dict[str, dict[str, object]] = {}
    for statement in statements:
        row = _row(session, statement)
        if _rank(row) < lowest:
            continue
        identity = str(row["id"])
        before = new.get(identity, stored.get(identity))
        if before is None:
            new[identity] = row
        elif statement.key and is_statement(before):
            new.pop(identity, None)
            if stored.get(identity, {}).get("text") != row["text"]:
                new[identity] = row
        elif _is_sharper(statement, before):
            new[identity] = row
    return new


def _is_sharper(statement: Statement, before: Mapping[str, object]) -> bool:
    """Return whether a statement has a kind where the stored one of its turn, with the
    same text, is a plain message.
    """
    is_plain = before.get("kind") == "message" != statement.kind
    return is_plain and turn_of(before) == statement.turn


def turn_of(value: Mapping[str, object]) -> int:
    """Return the number of the turn of a row; 0 without one."""
    turn = value.get("turn", 0)
    return turn if isinstance(turn, int) else 0


def _rank(value: Mapping[str, object]) -> tuple[int, int]:
    """Return the order in which statements are dropped."""
    if value.get("kind") == "message":
        return 0, turn_of(value)
    return 2 if value.get("speaker") == "user" else 1, turn_of(value)


def _row(session: str, statement: Statement) -> dict[str, object]:
    name = statement.key or statement.text
    row: dict[str, object] = {
        "id": statement_id(session, statement.speaker, name),
        "timestamp": statement.timestamp,
        "turn": statement.turn,
        "kind": statement.kind,
        "speaker": statement.speaker,
        "text": statement.text,
    }
    if statement.files:
        row["files"] = list(statement.files)
    return row


def _with_kinds(
    rows: Iterable[dict[str, object]], added: dict[str, dict[str, object]]
) -> list[dict[str, object]]:
    """Return the rows of a file without those that new rows replace; a new row that
    gives a message its kind is moved from `added` to the place of the message.
    """
    kept = []
    for row in rows:
        identity = str(row["id"])
        if identity not in added:
            kept.append(row)
        elif row.get("kind") == "message":
            new = added.pop(identity)
            kept.append(new)
    return kept


def _lacks_end(
    rows: Iterable[Mapping[str, object]], turn: int, *, has_new: bool
) -> bool:
    """Return whether a turn with statements has no end."""
    is_told = has_new
    for row in rows:
        if is_turn_end(row, turn):
            return False
        if turn_of(row) == turn:
            is_told = True
    return is_told


def _has_any(
    session: str,
    rows: Iterable[Mapping[str, object]],
    statements: Iterable[Statement],
) -> bool:
    """Return whether the rows of a session have one of the statements."""
    ids = set()
    for row in rows:
        ids.add(row.get("id"))
    for statement in statements:
        row = _row(session, statement)
        identity = row["id"]
        if identity in ids:
            return True
    return False


def _mark(kind: str, turn: int) -> dict[str, object]:
    return {"id": f"{kind}-{turn}", "turn": turn, "kind": kind}


def _is_forgotten(value: Mapping[str, object]) -> bool:
    return value.get("kind") == FORGOTTEN


def _tombstone_everywhere(row: Mapping[str, object]) -> dict[str, object]:
    """Return the tombstone of a text for all sessions, until somebody says it again."""
    speaker, text = str(row.get("speaker")), str(row.get("text"))
    return {
        "id": statement_id("", speaker, text),
        "timestamp": local_now().isoformat(timespec="milliseconds"),
        "kind": FORGOTTEN,
    }


def _tombstone(row: Mapping[str, object]) -> dict[str, object]:
    return {
        "id": row["id"],
        "turn": row.get("turn", 0),
        "kind": FORGOTTEN,
    }
