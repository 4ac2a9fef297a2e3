"""Session files: reads four historical formats, writes one.

The formats differ in the spelling of keys, in the working set (object or list) and in
decisions (title or text). Unknown keys are kept unchanged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from cuedeck.model.session import (
    SCHEMA,
    Checkpoint,
    Chosen,
    Item,
    Note,
    Role,
    Session,
    State,
    WorkingFile,
)
from cuedeck.text.json_text import load_json, string_of

_SPELLINGS = {
    "id": ("sessionId", "session_id", "workflowId"),
    "created_at": ("createdAt", "start_time", "startedAt"),
    "last_access": ("lastAccess", "last_access", "lastUpdate"),
    "workflow": ("workflow",),
    "current_step": ("currentStep", "current_step"),
    "working_set": ("workingSet", "working_set"),
    "decisions": ("decisions",),
    "context_checksum": ("contextChecksum", "context_checksum"),
    "card": ("card",),
    "title": ("title",),
    "status": ("status",),
    "progress": ("progress",),
    "notes": ("notes",),
    "next": ("next",),
    "branch": ("branch",),
    "commit": ("commit",),
    "attempts": ("attempts",),
    "checkpoints": ("checkpoints",),
    "receipt": ("receipt",),
    "shown": ("shown",),
    "dirty": ("dirty",),
}
"""Field to its key spellings in all formats; the first one is written."""
_JSON = json.JSONEncoder(ensure_ascii=False)
_KNOWN = {spelling for spellings in _SPELLINGS.values() for spelling in spellings} | {
    "schema"
}


def parse_session(data: bytes) -> Session:
    """Parse a session in any format. Raises: ValueError if it is not a JSON object or
    has no id.
    """
    value = load_json(data)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    found = {name: _first(value, spellings) for name, spellings in _SPELLINGS.items()}
    identity = found["id"]
    if not isinstance(identity, str) or not identity:
        raise ValueError("it has no sessionId")
    created = string_of(found["created_at"])
    return Session(
        id=identity,
        created_at=created,
        last_access=string_of(found["last_access"]) or created,
        workflow=string_of(found["workflow"]),
        current_step=_step(found["current_step"], value),
        working_set=_working_set(found["working_set"]),
        decisions=tuple(_rows(found["decisions"], _chosen)),
        context_checksum=string_of(found["context_checksum"]),
        card=string_of(found["card"]),
        title=string_of(found["title"]),
        status=_status(found["status"]),
        progress=tuple(_rows(found["progress"], _item)),
        notes=tuple(_rows(found["notes"], _note)),
        next=string_of(found["next"]),
        branch=string_of(found["branch"]),
        commit=string_of(found["commit"]),
        attempts=_texts(found["attempts"]),
        checkpoints=tuple(_rows(found["checkpoints"], _checkpoint)),
        receipt=string_of(found["receipt"]),
        shown=_hashes(found["shown"]),
        dirty=_hashes(found["dirty"]),
        rest={key: each for key, each in value.items() if key not in _KNOWN},
    )


def format_session(session: Session) -> bytes:
    """Return the content of the session file."""
    value = {
        "schema": SCHEMA,
        "sessionId": session.id,
        "createdAt": session.created_at,
        "lastAccess": session.last_access,
        "workflow": session.workflow,
        "currentStep": session.current_step,
        "card": session.card,
        "title": session.title,
        "status": session.status,
        "branch": session.branch,
        "commit": session.commit,
        "next": session.next,
        "progress": [each._asdict() for each in session.progress],
        "notes": [each._asdict() for each in session.notes],
        "workingSet": {
            path: each._asdict() for path, each in session.working_set.items()
        },
        "decisions": [each._asdict() for each in session.decisions],
        "attempts": session.attempts,
        "checkpoints": [each._asdict() for each in session.checkpoints],
        "receipt": session.receipt,
        "shown": session.shown,
        "dirty": session.dirty,
        "contextChecksum": session.context_checksum,
        **session.rest,
    }
    rows = [f" {_JSON.encode(key)}: {_laid_out(each)}" for key, each in value.items()]
    text = ",\n".join(rows)
    return f"{{\n{text}\n}}\n".encode("utf-8", "replace")


def _laid_out(value: Any) -> str:
    """Return JSON with each item of a container on its own line; `json.dumps(indent=…)`
    takes ten times as long.
    """
    if isinstance(value, Mapping) and value:
        rows = []
        for key, each in value.items():
            rows.append(f"  {_JSON.encode(key)}: {_JSON.encode(each)}")
        text = ",\n".join(rows)
        return f"{{\n{text}\n }}"
    if isinstance(value, list | tuple) and value:
        rows = [f"  {_JSON.encode(each)}" for each in value]
        text = ",\n".join(rows)
        return f"[\n{text}\n ]"
    return _JSON.encode(value)


def _first(value: Mapping[str, Any], spellings: tuple[str, ...]) -> Any:
    for spelling in spellings:
        if spelling in value:
            return value[spelling]
    return None


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(each for each in value if isinstance(each, str))


def _hashes(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {path: each for path, each in value.items() if isinstance(each, str)}


def _rows(value: Any, read: Callable[[Mapping[str, Any]], Any]) -> list[Any]:
    rows = value if isinstance(value, list) else []
    found = (read(row) for row in rows if isinstance(row, dict))
    return [each for each in found if each is not None]


def _step(value: Any, whole: Mapping[str, Any]) -> int:
    """Return the number of the current step; a step given by name is looked up in
    `steps`.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return max(value, 0)
    if not isinstance(value, str):
        return 0
    steps = whole.get("steps")
    if isinstance(steps, dict) and value in steps:
        return list(steps).index(value) + 1
    if value.isascii() and value.isdigit():
        return int(value)
    return 0


def _status(value: Any) -> Literal["open", "closed"]:
    """Return `closed` for every word that the historical formats use for it, else
    `open`.
    """
    if value in ("closed", "completed", "done", "archived", "cancelled"):
        return "closed"
    return "open"


def _role(value: Any) -> Role:
    roles: dict[str, Role] = {"write": "write", "both": "both"}
    return roles.get(string_of(value).lower(), "read")


def _working_set(value: Any) -> dict[str, WorkingFile]:
    if isinstance(value, dict):
        pairs = [(path, row) for path, row in value.items() if isinstance(row, dict)]
    else:
        pairs = [(row.get("path"), row) for row in _rows(value, lambda row: row)]
    files: dict[str, WorkingFile] = {}
    for path, row in pairs:
        if isinstance(path, str) and path:
            files[path] = WorkingFile(
                string_of(row.get("hash")),
                _role(row.get("role")),
                string_of(row.get("timestamp")),
            )
    return files


def _chosen(row: Mapping[str, Any]) -> Chosen | None:
    title = string_of(row.get("title")) or string_of(row.get("decision"))
    if not title:
        return None
    step = row.get("step")
    number = step if isinstance(step, int) else 0
    return Chosen(
        string_of(row.get("id")), title, string_of(row.get("timestamp")), number
    )


def _item(row: Mapping[str, Any]) -> Item | None:
    states: dict[str, State] = {"done": "done", "doing": "doing", "todo": "todo"}
    state = states.get(string_of(row.get("state")))
    text = string_of(row.get("text"))
    if state is None or not text:
        return None
    return Item(text, state, string_of(row.get("timestamp")))


def _note(row: Mapping[str, Any]) -> Note | None:
    text = string_of(row.get("text"))
    if not text:
        return None
    return Note(text, string_of(row.get("timestamp")))


def _checkpoint(row: Mapping[str, Any]) -> Checkpoint:
    files = row.get("written", row.get("filesCommitted"))
    return Checkpoint(
        timestamp=string_of(row.get("timestamp")),
        written=_texts(files),
        checked=_texts(row.get("checked")),
        decisions=_texts(row.get("decisions")),
        commits=_texts(row.get("commits")),
        text=string_of(row.get("text")),
        done=_texts(row.get("done")),
        doing=_texts(row.get("doing")),
        todo=_texts(row.get("todo")),
    )
