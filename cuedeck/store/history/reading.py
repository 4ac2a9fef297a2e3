"""Reading commits: first what they say and which files they touch, then the lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuedeck.model.history import Commit
from cuedeck.model.ports import Progress
from cuedeck.store.history.diffs import MOST_BYTES, Diffs
from cuedeck.store.history.packing import TORN, WHOLE, Record
from cuedeck.store.history.parsing import is_bulk, parse_outline, parse_patch

_FIRST_BATCH = 125
"""Commits of the first batch; each one after it is twice as large, so that few processes are started."""


def read_commits(diffs: Diffs, ids: Sequence[str], progress: Progress | None = None) -> Iterator[Record]:
    """Yield each of some commits once, those of a batch in no order; one that git fails on has no lines, or no files.

    Raises: GitFault, after the commits that were read before.
    """
    done = 0
    for batch in _batches(ids):
        for record in _read(diffs, batch):
            yield record
            done += 1
            if progress:
                progress(done, len(ids))


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    start, size = 0, _FIRST_BATCH
    while start < len(ids):
        yield ids[start : start + size]
        start += size
        size *= 2


def _read(diffs: Diffs, ids: Sequence[str]) -> Iterator[Record]:
    outlines = list(_outlines(diffs, ids))
    yield from (_nothing(each) for each in ids[len(outlines) :])
    yield from (record for record in outlines if not record.commit.files)
    wanted = [record.commit for record in outlines if record.commit.files]
    done = 0
    for _, answer in diffs.patches([commit.id for commit in wanted]):
        yield _with_lines(wanted[done], answer)
        done += 1
    yield from (_without_bulk(commit, TORN) for commit in wanted[done:])


def _outlines(diffs: Diffs, ids: Sequence[str]) -> Iterator[Record]:
    for each, answer in diffs.outlines(ids):
        commit = None if answer is None else parse_outline(each, answer)
        yield Record(commit, WHOLE) if commit else _nothing(each)


def _with_lines(commit: Commit, answer: bytes | None) -> Record:
    if answer is None:
        return _without_bulk(commit, TORN)
    if len(answer) >= MOST_BYTES:
        return _without_bulk(commit, WHOLE)  # its files are known, and so much text is nobody's work
    return _without_bulk(commit._replace(files=parse_patch(answer)), WHOLE)


def _nothing(identity: str) -> Record:
    return Record(Commit(identity, 0, "", "", ()), TORN)


def _without_bulk(commit: Commit, state: int) -> Record:
    return Record(commit._replace(files=()) if is_bulk(commit.files) else commit, state)
