"""Rows of the files of statements: statements, ends of turns, records of turns without
an end, and tombstones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cuedeck.model.entry_node import LedgerEntry
from cuedeck.model.statement import Statement
from cuedeck.store.clock import local_now
from cuedeck.store.files.private_folder import keyed_hash

MOST = 200
"""Statements of a session; above it, plain messages are dropped first, rules and
choices of the user last, the oldest of a kind first.
"""
FORGOTTEN = "forgotten"
"""Kind of a tombstone."""
_ID_DIGITS = 12
_TURN_END, _RECORD = "turn-end", "turn-record"


def statement_id(session: str, speaker: str, text: str) -> str:
    """Return the id of a statement, which does not reveal its text. Raises:
    StorageError without a key.
    """
    name = f"{session}\0{speaker}\0{text}"
    return keyed_hash(name.encode("utf-8", "surrogatepass"))[:_ID_DIGITS]


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


def new_rows(
    session: str, rows: Iterable[LedgerEntry], statements: Iterable[Statement]
) -> dict[str, dict[str, object]]:
    """Return the rows of new statements by id, and of facts whose state has changed;
    none that a full file would drop again.
    """
    stored = {row.id: row.value for row in rows}
    texts = list(filter(is_statement, stored.values()))
    lowest = (0, 0)
    if len(texts) >= MOST:
        lowest = min(map(drop_rank, texts))
    new: dict[str, dict[str, object]] = {}
    for statement in statements:
        row = row_of(session, statement)
        if drop_rank(row) < lowest:
            continue
        identity = str(row["id"])
        before = new.get(identity, stored.get(identity))
        if before is None:
            new[identity] = row
        elif statement.key and is_statement(before):
            new.pop(identity, None)
            known = stored.get(identity, {})
            if known.get("text") != row["text"]:
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


def drop_rank(value: Mapping[str, object]) -> tuple[int, int]:
    """Return the order in which statements are dropped."""
    turn = turn_of(value)
    if value.get("kind") == "message":
        return 0, turn
    rank = 2 if value.get("speaker") == "user" else 1
    return rank, turn


def ids_of(session: str, statements: Iterable[Statement]) -> frozenset[str]:
    """Return the ids of statements of a session."""
    return frozenset(_id_of(session, each) for each in statements)


def _id_of(session: str, statement: Statement) -> str:
    name = statement.key or statement.text
    return statement_id(session, statement.speaker, name)


def row_of(session: str, statement: Statement) -> dict[str, object]:
    """Return the row of a statement."""
    row: dict[str, object] = {
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


def with_kinds(
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


def lacks_end(
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


def has_any(
    session: str, rows: Iterable[Mapping[str, object]], statements: Iterable[Statement]
) -> bool:
    """Return whether the rows of a session have one of the statements."""
    ids = ids_of(session, statements)
    return any(row.get("id") in ids for row in rows)


def turn_end(turn: int) -> dict[str, object]:
    """Return the row of the end of a turn."""
    return _mark(_TURN_END, turn)


def record_mark(turn: int) -> dict[str, object]:
    """Return the row that notes the record of a turn."""
    return _mark(_RECORD, turn)


def _mark(kind: str, turn: int) -> dict[str, object]:
    return {"id": f"{kind}-{turn}", "turn": turn, "kind": kind}


def is_forgotten(value: Mapping[str, object]) -> bool:
    """Return whether a row is a tombstone."""
    return value.get("kind") == FORGOTTEN


def tombstone_everywhere(row: Mapping[str, object]) -> dict[str, object]:
    """Return the tombstone of a text for all sessions, until somebody says it again."""
    speaker = str(row.get("speaker"))
    text = str(row.get("text"))
    return {
        "id": statement_id("", speaker, text),
        "timestamp": local_now().isoformat(timespec="milliseconds"),
        "kind": FORGOTTEN,
    }


def tombstone(row: Mapping[str, object]) -> dict[str, object]:
    """Return the tombstone of a statement in its session."""
    return {"id": row["id"], "turn": row.get("turn", 0), "kind": FORGOTTEN}
