"""Parallel reading and parsing of many files, with results in the order of the
paths.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from cuedeck.store.files.forked_workers import map_in_copies, may_copy
from cuedeck.store.index.read_file import Reading, read_files

if TYPE_CHECKING:
    from concurrent.futures import Future

    from cuedeck.model.ports import Progress
    from cuedeck.store.index.read_file import Find

    ReadBatch = Callable[[Sequence[tuple[str, str]]], list[Reading]]

Wanted = Sequence[tuple[str, str]]
"""Pairs of a path and the known hash of its content; the hash is empty for a new file.
"""

ENOUGH_TO_COPY = 100
"""Number of files from which forked processes save more time than their start takes."""
ENOUGH_TO_SPAWN = 600
"""The same for spawned processes."""
_BATCH = 32
_AHEAD = 4
"""Number of batches queued per process; it limits the results in memory."""


def read_all(
    root: str,
    wanted: Wanted,
    progress: Progress | None = None,
    find: Find | None = None,
) -> Generator[Reading, None, None]:
    """Yield the reading of each path; files that no longer exist are omitted."""
    done = 0
    for readings in _in_processes(root, wanted, find):
        yield from readings
        done = min(done + _BATCH, len(wanted))
        if progress is not None:
            progress(done, len(wanted))
    yield from read_files(root, wanted[done:], find)


def read_batch(root: str, find: Find | None, wanted: Wanted) -> list[Reading]:
    """Return the readings of a batch of paths."""
    return list(read_files(root, wanted, find))


def _in_processes(
    root: str, wanted: Wanted, find: Find | None
) -> Iterator[list[Reading]]:
    """Yield the readings of each batch; end early if worker processes cannot be started
    or die.
    """
    copied = may_copy()
    if len(wanted) < (ENOUGH_TO_COPY if copied else ENOUGH_TO_SPAWN):
        return
    batches = [wanted[at : at + _BATCH] for at in range(0, len(wanted), _BATCH)]
    count = max(2, os.cpu_count() or 2)
    try:
        if copied:
            _load_parsers()
            yield from map_in_copies(count, partial(read_batch, root, find), batches)
        else:
            yield from _in_new_processes(
                count, partial(read_batch, root, find), batches
            )
    except OSError:
        return


def _load_parsers() -> None:
    """Import the parsers before the fork, so that no copy imports them again."""
    import cuedeck.parse.index_terms
    import cuedeck.parse.parse_file
    import cuedeck.parse.secrets
    import cuedeck.parse.source_file
    import cuedeck.store.index.file_codec  # noqa: F401


def _in_new_processes(
    count: int, read: ReadBatch, batches: Sequence[Wanted]
) -> Iterator[list[Reading]]:
    """Yield the readings of each batch. Raises: OSError if processes cannot be started
    or end early.
    """
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    waiting: deque[Future[list[Reading]]] = deque()
    left = iter(batches)
    pool = ProcessPoolExecutor(
        count, mp_context=get_context("spawn"), initializer=_live_with_parent
    )
    try:
        with _uninterrupted():  # the processes start here
            waiting += (
                pool.submit(read, batch) for batch in islice(left, count * _AHEAD)
            )
        while waiting:
            readings = waiting.popleft().result()
            waiting += (pool.submit(read, batch) for batch in islice(left, 1))
            yield readings
    except BrokenProcessPool as error:
        raise ChildProcessError("a process that reads files ended early") from error
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let processes started in this block ignore SIGINT, so that only this process
    handles it.
    """
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _live_with_parent() -> None:
    """End this process when its parent ends, even if the parent is killed."""
    import threading
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:

        def end_with(parent: object = parent) -> None:
            parent.join()  # type: ignore[attr-defined]
            os._exit(1)

        threading.Thread(target=end_with, daemon=True).start()
