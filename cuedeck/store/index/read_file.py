"""Reading of one file: fingerprint, content hash and parsed values."""

from __future__ import annotations

import json
import os
import posixpath
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from cuedeck.model.diagnostic import UNREADABLE, Diagnostic, Level
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
from cuedeck.model.paths import CARDS
from cuedeck.model.secret import Secret, replace_secrets
from cuedeck.store.files.disk import look_at, unblocked
from cuedeck.store.files.fingerprint import FileStamp

if TYPE_CHECKING:
    from io import FileIO

    from cuedeck.model.secret import ValueMark
    from cuedeck.parse.index_terms import IndexTerms
    from cuedeck.parse.secrets import SearchedText


Find = Callable[[str], "SearchedText"]
"""Finds secrets in the text of a file."""
LARGEST_TEXT = 64_000_000
"""Size in bytes above which a file is not read completely; its hash covers the size and
three parts.
"""
_PART_BYTES = 1_000_000


class Reading(NamedTuple):
    """The result of reading a file. `data` is empty if the index already has this
    content.
    """

    path: str
    print: FileStamp
    kind: str
    troubled: bool
    data: str
    names: tuple[str, ...]
    status: str = ""
    """Status of a card; empty for other files."""
    facts: IndexTerms | None = None
    """Terms for the ranking; None for a file that is never ranked."""
    secrets: str | None = None
    """The secrets in its text, as `encode_secrets` gives them; None if they were not
    searched.
    """
    marks: Sequence[ValueMark] = ()
    """Marks of the random values that are secrets in this file."""
    has_copies: bool = False
    """Whether it contains values that only other files reveal as secrets."""


def read_file(root: str, path: str, known: str, find: Find) -> Reading | None:
    """Read, hash and parse one file; skip parsing if its hash is `known`. Return None
    if the file does not exist.

    The parsed values contain none of the secrets that `find` finds in the text.
    """
    import hashlib

    place = os.path.join(root, *path.split("/"))
    checked = time.time_ns()
    trouble = None
    data = b""
    try:
        with open(place, "rb", buffering=0, opener=unblocked) as file:
            now = os.fstat(file.fileno())
            if now.st_size > LARGEST_TEXT:
                digest = _digest_of_large(file, now.st_size)
                message = f"the file is too large to show: {now.st_size:,} bytes"
                hint = "it is listed without content"
                trouble = Diagnostic(path, 0, "info", "large-file", message, hint)
            else:
                data = file.readall() or b""
                digest = hashlib.sha256(data).hexdigest()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        try:
            now = os.stat(place)
        except OSError:
            return None
        digest = hashlib.sha256(f"unreadable {error.errno}".encode()).hexdigest()
        message = f"cannot be read: {error.strerror}"
        level: Level = "error" if path.startswith(f"{CARDS}/") else "warning"
        hint = "check its permissions"
        trouble = Diagnostic(path, 0, level, UNREADABLE, message, hint)
        # another user may have permission, and a change of permissions does not always
        # change the times
        checked = 0
    mark = FileStamp(
        now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino, checked, digest
    )
    if digest == known:
        return Reading(path, mark, "", False, "", ())
    from cuedeck.model.file import File

    if trouble:
        file_ = File(path, "binary", now.st_size, 0, diagnostics=(trouble,))
        return Reading(path, mark, file_.kind, True, encode(file_), names_of(file_))
    return _parse(path, data, mark, find)


def read_files(
    root: str, wanted: Sequence[tuple[str, str]], find: Find
) -> Iterator[Reading]:
    """Yield the reading of each pair of a path and its known hash, if the file still
    exists.
    """
    for path, known in wanted:
        reading = read_file(root, path, known, find)
        if reading is not None:
            yield reading


def _digest_of_large(file: FileIO, size: int) -> str:
    """Return a hash of the size, beginning, middle and end of a file, because a sparse
    file may have terabytes.
    """
    import hashlib

    found = hashlib.sha256(str(size).encode())
    for start in (0, size // 2, size - _PART_BYTES):
        file.seek(start)
        found.update(file.read(_PART_BYTES) or b"")
    return found.hexdigest()


def names_of(file: File) -> tuple[str, ...]:
    """Return the sorted keys by which a wiki link may name a file."""
    from cuedeck.model.address import name_key

    base = posixpath.basename(file.path)
    names = [base]
    if file.kind in ("card", "doc"):
        names += [posixpath.splitext(base)[0], file.title, *file.aliases]
    if file.card is not None:
        from cuedeck.parse.sections import slugify

        names += [file.card.id, file.card.title, slugify(file.card.title)]
    # Front matter can contain half of a surrogate pair as an escape, which SQLite
    # refuses.
    keys = (replace_surrogates(name_key(name)) for name in names if name.strip())
    return tuple(sorted(set(keys)))


def parse_known(root: str, path: str, wanted: str) -> File | None:
    """Parse a file again, including secrets, which the index does not store; None if
    its hash is not `wanted`.
    """
    import hashlib

    from cuedeck.parse.parse_file import parse_file

    data = look_at(os.path.join(root, *path.split("/")))
    return (
        parse_file(path, data) if hashlib.sha256(data).hexdigest() == wanted else None
    )


def _parse(path: str, data: bytes, mark: FileStamp, find: Find) -> Reading:
    from cuedeck.parse.index_terms import build_index_terms
    from cuedeck.parse.notebook import decode_file
    from cuedeck.parse.parse_file import parse_file

    decoded = decode_file(path, data)
    file = parse_file(path, data, decoded)
    stored = encode(file)
    searched = find(decoded.text)
    if searched.secrets:
        decoded = decoded._replace(text=replace_secrets(decoded.text, searched.secrets))
        whole = stored
        file = parse_file(path, data, decoded)
        stored = encode(file)
        if stored != whole:
            stored = f"{_PARTIAL}{stored}"
    status = ""
    if file.card:
        status = file.card.status
    facts = build_index_terms(file, decoded.text)
    spans = None
    marks: Sequence[ValueMark] = ()
    if file.kind != "binary":
        spans = encode_secrets(searched.secrets)
        marks = searched.marks
    return Reading(
        path,
        mark,
        file.kind,
        bool(file.diagnostics),
        stored,
        names_of(file),
        status,
        facts,
        spans,
        marks,
        searched.has_copies,
    )


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
