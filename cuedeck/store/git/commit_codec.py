"""Commits as bytes and back: one row each, and a whole past in one row, which is quick to read."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import lz4.frame

from cuedeck.model.commit import Commit, Touched
from cuedeck.store.fs.unpacking import unpack

MOST_COMMITS = 2_000
"""Commits that a past holds."""
_MOST_BYTES = 512_000_000
"""Unpacked size of a past."""
FLAWS = (RuntimeError, ValueError, TypeError, IndexError)
"""What unpacking something else may raise."""


class Record(NamedTuple):
    """A commit as it was read; one that says nothing has no files."""

    commit: Commit
    state: int
    """One of WHOLE and TORN."""


WHOLE = 0
TORN = 1
"""Parts of it are missing in the repository."""
_STATES = {WHOLE, TORN}


def pack_records(records: Sequence[Record]) -> bytes:
    """Return records as one value: a line of JSON, and numbers.

    Texts lie side by side and each path once: many small lists would take three times as long to read.
    """
    commits = [record.commit for record in records]
    files = [file for commit in commits for file in commit.files]
    paths = {path: at for at, path in enumerate(dict.fromkeys(path for file in files for path in file[:2]))}
    texts: list[Sequence[object]] = [[commit[field] for commit in commits] for field in range(4)]
    texts += [[record.state for record in records], list(paths)]
    numbers = array("I", (len(commit.files) for commit in commits))
    numbers.extend(paths[file.path] for file in files)
    numbers.extend(paths[file.before] for file in files)
    numbers.extend(len(file.added) for file in files)
    for file in files:
        numbers.extend(file.added)
    text = json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()
    return bytes(lz4.frame.compress(text + b"\n" + numbers.tobytes()))


def unpack_records(data: bytes) -> list[Record]:
    """Return the records that were packed. Raises: one of FLAWS."""
    text, _, rest = unpack(data, _MOST_BYTES).partition(b"\n")
    *texts, states, paths = json.loads(text)
    if not _STATES.issuperset(states):
        raise ValueError("a record of an unknown state")
    numbers = array("I")
    numbers.frombytes(rest)
    counts, numbers = numbers[: len(states)], numbers[len(states) :]
    ends = [0, *accumulate(counts)]
    files = _unpack_files(paths, numbers, ends[-1])
    touched = [tuple(files[start:end]) for start, end in pairwise(ends)]
    return list(map(_record, zip(map(_commit, zip(*texts, touched, strict=True)), states, strict=True)))


def packed_ids(data: bytes) -> list[str]:
    """Return the ids of all commits that were packed. Raises: one of FLAWS."""
    ids: list[str] = json.loads(unpack(data, _MOST_BYTES).partition(b"\n")[0])[0]
    return ids


def _unpack_files(paths: Sequence[str], numbers: array[int], count: int) -> list[Touched]:
    path = paths.__getitem__
    ends = accumulate(numbers[2 * count : 3 * count], initial=3 * count)
    sums = [numbers[start:end] for start, end in pairwise(ends)]
    columns: Any = (map(path, numbers[:count]), map(path, numbers[count : 2 * count]), sums)
    return list(map(_touched, zip(*columns, strict=True)))


_record, _commit, _touched = Record._make, Commit._make, Touched._make
