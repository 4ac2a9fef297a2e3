"""Parallel reading and parsing of many files by forked processes, with results in the
order of the paths.

Elsewhere than on Linux, and in a process with threads, this process reads all files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn

from cuedeck.store.index.read_file import Reading, read_files

if TYPE_CHECKING:
    from cuedeck.model.ports import Progress
    from cuedeck.store.index.read_file import Find

ENOUGH_TO_FORK = 100
"""Number of files from which forked processes save more time than their start takes."""
_BATCH = 32
_PIPE_BYTES = 1_000_000
"""Pipe capacity for results that the parent has not read yet; a worker blocks when it
is full.
"""


def read_all(
    root: str,
    wanted: Sequence[tuple[str, str]],
    progress: Progress | None,
    find: Find,
) -> Generator[Reading, None, None]:
    """Yield the reading of each pair of a path and the known hash of its content; files
    that no longer exist are omitted.
    """
    done = 0
    if len(wanted) >= ENOUGH_TO_FORK and may_fork():
        # Rules that are compiled at first use are compiled before the fork.
        yield from read_files(root, wanted[:_BATCH], find)
        done = _BATCH
        batches = [wanted[at : at + _BATCH] for at in range(done, len(wanted), _BATCH)]
        try:
            for readings in map_in_workers(
                lambda batch: list(read_files(root, batch, find)), batches
            ):
                yield from readings
                done = min(done + _BATCH, len(wanted))
                if progress is not None:
                    progress(done, len(wanted))
        except OSError:
            pass  # this process reads the rest
    yield from read_files(root, wanted[done:], find)


def may_fork() -> bool:
    """Return whether forking is safe: on Linux, if no other thread exists that may hold
    a lock.
    """
    try:
        return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def map_in_workers(act: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[Any]:
    """Yield the result of `act` for each task, in order, computed by forked workers.

    Raises: OSError if a worker cannot be started or ends early.
    """
    import pickle
    import signal

    count = max(2, os.cpu_count() or 2)
    workers: list[_Worker] = []
    try:
        for number in range(count):
            workers.append(_start(act, tasks[number::count], workers))
        for at in range(len(tasks)):
            try:
                yield pickle.load(workers[at % count].results)
            except (EOFError, pickle.UnpicklingError) as error:
                raise ChildProcessError("a process ended early") from error
    finally:
        for worker in workers:
            worker.results.close()
            os.kill(worker.process, signal.SIGKILL)
            os.waitpid(worker.process, 0)


class _Worker(NamedTuple):
    process: int
    results: IO[bytes]


def _start(
    act: Callable[[Any], Any], tasks: Sequence[Any], others: Sequence[_Worker]
) -> _Worker:
    """Fork a worker that sends the results of tasks through a pipe. Raises: OSError."""
    source, target = os.pipe()
    try:
        process = os.fork()
    except OSError:
        os.close(source)
        os.close(target)
        raise
    if process == 0:
        _work(act, tasks, target, [source, *(each.results.fileno() for each in others)])
    os.close(target)
    return _Worker(process, open(source, "rb"))


def _work(
    act: Callable[[Any], Any], tasks: Sequence[Any], target: int, unused: Sequence[int]
) -> NoReturn:
    """Run as the worker and exit; once the parent has closed the pipe the next write
    fails.
    """
    status = 1
    try:
        import contextlib
        import fcntl
        import gc
        import pickle
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent
        # Inherited objects must not be collected here: an open SQLite index may be
        # among them.
        gc.freeze()
        for each in unused:
            os.close(each)
        with contextlib.suppress(OSError, AttributeError):
            fcntl.fcntl(target, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        with open(target, "wb") as results:
            for task in tasks:
                pickle.dump(act(task), results, pickle.HIGHEST_PROTOCOL)
                results.flush()
        status = 0
    finally:
        os._exit(status)
