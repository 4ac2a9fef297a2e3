"""JSON of parsed files in the index, as plain lists, with its checksum."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.file import (
    Block,
    Card,
    File,
    Import,
    Link,
    Root,
    Section,
    Symbol,
)
from cuedeck.model.formatting import replace_surrogates
from cuedeck.model.secret import Secret

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_PARTIAL = "masked "
_FIELDS = (
    *("size", "lines", "title", "aliases", "tags", "body", "links", "sections"),
    *("blocks", "symbols", "imports", "roots", "card", "diagnostics"),
)
_ROWS: dict[str, Callable[..., Any]] = {
    "links": Link,
    "sections": Section,
    "blocks": Block,
    "symbols": Symbol,
    "roots": Root,
    "diagnostics": Diagnostic,
}
"""Fields that are lists of rows, with the type of a row."""


def checksum(data: object) -> int:
    """Return the checksum that is stored with the JSON of a file; SQLite does not
    notice every changed byte.
    """
    return crc32(str(data).encode("utf-8", "surrogatepass"))


def encode(file: File) -> str:
    """Return the JSON of everything but the path and the kind."""
    row = [getattr(file, name) for name in _FIELDS]
    if file.card is not None:
        row[_FIELDS.index("card")] = [
            getattr(file.card, name) for name in Card.__slots__
        ]
    text = _JSON.encode(row)
    # Front matter can contain half of a surrogate pair as an escape, which SQLite
    # refuses.
    return replace_surrogates(text)


def encode_partly(file: File) -> str:
    """Return the JSON of a file whose text was masked before it was parsed;
    `is_partial` recognises it.
    """
    return f"{_PARTIAL}{encode(file)}"


def is_partial(data: str) -> bool:
    """Return whether the JSON omits secrets of the file, so that the file must be
    parsed again.
    """
    return data.startswith(_PARTIAL)


def decode(path: str, kind: Any, data: str) -> File:
    """Return the file from the JSON of `encode`."""
    row = json.loads(data.removeprefix(_PARTIAL))
    values = dict(zip(_FIELDS, row, strict=True))
    for name, make in _ROWS.items():
        values[name] = tuple(make(*each) for each in values[name])
    values["imports"] = tuple(
        Import(spec, tuple(names), line) for spec, names, line in values["imports"]
    )
    values["aliases"] = tuple(values["aliases"])
    values["tags"] = tuple(values["tags"])
    if values["card"] is not None:
        values["card"] = _card(values["card"])
    return File(path=path, kind=kind, **values)


def _card(fields: list[Any]) -> Card:
    values: list[Any] = []
    for field in fields:
        values.append(tuple(field) if isinstance(field, list) else field)
    return Card(*values)


def encode_secrets(secrets: Sequence[Secret]) -> str:
    """Return the JSON of the places of secrets in a text."""
    return json.dumps(secrets)


def decode_secrets(data: Any) -> tuple[Secret, ...] | None:
    """Return the secrets that a row of the index contains, or None if it is damaged."""
    try:
        found = tuple(Secret(*each) for each in json.loads(data))
    except (ValueError, TypeError, RecursionError):
        return None
    for each in found:
        types = tuple(map(type, each))
        if types != (int, int, str):
            return None
    return found
