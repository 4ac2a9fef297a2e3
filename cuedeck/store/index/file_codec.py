"""JSON of parsed files in the index, as plain lists, with its checksum."""

from __future__ import annotations

import json
from collections.abc import Sequence
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


def checksum(data: object) -> int:
    """Return the checksum that is stored with the JSON of a file; SQLite does not
    notice every changed byte.
    """
    return crc32(str(data).encode("utf-8", "surrogatepass"))


def encode(file: File) -> str:
    """Return the JSON of everything but the path and the kind."""
    card = file.card
    fields = None
    if card is not None:
        fields = [getattr(card, name) for name in Card.__slots__]
    row = [
        file.size,
        file.lines,
        file.title,
        file.aliases,
        file.tags,
        file.body,
        file.links,
        file.sections,
    ]
    row += [
        file.blocks,
        file.symbols,
        file.imports,
        file.roots,
        fields,
        file.diagnostics,
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
    values = json.loads(data.removeprefix(_PARTIAL))
    size, lines, title, aliases, tags, body, links, sections, *rest = values
    blocks, symbols, imports, roots, fields, diagnostics = rest
    return File(
        path=path,
        kind=kind,
        size=size,
        lines=lines,
        title=title,
        aliases=tuple(aliases),
        tags=tuple(tags),
        body=body,
        links=tuple(Link(*row) for row in links),
        sections=tuple(Section(*row) for row in sections),
        blocks=tuple(Block(*row) for row in blocks),
        symbols=tuple(Symbol(*row) for row in symbols),
        imports=tuple(
            Import(spec, tuple(names), line) for spec, names, line in imports
        ),
        roots=tuple(Root(*row) for row in roots),
        card=None if fields is None else _card(fields),
        diagnostics=tuple(Diagnostic(*row) for row in diagnostics),
    )


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
