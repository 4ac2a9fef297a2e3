"""JSON of session files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

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

_JSON = json.JSONEncoder(ensure_ascii=False)


def parse_session(data: bytes) -> Session:
    """Parse a session. Values of the wrong type are left out; unknown keys are kept.
    Raises: ValueError if it is not a JSON object or has no id.
    """
    value = load_json(data)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    rest = dict(value)
    rest.pop("schema", None)

    def take(key: str) -> Any:
        return rest.pop(key, None)

    def text(key: str) -> str:
        return string_of(take(key))

    identity = take("sessionId")
    if not isinstance(identity, str) or not identity:
        raise ValueError("it has no sessionId")
    step = take("currentStep")
    is_number = isinstance(step, int) and not isinstance(step, bool)
    created = text("createdAt")
    return Session(
        id=identity,
        created_at=created,
        last_access=text("lastAccess") or created,
        workflow=text("workflow"),
        current_step=max(step, 0) if is_number else 0,
        working_set=_working_set(take("workingSet")),
        decisions=_rows(take("decisions"), _chosen),
        context_checksum=text("contextChecksum"),
        card=text("card"),
        title=text("title"),
        status="closed" if text("status") == "closed" else "open",
        progress=_rows(take("progress"), _item),
        notes=_rows(take("notes"), _note),
        next=text("next"),
        branch=text("branch"),
        commit=text("commit"),
        attempts=_texts(take("attempts")),
        checkpoints=_rows(take("checkpoints"), _checkpoint),
        receipt=text("receipt"),
        shown=_hashes(take("shown")),
        dirty=_hashes(take("dirty")),
        rest=rest,
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


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(each for each in value if isinstance(each, str))


def _hashes(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {path: each for path, each in value.items() if isinstance(each, str)}


def _rows(value: Any, read: Callable[[Mapping[str, Any]], Any]) -> tuple[Any, ...]:
    rows = value if isinstance(value, list) else []
    found = (read(row) for row in rows if isinstance(row, dict))
    return tuple(each for each in found if each is not None)


def _working_set(value: Any) -> dict[str, WorkingFile]:
    roles: dict[str, Role] = {"write": "write", "both": "both"}
    files: dict[str, WorkingFile] = {}
    for path, row in value.items() if isinstance(value, dict) else ():
        if path and isinstance(row, dict):
            role = roles.get(string_of(row.get("role")), "read")
            hash_, time = string_of(row.get("hash")), string_of(row.get("timestamp"))
            files[path] = WorkingFile(hash_, role, time)
    return files


def _chosen(row: Mapping[str, Any]) -> Chosen | None:
    title = string_of(row.get("title"))
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
    return Checkpoint(
        timestamp=string_of(row.get("timestamp")),
        written=_texts(row.get("written")),
        checked=_texts(row.get("checked")),
        decisions=_texts(row.get("decisions")),
        commits=_texts(row.get("commits")),
        text=string_of(row.get("text")),
        done=_texts(row.get("done")),
        doing=_texts(row.get("doing")),
        todo=_texts(row.get("todo")),
    )
