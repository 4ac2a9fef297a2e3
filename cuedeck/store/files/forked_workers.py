"""Forked worker processes that read files and return results through pipes or a
temporary file.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from typing import IO, Any, NamedTuple, NoReturn

_PIPE_BYTES = 1_000_000
"""Pipe capacity for results that the parent has not read yet; a worker blocks when it
is full.
"""
_FAREWELL_SECONDS = 1.0


class _Copy(NamedTuple):
    number: int
    """Process id."""
    results: IO[bytes]


def may_copy() -> bool:
    """Return whether forking is safe: on Linux, if no other thread exists that may hold
    a lock.
    """
    try:
        if sys.platform != "linux":
            return False
        return len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def map_in_copies(
    count: int, act: Callable[[Any], Any], tasks: Sequence[Any]
) -> Iterator[Any]:
    """Yield the result of `act` for each task, in order, computed by `count` forked
    workers.

    Raises: OSError if a worker cannot be started or ends early.
    """
    import pickle

    copies: list[_Copy] = []
    try:
        for number in range(count):
            own = tasks[number::count]
            copies.append(
                _start(partial(map, act, own), [each.results for each in copies])
            )
        for at in range(len(tasks)):
            try:
                yield pickle.load(copies[at % count].results)
            except (EOFError, pickle.UnpicklingError) as error:
                raise ChildProcessError(
                    "a process that reads files ended early"
                ) from error
    finally:
        for copy in copies:
            _end(copy)


class Stream:
    """Items that one forked worker produces in the background.

    They pass through a temporary file, so the worker never waits for the reader.
    Raises: OSError.
    """

    def __init__(self, make: Callable[[], Generator[Any, None, None]]) -> None:
        import tempfile

        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the copy
        self._start = 0
        try:
            # Unbuffered: `select` does not see data that waits in a buffer of this
            # process.
            self._copy: _Copy | None = _start(
                lambda: _spool(self._file, make), (), buffering=0
            )
        except OSError:
            self._file.close()
            raise

    def next(self, seconds: float | None = None) -> Any:
        """Return the next item, or None after the last one; wait at most `seconds`,
        without limit if None.

        Raises: TimeoutError; ChildProcessError if the worker ended early.
        """
        import pickle
        import select

        assert self._copy is not None
        if not select.select([self._copy.results], [], [], seconds)[0]:
            raise TimeoutError
        try:
            end = pickle.load(self._copy.results)
        except (EOFError, pickle.UnpicklingError) as error:
            raise ChildProcessError("a copy of the process ended early") from error
        # Both processes share one file position, which the writer needs; `pread` does
        # not move it.
        data = os.pread(self._file.fileno(), end - self._start, self._start)
        self._start = end
        return pickle.loads(data)

    def close(self) -> None:
        """Stop the worker, also while it is busy."""
        copy, self._copy = self._copy, None
        if copy is not None:
            _ask_to_end(copy)
            _end(copy)
            self._file.close()


def _spool(
    file: IO[bytes], make: Callable[[], Generator[Any, None, None]]
) -> Iterator[int]:
    """Write each item and a final None to a file; yield the end position of each."""
    import pickle
    from itertools import chain

    with contextlib.closing(make()) as items:
        for item in chain(items, (None,)):
            pickle.dump(item, file, pickle.HIGHEST_PROTOCOL)
            file.flush()
            yield file.tell()


def _end(copy: _Copy) -> None:
    import signal

    copy.results.close()
    os.kill(copy.number, signal.SIGKILL)
    os.waitpid(copy.number, 0)


def _ask_to_end(copy: _Copy) -> None:
    """Send SIGTERM and wait up to a second, so that a worker can stop the processes
    that it started.
    """
    import signal
    import time

    os.kill(copy.number, signal.SIGTERM)
    until = time.monotonic() + _FAREWELL_SECONDS
    while time.monotonic() < until:
        if (
            os.waitid(os.P_PID, copy.number, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            is not None
        ):
            return
        time.sleep(_FAREWELL_SECONDS / 100)


def _stop(number: int, frame: object) -> NoReturn:
    raise SystemExit


def _start(
    make: Callable[[], Iterable[Any]], others: Sequence[IO[bytes]], buffering: int = -1
) -> _Copy:
    """Fork a worker that sends the items of `make()` through a pipe. Raises:
    OSError.
    """
    source, target = os.pipe()
    try:
        number = os.fork()
    except OSError:
        os.close(source)
        os.close(target)
        raise
    if number == 0:
        _serve(make, target, [source, *(each.fileno() for each in others)])
    os.close(target)
    return _Copy(number, open(source, "rb", buffering))


def _serve(
    make: Callable[[], Iterable[Any]], target: int, unused: Sequence[int]
) -> NoReturn:
    """Run as the worker and exit; once the parent has closed the pipe the next write
    fails.
    """
    status = 1
    try:
        import fcntl
        import gc
        import pickle
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent
        signal.signal(signal.SIGTERM, _stop)
        # inherited objects must not be collected here: an open SQLite index may be
        # among them
        gc.freeze()
        for each in unused:
            os.close(each)
        with contextlib.suppress(OSError, AttributeError):
            fcntl.fcntl(target, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        with open(target, "wb") as results:
            items = make()
            try:
                for item in items:
                    pickle.dump(item, results, pickle.HIGHEST_PROTOCOL)
                    results.flush()
            finally:
                if isinstance(items, Generator):
                    items.close()  # stops the processes that the generator started
        status = 0
    finally:
        os._exit(status)
