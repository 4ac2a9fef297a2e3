"""Serialisation of commits: a single commit, or a whole history as one value that is
fast to read.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import lz4.frame

from cuedeck.model.commit import Commit, Touched
from cuedeck.store.files.unpacking import unpack

MOST_COMMITS = 2_000
"""Maximum number of commits in a history."""
_MOST_BYTES = 512_000_000
"""Maximum size of an unpacked history."""
FLAWS = (RuntimeError, ValueError, TypeError, IndexError)
"""Errors that unpacking may raise for bytes of another origin."""


class Record(NamedTuple):
    """A commit as it was read; a commit whose files are of no use has none."""

    commit: Commit
    state: int
    """One of WHOLE and TORN."""


WHOLE = 0
TORN = 1
"""Parts of the commit are missing in the repository."""
_STATES = {WHOLE, TORN}


def pack_records(records: Sequence[Record]) -> bytes:
    """Return records as one value: a line of JSON, followed by numbers.

    Values are stored by column, and each path once: many small lists would take three
    times as long to read.
    """
    commits = [record.commit for record in records]
    files: list[Touched] = []
    for commit in commits:
        files += commit.files
    names: dict[str, None] = {}
    for file in files:
        names[file.path] = None
        names[file.before] = None
    columns: list[Sequence[object]] = []
    for field in range(4):
        column = [commit[field] for commit in commits]
        columns.append(column)
    states = [record.state for record in records]
    columns.append(states)
    columns.append(list(names))
    index_of = {path: at for at, path in enumerate(names)}
    counts = [len(commit.files) for commit in commits]
    numbers = array("I", counts)
    numbers.extend(index_of[file.path] for file in files)
    numbers.extend(index_of[file.before] for file in files)
    numbers.extend(len(file.added) for file in files)
    for file in files:
        numbers.extend(file.added)
    text = json.dumps(columns, ensure_ascii=False, separators=(",", ":"))
    data = text.encode() + b"\n" + numbers.tobytes()
    return bytes(lz4.frame.compress(data))


def unpack_records(data: bytes) -> list[Record]:
    """Return the records that were packed. Raises: one of FLAWS."""
    text, _, rest = unpack(data, _MOST_BYTES).partition(b"\n")
    *columns, states, paths = json.loads(text)
    if not _STATES.issuperset(states):
        raise ValueError("a record has an unknown state")
    numbers = array("I")
    numbers.frombytes(rest)
    ends = [0, *accumulate(numbers[: len(states)])]
    files = _unpack_files(paths, numbers[len(states) :], ends[-1])
    touched = [tuple(files[start:end]) for start, end in pairwise(ends)]
    rows = zip(*columns, touched, strict=True)
    commits = map(_commit, rows)
    pairs = zip(commits, states, strict=True)
    return list(map(_record, pairs))


def packed_ids(data: bytes) -> list[str]:
    """Return the ids of all packed commits. Raises: one of FLAWS."""
    text = unpack(data, _MOST_BYTES).partition(b"\n")[0]
    ids: list[str] = json.loads(text)[0]
    return ids


def _unpack_files(
    paths: Sequence[str], numbers: array[int], count: int
) -> list[Touched]:
    path_at = paths.__getitem__
    paths_now: Any = map(path_at, numbers[:count])
    paths_before: Any = map(path_at, numbers[count : 2 * count])
    ends = accumulate(numbers[2 * count : 3 * count], initial=3 * count)
    added = [numbers[start:end] for start, end in pairwise(ends)]
    rows = zip(paths_now, paths_before, added, strict=True)
    return list(map(_touched, rows))


_record, _commit, _touched = Record._make, Commit._make, Touched._make
