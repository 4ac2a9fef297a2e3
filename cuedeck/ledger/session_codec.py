"""JSON of session files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, get_args, get_type_hints

from cuedeck.model.ports import JsonView
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
from cuedeck.text.plain_text import load_json, string_of

_JSON = json.JSONEncoder(ensure_ascii=False)
Read = Callable[[Any], Any]
"""Returns the value of a field in JSON, an empty one for the wrong type."""


def _number(value: Any) -> int:
    return max(value, 0) if type(value) is int else 0


def _texts(value: Any) -> tuple[str, ...]:
    items = value if isinstance(value, list) else []
    return tuple(each for each in items if isinstance(each, str))


def _hashes(value: Any) -> dict[str, str]:
    rows = value.items() if isinstance(value, dict) else ()
    return {path: each for path, each in rows if isinstance(each, str)}


def _choice(choices: tuple[str, ...], default: str) -> Read:
    return lambda value: value if value in choices else default


_READERS: Mapping[Any, Read] = {
    str: string_of,
    int: _number,
    tuple[str, ...]: _texts,
    Role: _choice(get_args(Role), "read"),
    State: _choice(get_args(State), ""),
}
"""Reader of a field of a row, by its type."""


def _row(kind: Callable[..., Any]) -> Callable[[JsonView], Any]:
    types = get_type_hints(kind).items()
    readers = {name: _READERS[each] for name, each in types}
    return lambda row: kind(
        **{name: read(row.get(name)) for name, read in readers.items()}
    )


def _rows(kind: Callable[..., Any], *needed: str) -> Read:
    """Return the reader of a list of rows; those without a needed field are left
    out.
    """
    read_row = _row(kind)

    def read(value: Any) -> tuple[Any, ...]:
        rows = value if isinstance(value, list) else []
        found = [read_row(row) for row in rows if isinstance(row, dict)]
        return tuple(
            each for each in found if all(getattr(each, name) for name in needed)
        )

    return read


_working_file = _row(WorkingFile)


def _working_set(value: Any) -> dict[str, WorkingFile]:
    rows = value.items() if isinstance(value, dict) else ()
    return {
        path: _working_file(row) for path, row in rows if path and isinstance(row, dict)
    }


_FIELDS: Mapping[str, tuple[str, Read]] = {
    "sessionId": ("id", string_of),
    "createdAt": ("created_at", string_of),
    "lastAccess": ("last_access", string_of),
    "workflow": ("workflow", string_of),
    "currentStep": ("current_step", _number),
    "card": ("card", string_of),
    "title": ("title", string_of),
    "status": ("status", _choice(("closed",), "open")),
    "branch": ("branch", string_of),
    "commit": ("commit", string_of),
    "next": ("next", string_of),
    "progress": ("progress", _rows(Item, "text", "state")),
    "notes": ("notes", _rows(Note, "text")),
    "workingSet": ("working_set", _working_set),
    "decisions": ("decisions", _rows(Chosen, "title")),
    "attempts": ("attempts", _texts),
    "checkpoints": ("checkpoints", _rows(Checkpoint)),
    "receipt": ("receipt", string_of),
    "shown": ("shown", _hashes),
    "dirty": ("dirty", _hashes),
    "contextChecksum": ("context_checksum", string_of),
}
"""Attribute and reader of each key, in the order of the file."""


def parse_session(data: bytes) -> Session:
    """Parse a session. Values of the wrong type are left out; unknown keys are kept.
    Raises: ValueError if it is not a JSON object or has no id.
    """
    value = load_json(data)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    found = {name: read(value.get(key)) for key, (name, read) in _FIELDS.items()}
    if not found["id"]:
        raise ValueError("it has no sessionId")
    found["last_access"] = found["last_access"] or found["created_at"]
    known = ("schema", *_FIELDS)
    rest = {key: each for key, each in value.items() if key not in known}
    return Session(**found, rest=rest)


def format_session(session: Session) -> bytes:
    """Return the content of the session file."""
    value = {"schema": SCHEMA}
    for key, (name, _) in _FIELDS.items():
        value[key] = _plain(getattr(session, name))
    value.update(session.rest)
    rows = [f" {_JSON.encode(key)}: {_laid_out(each)}" for key, each in value.items()]
    text = ",\n".join(rows)
    return f"{{\n{text}\n}}\n".encode("utf-8", "replace")


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return value._asdict()
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def _laid_out(value: Any) -> str:
    """Return JSON with each item of a container on its own line; `json.dumps(indent=…)`
    takes ten times as long.
    """
    if isinstance(value, Mapping) and value:
        rows = [
            f"  {_JSON.encode(key)}: {_JSON.encode(each)}"
            for key, each in value.items()
        ]
        return "{\n" + ",\n".join(rows) + "\n }"
    if isinstance(value, list | tuple) and value:
        rows = [f"  {_JSON.encode(each)}" for each in value]
        return "[\n" + ",\n".join(rows) + "\n ]"
    return _JSON.encode(value)
