"""Reading commits: first what they say and which files they touch, then the lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cuedeck.model.history import Commit
from cuedeck.model.ports import Progress
from cuedeck.store.history.git import Git
from cuedeck.store.history.packing import LATE, TORN, WHOLE, Record
from cuedeck.store.history.parsing import is_bulk, parse_outline, parse_patch


def read_commits(git: Git, ids: Sequence[str], progress: Progress | None = None) -> Iterator[Record]:
    """Yield each of some commits once; one that cannot be read in full has no lines, or not even files."""
    outlines = list(_outlines(git, ids))
    unread = _why(git)
    yield from (_nothing(each, unread) for each in ids[len(outlines) :])
    yield from (record for record in outlines if not record.commit.files)
    wanted = [record.commit for record in outlines if record.commit.files]
    done = 0
    for _, answer in git.patches([commit.id for commit in wanted]):
        commit = wanted[done]
        if answer is None:
            yield _without_bulk(commit, TORN)
        else:
            yield _without_bulk(commit._replace(files=parse_patch(answer)), WHOLE)
        done += 1
        if progress:
            progress(done, len(wanted))
    unread = _why(git)
    yield from (_without_bulk(commit, unread) for commit in wanted[done:])


def _outlines(git: Git, ids: Sequence[str]) -> Iterator[Record]:
    for each, answer in git.outlines(ids):
        commit = None if answer is None else parse_outline(each, answer)
        yield Record(commit, WHOLE) if commit else _nothing(each, TORN)


def _why(git: Git) -> int:
    """Return why reading came to its end before all was read."""
    return TORN if git.left_seconds else LATE


def _nothing(identity: str, state: int) -> Record:
    return Record(Commit(identity, 0, "", "", ()), state)


def _without_bulk(commit: Commit, state: int) -> Record:
    return Record(commit._replace(files=()) if is_bulk(commit.files) else commit, state)
