"""Copies of this process that read files: they start at once, and what they read comes through pipes."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple, NoReturn

_PIPE_BYTES = 1_000_000
"""Of what was read and not yet taken; a copy that is further ahead waits."""


class _Copy(NamedTuple):
    number: int
    """Of the process."""
    results: BinaryIO


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
            copies.append(_start(act, tasks[number::count], [each.results for each in copies]))
        for at in range(len(tasks)):
            try:
                yield pickle.load(copies[at % count].results)
            except (EOFError, pickle.UnpicklingError) as error:
                raise ChildProcessError("a process that reads files ended early") from error
    finally:
        for copy in copies:
            _end(copy)


class Answer:
    """What one copy of this process makes of a task, begun at once and taken when it is needed. Raises: OSError."""

    def __init__(self, act: Callable[[Any], Any], task: Any) -> None:
        self._copy: _Copy | None = _start(act, [task], ())

    def take(self) -> Any:
        """Return it, once. Raises: ChildProcessError when the copy came to an early end."""
        import pickle

        assert self._copy is not None
        try:
            return pickle.load(self._copy.results)
        except (EOFError, pickle.UnpicklingError) as error:
            raise ChildProcessError("a process that reads commits ended early") from error
        finally:
            self.close()

    def close(self) -> None:
        """End the copy, whatever it does."""
        copy, self._copy = self._copy, None
        if copy is not None:
            _end(copy)


def _end(copy: _Copy) -> None:
    import signal

    copy.results.close()
    os.kill(copy.number, signal.SIGKILL)
    os.waitpid(copy.number, 0)


def _start(act: Callable[[Any], Any], tasks: Sequence[Any], others: Sequence[BinaryIO]) -> _Copy:
    """Make a copy of this process. Raises: OSError."""
    source, target = os.pipe()
    try:
        number = os.fork()
    except OSError:
        os.close(source)
        os.close(target)
        raise
    if number == 0:
        _serve(act, tasks, target, [source, *(each.fileno() for each in others)])
    os.close(target)
    return _Copy(number, open(source, "rb"))


def _serve(act: Callable[[Any], Any], tasks: Sequence[Any], target: int, unused: Sequence[int]) -> NoReturn:
    """Work as a copy, and end; when nobody listens any more the next answer fails."""
    status = 1
    try:
        import fcntl
        import gc
        import pickle
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is for who takes the answers
        gc.freeze()  # what came with the copy is not its to collect: an open index may be part of it
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
