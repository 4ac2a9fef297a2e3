"""Copies of this process that read files: they start at once, and what they read comes through pipes."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from typing import IO, Any, NamedTuple, NoReturn

_PIPE_BYTES = 1_000_000
"""Of what was read and not yet taken; a copy that is further ahead waits."""
_FAREWELL_SECONDS = 1.0


class _Copy(NamedTuple):
    number: int
    """Of the process."""
    results: IO[bytes]


def may_copy() -> bool:
    """Tell whether a copy of this process is sound: no other thread may hold a lock while it is made."""
    try:
        return sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    except OSError:
        return False


def map_in_copies(count: int, act: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[Any]:
    """Yield what `act` makes of each task, in order, with as many copies of this process.

    Raises: OSError when one cannot be made or comes to an early end.
    """
    import pickle

    copies: list[_Copy] = []
    try:
        for number in range(count):
            own = tasks[number::count]
            copies.append(_start(partial(map, act, own), [each.results for each in copies]))
        for at in range(len(tasks)):
            try:
                yield pickle.load(copies[at % count].results)
            except (EOFError, pickle.UnpicklingError) as error:
                raise ChildProcessError("a process that reads files ended early") from error
    finally:
        for copy in copies:
            _end(copy)


class Stream:
    """Items that one copy of this process makes while this one does something else.

    They go through a file, so that the copy never waits for a reader. Raises: OSError.
    """

    def __init__(self, make: Callable[[], Generator[Any, None, None]]) -> None:
        import tempfile

        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the copy
        self._start = 0
        try:
            # Nothing may be left in a buffer, where the system does not see it.
            self._copy: _Copy | None = _start(lambda: _spool(self._file, make), (), buffering=0)
        except OSError:
            self._file.close()
            raise

    def next(self, seconds: float | None = None) -> Any:
        """Return the next item, None after the last one; wait for it, at most so long when that is given.

        Raises: TimeoutError; ChildProcessError when the copy came to an early end.
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
        # Both processes share the position in the file, which is the writer's.
        data = os.pread(self._file.fileno(), end - self._start, self._start)
        self._start = end
        return pickle.loads(data)

    def close(self) -> None:
        """End the copy, whatever it does."""
        copy, self._copy = self._copy, None
        if copy is not None:
            _ask_to_end(copy)
            _end(copy)
            self._file.close()


def _spool(file: IO[bytes], make: Callable[[], Generator[Any, None, None]]) -> Iterator[int]:
    """Write each item to a file, None as the last; yield where each ends."""
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
    """Give a copy a moment in which it ends the processes that it started."""
    import signal
    import time

    os.kill(copy.number, signal.SIGTERM)
    until = time.monotonic() + _FAREWELL_SECONDS
    while time.monotonic() < until:
        if os.waitid(os.P_PID, copy.number, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return
        time.sleep(_FAREWELL_SECONDS / 100)


def _stop(number: int, frame: object) -> NoReturn:
    raise SystemExit


def _start(make: Callable[[], Iterable[Any]], others: Sequence[IO[bytes]], buffering: int = -1) -> _Copy:
    """Make a copy of this process, which sends what `make` returns item by item. Raises: OSError."""
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


def _serve(make: Callable[[], Iterable[Any]], target: int, unused: Sequence[int]) -> NoReturn:
    """Work as a copy, and end; when nobody listens any more the next answer fails."""
    status = 1
    try:
        import fcntl
        import gc
        import pickle
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is for who takes the answers
        signal.signal(signal.SIGTERM, _stop)
        gc.freeze()  # what came with the copy is not its to collect: an open index may be part of it
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
                    items.close()  # which ends the processes that it started
        status = 0
    finally:
        os._exit(status)
