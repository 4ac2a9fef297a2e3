"""Reader of a whole history in a forked process, while this process reads the files."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Any

from cuedeck.model.ports import Progress
from cuedeck.store.files.forked_workers import Stream, may_copy
from cuedeck.store.git.commit_codec import Record
from cuedeck.store.git.commit_diffs import Diffs
from cuedeck.store.git.git_queries import Git
from cuedeck.store.git.head import Repository
from cuedeck.store.git.history_diagnostics import UNFINISHED, GitFault
from cuedeck.store.git.read_commits import read_commits

_BATCH = 100


class HistoryPrefetch:
    """A history that a forked process reads; empty if the process cannot be forked."""

    def __init__(
        self, root: str, repository: Repository, head: str, deadline: float | None
    ) -> None:
        self._deadline = deadline
        self._stream: Stream | None = None
        if may_copy():
            with contextlib.suppress(OSError):
                self._stream = Stream(partial(_read, root, repository, head, deadline))

    def ids(self) -> Sequence[str] | None:
        """Return the ids of all commits, newest first; None without a forked process.
        Raises: GitFault.
        """
        found: Sequence[str] | None = self._next()
        return found

    def records(self, count: int, progress: Progress | None) -> Iterator[Record]:
        """Yield the commits of all ids in no order; `count` is their number.

        Raises: GitFault, after the commits that were read before the fault.
        """
        done = 0
        while (batch := self._next()) is not None:
            yield from batch
            done += len(batch)
            if progress:
                progress(done, count)

    def ready(self) -> Iterator[Record]:
        """Yield the commits that were read so far and not yet returned."""
        with contextlib.suppress(GitFault):
            while (batch := self._next(0)) is not None:
                yield from (item for item in batch if isinstance(item, Record))

    def close(self) -> None:
        """End the forked process."""
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def _next(self, seconds: float | None = None) -> Any:
        """Return the next item from the forked process; None without a process or
        further items. Raises: GitFault.
        """
        if self._stream is None:
            return None
        if seconds is None and self._deadline is not None:
            seconds = max(self._deadline - time.monotonic(), 0.0)
        try:
            found = self._stream.next(seconds)
        except TimeoutError:
            raise GitFault(UNFINISHED) from None
        except OSError:
            self.close()
            return None
        if isinstance(found, str):
            raise GitFault(found)
        return found


def _read(
    root: str, repository: Repository, head: str, deadline: float | None
) -> Generator[Sequence[str | Record] | str, None, None]:
    """Yield the ids of all commits, then the commits in batches; or the code of a
    fault, as the last item.
    """
    batch: list[Record] = []
    try:
        git = Git(root, repository, deadline)
        ids = git.finish_list(git.start_list(head))
        yield ids
        with Diffs(repository, deadline) as diffs:
            for record in read_commits(diffs, ids):
                batch.append(record)
                if len(batch) == _BATCH:
                    yield batch
                    batch = []
    except GitFault as fault:
        yield batch
        yield fault.code
        return
    yield batch
