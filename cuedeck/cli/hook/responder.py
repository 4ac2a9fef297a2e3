"""The one answer of a hook: exactly one JSON object on standard output, in time, whatever happens.

Where the system has `fork` and timers (Linux, macOS), the work is done in a child process, and this process waits for
it with a timer. So a call into C that never returns, such as a regular expression that backtracks without end, ends
with the child: this process writes the empty answer, kills the child and exits with 0. A timer whose handler is
written in Python would not be enough in the process that works, because the handler runs between two instructions.
On Windows a thread watches, which such a call can block.
"""

from __future__ import annotations

import _thread
import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_PAUSE_SECONDS = 5.0
_GRACE_SECONDS = 1.5
"""For the log line after the deadline; within the limits that are registered with the hosts."""
_ORPHAN_SECONDS = 5.0
"""How much longer than its parent a child lives whose parent was killed."""
_DONE = b"\n"
"""First byte of what a child writes; a child that was killed wrote nothing."""


class Responder:
    """Gives one answer. At the deadline it gives the empty one and ends the process."""

    def __init__(self, text: str, seconds: float) -> None:
        self.text = text
        """The answer that is given at the deadline."""
        self.on_deadline: Callable[[], None] = _do_nothing
        """Called after the answer that was given at the deadline."""
        self.started = time.monotonic()
        self._seconds = seconds
        self._child = 0
        self._claim = _thread.allocate_lock()
        if hasattr(os, "fork"):
            import signal

            signal.signal(signal.SIGALRM, lambda number, frame: self._expire())
            signal.setitimer(signal.ITIMER_REAL, seconds)
        else:
            _thread.start_new_thread(self._watch, (seconds,))

    def work(self, make: Callable[[], str]) -> str:
        """Return what `make` returns, made in a child process where the system has them.

        Raises: ChildProcessError when the child ended without an answer.
        """
        if not hasattr(os, "fork"):
            return make()
        readable, writable = os.pipe()
        try:
            self._child = os.fork()
        except OSError:  # no further process is allowed
            return make()
        if not self._child:
            os.close(readable)
            _be_child(make, writable, self._seconds + _ORPHAN_SECONDS)
        os.close(writable)
        with open(readable, "rb") as pipe:
            answer = pipe.read()
        _, status = os.waitpid(self._child, 0)
        self._child = 0
        if not answer.startswith(_DONE):
            raise ChildProcessError(
                f"the process that handles the event ended with {os.waitstatus_to_exitcode(status)}"
            )
        return answer.removeprefix(_DONE).decode("utf-8", "surrogatepass")

    def give(self, text: str) -> None:
        """Write the answer, unless it is written already."""
        if not self._claim.acquire(False):
            time.sleep(_PAUSE_SECONDS)  # the process is being ended
        if hasattr(os, "fork"):
            import signal

            # An interpreter that ends gives signals their defaults back, and that of a timer ends with another code.
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
            signal.setitimer(signal.ITIMER_REAL, 0)
        _write(text)

    def _watch(self, seconds: float) -> None:
        time.sleep(seconds)
        self._expire()

    def _expire(self) -> None:
        if not self._claim.acquire(False):
            return
        _write(self.text)
        _thread.start_new_thread(_end_after, (_GRACE_SECONDS,))
        say("cuedeck hook: no answer in time; the agent goes on without it")
        try:
            if self._child:
                _kill(self._child)
            self.on_deadline()
        except BaseException as error:  # noqa: BLE001 - the answer is given; there is nobody else to tell
            say(f"cuedeck hook: {type(error).__name__}: {error}")
        os._exit(0)


def _be_child(make: Callable[[], str], pipe: int, seconds: float) -> None:
    """Do the work of a hook, write the answer to a pipe, end. Standard output belongs to the parent."""
    import signal

    code = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)  # the timer of the parent is not inherited
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
        answer = _DONE + make().encode("utf-8", "surrogatepass")
        while answer:
            answer = answer[os.write(pipe, answer) :]
        code = 0
    except BaseException as error:  # noqa: BLE001 - the outermost frame of this process
        say(f"cuedeck hook: {type(error).__name__}: {error}")
    finally:
        os._exit(code)


def _kill(child: int) -> None:
    import signal

    try:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    except OSError:  # it ended meanwhile
        return


def _end_after(seconds: float) -> None:
    time.sleep(seconds)
    os._exit(0)


def _do_nothing() -> None:
    """Do nothing."""


def say(text: str) -> None:
    """Write a line of diagnostics to standard error."""
    if sys.stderr is not None:
        try:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()
        except (OSError, ValueError):  # nobody reads it
            return


def _write(text: str) -> None:
    data = f"{text}\n".encode("utf-8", "backslashreplace") if text else b""
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:  # the reader went away: there is nobody to tell
        return
