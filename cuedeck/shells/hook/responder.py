"""Response of a hook: exactly one JSON object on stdout before the deadline, whatever
happens.

On systems with `fork` and timers (Linux, macOS), the work runs in a child process while
this process waits with a timer. A C call that never returns or crashes therefore ends
with the child: this process writes the empty answer, kills the child and exits with 0.

On Windows the work runs in this process, and a thread ends calls that release the GIL.

`_signal` is the built-in part of `signal`, which makes enumerations first.
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
"""Time for the log line after the deadline; below the timeouts that are registered with
the hosts.
"""
_ORPHAN_SECONDS = 5.0
"""Additional lifetime of a child whose parent was killed."""
_DONE = b"\n"
"""First byte of a child's output; a killed child writes nothing."""


class Responder:
    """Writes one answer. At the deadline it writes the fallback and ends the
    process.
    """

    def __init__(self, text: str, seconds: float) -> None:
        self.text = text
        """The answer to write at the deadline."""
        self.on_deadline: Callable[[], None] | None = None
        """Called after the answer was written at the deadline."""
        self.started = time.monotonic()
        self._seconds = seconds
        self._child = 0
        self._claim = _thread.allocate_lock()
        if hasattr(os, "fork"):
            import _signal as signal  # type: ignore[import-not-found,unused-ignore]

            signal.signal(signal.SIGALRM, lambda number, frame: self._expire())
            signal.setitimer(signal.ITIMER_REAL, seconds)
        else:
            _thread.start_new_thread(self._watch, (seconds,))

    def work(self, make: Callable[[], str]) -> str:
        """Return the result of `make`, run in a child process if the system supports
        it.

        Raises: ChildProcessError if the child ended without an answer.
        """
        if not hasattr(os, "fork"):
            return make()
        readable, writable = os.pipe()
        try:
            self._child = os.fork()
        except OSError:  # process limit reached
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
        """Write the answer, unless the deadline already wrote one."""
        if not self._claim.acquire(False):
            time.sleep(_PAUSE_SECONDS)  # the deadline is ending the process
        if hasattr(os, "fork"):
            import _signal as signal

            # At exit the interpreter restores the default SIGALRM handler, which would
            # change the exit code.
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
        say("cuedeck hook: no answer in time; the agent continues without one")
        try:
            if self._child:
                os.kill(self._child, 9)
                os.waitpid(self._child, 0)
        except OSError:  # it has already ended
            pass
        try:
            if self.on_deadline:
                self.on_deadline()
        except BaseException as error:  # noqa: BLE001 - the answer is written; stderr is all that is left
            say(f"cuedeck hook: {type(error).__name__}: {error}")
        os._exit(0)


def _be_child(make: Callable[[], str], pipe: int, seconds: float) -> None:
    """Run the work of a hook, write the answer to a pipe and exit. Standard output
    belongs to the parent.
    """
    import _signal as signal

    code = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        # The timer of the parent is not inherited.
        signal.setitimer(signal.ITIMER_REAL, seconds)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        answer = _DONE + make().encode("utf-8", "surrogatepass")
        while answer:
            answer = answer[os.write(pipe, answer) :]
        code = 0
    except BaseException as error:  # noqa: BLE001 - the outermost frame of this process
        say(f"cuedeck hook: {type(error).__name__}: {error}")
    finally:
        os._exit(code)


def _end_after(seconds: float) -> None:
    time.sleep(seconds)
    os._exit(0)


def say(text: str) -> None:
    """Write a diagnostic line to stderr."""
    if sys.stderr is not None:
        try:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()
        except (OSError, ValueError):  # stderr is closed
            return


def _write(text: str) -> None:
    data = b""
    if text:
        data = f"{text}\n".encode("utf-8", "backslashreplace")
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:  # the host closed the pipe; there is no other output
        return
