"""The files of a memory as digests, made again only for what changed."""

from __future__ import annotations

import struct
import time
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.memory.digest import Digested, decode_digest, digest, split
from cuedeck.memory.naming import Reader
from cuedeck.store.disk import read_bytes
from cuedeck.store.fingerprint import is_settled
from cuedeck.store.memory.digests import load_or_make

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.store.fingerprint import Print
    from cuedeck.store.memory.files import MemoryFiles


class _Held(NamedTuple):
    """A file as it was read last."""

    print: Print
    at_ns: int
    data: bytes
    file: Digested
    gone: frozenset[str]
    """Ids that were forgotten by then."""


def digested_file(project: Project, memory: MemoryFiles, name: str) -> Digested:
    """Return a file of records as digests, the same object while the file is the same.

    Raises: StorageError.
    """
    now = memory.print(name)
    if now is None:
        return Digested(b"", ())
    gone = memory.forgotten()
    key = f"digested {name}"
    held: _Held | None = memory.derived.get(key)
    if held is not None and held.gone != gone:
        held = None
    if held is not None and held.print == now and is_settled(now, held.at_ns):
        return held.file
    at = time.time_ns()
    data = read_bytes(memory.place(name)) or b""
    same = held is not None and held.data == data
    file = held.file if held is not None and same else _digested(project, data, gone)
    memory.derived[key] = _Held(now, at, data, file, gone)
    return file


def _digested(project: Project, data: bytes, gone: frozenset[str]) -> Digested:
    places = list(split(data))
    reader = Reader()
    view = memoryview(data)
    pieces = [view[start:end] for start, end in places]
    encoded = load_or_make(project.index, pieces, lambda piece: digest(bytes(piece), reader).encode())
    try:
        digests = [decode_digest(each) for each in encoded]
    except (ValueError, struct.error):  # a row of the cache that is not ours
        digests = [digest(bytes(piece), reader) for piece in pieces]
    return Digested(data, [(start, each) for (start, _), each in zip(places, digests, strict=True)], gone)
