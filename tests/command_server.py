"""Server that runs each command in a forked process, so that no command pays for the
start of Python and imports.

    python command_server.py SOCKET [servers]

The client sends one line of JSON for each command over the socket, with the file
descriptors for its input and output. The server answers with the process id, and with
the exit code when the process ends. Each command has its own session, environment,
working folder, input and output, as if it had been started. With `servers` it
imports the servers of the package, too.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO, Any, NamedTuple, NoReturn

_TIMEOUT_SECONDS = 60
_LIFETIME_SECONDS = 1_200
"""Limit of a command that a test starts and ends itself."""


class CommandResult(NamedTuple):
    """Exit code and output of a command."""

    code: int
    out: bytes
    err: bytes


class CommandServer:
    """Client of the server process."""

    def __init__(self, *options: str) -> None:
        self._socket, theirs = socket.socketpair()
        self._lock = threading.Lock()
        self._received = b""
        self._codes: dict[int, int] = {}
        with theirs:
            self._server = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno()), *options],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                cwd=os.path.dirname(__file__),
            )
        atexit.register(self.close)

    def run(
        self,
        arguments: Sequence[str],
        folder: str,
        environ: Mapping[str, str],
        data: bytes,
        writes: str = "",
        unprivileged: bool = False,
    ) -> CommandResult:
        """Run one command and wait for it; `data` is its input, `writes` a file that
        the paths it changes go to; `unprivileged` subjects root to file permissions.
        """
        with (
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            given.write(data)
            given.seek(0)
            streams = (given.fileno(), out.fileno(), err.fileno())
            more = {"writes": writes, "unprivileged": unprivileged}
            number = self._fork(
                arguments, folder, environ, streams, _TIMEOUT_SECONDS, **more
            )
            code = self.exit_code(number, _TIMEOUT_SECONDS * 2)
            assert code is not None
            out.seek(0)
            err.seek(0)
            return CommandResult(code, out.read(), err.read())

    def start(
        self,
        arguments: Sequence[str],
        folder: str,
        environ: Mapping[str, str],
        stdin: int | IO[bytes] = subprocess.DEVNULL,
        stdout: int | IO[bytes] = subprocess.PIPE,
        stderr: int | IO[bytes] = subprocess.PIPE,
    ) -> ForkedProcess:
        """Start one command; the streams are as those of `subprocess.Popen`."""
        pipes = [_Stream(stdin, "wb"), _Stream(stdout, "rb"), _Stream(stderr, "rb")]
        theirs = [each.theirs for each in pipes]
        try:
            number = self._fork(arguments, folder, environ, theirs, _LIFETIME_SECONDS)
        finally:
            for each in pipes:
                each.close_theirs()
        return ForkedProcess(self, number, *(each.ours for each in pipes))

    def exit_code(self, number: int, seconds: float | None) -> int | None:
        """Return the exit code of a process, or None if it still runs after some
        seconds; without a limit, wait for its end.
        """
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            with self._lock:
                if number in self._codes:
                    return self._codes[number]
                left = 1.0 if end is None else end - time.monotonic()
                self._receive(min(max(left, 0), 0.05))
                if number in self._codes:
                    return self._codes[number]
            if end is not None and time.monotonic() >= end:
                return None

    def close(self) -> None:
        """End the server process."""
        self._socket.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._server.wait(10)

    def _fork(
        self,
        arguments: Sequence[str],
        folder: str,
        environ: Mapping[str, str],
        streams: Sequence[int],
        seconds: int,
        **more: object,
    ) -> int:
        """Fork a process for a command; return its id."""
        request = {
            "arguments": arguments,
            "folder": folder,
            "environ": dict(environ),
            "seconds": seconds,
            **more,
        }
        with self._lock:
            data = json.dumps(request).encode() + b"\n"
            sent = socket.send_fds(self._socket, [data], streams)
            self._socket.sendall(data[sent:])
            while True:
                for answer in self._receive(None):
                    if "code" not in answer:
                        return int(answer["pid"])

    def _receive(self, seconds: float | None) -> list[dict[str, int]]:
        """Receive messages of the server and keep the exit codes."""
        self._socket.settimeout(seconds or 0.0 if seconds is not None else None)
        with contextlib.suppress(BlockingIOError, TimeoutError):
            data = self._socket.recv(1 << 16)
            assert data, "the command server ended"
            self._received += data
        *lines, self._received = self._received.split(b"\n")
        messages: list[dict[str, int]] = [json.loads(line) for line in lines]
        for each in messages:
            self._codes.pop(each["pid"], None)  # of an earlier process with the same id
            if "code" in each:
                self._codes[each["pid"]] = each["code"]
        self._socket.settimeout(None)
        return messages


class _Stream:
    """Both ends of a standard stream of a command."""

    def __init__(self, given: int | IO[bytes], how: str) -> None:
        self.ours: IO[bytes] | None = None
        self._is_opened = given in (subprocess.PIPE, subprocess.DEVNULL)
        if given == subprocess.PIPE:
            reading, writing = os.pipe()
            self.theirs, ours = (
                (reading, writing) if how == "wb" else (writing, reading)
            )
            self.ours = open(ours, how)  # noqa: SIM115 - the caller closes it
        elif given == subprocess.DEVNULL:
            self.theirs = os.open(os.devnull, os.O_RDWR)
        else:
            self.theirs = given if isinstance(given, int) else given.fileno()

    def close_theirs(self) -> None:
        """Close the end of the command, unless the caller gave it."""
        if self._is_opened:
            os.close(self.theirs)


class ForkedProcess:
    """A started command, with the methods of `subprocess.Popen`."""

    def __init__(
        self,
        server: CommandServer,
        number: int,
        stdin: IO[bytes] | None,
        stdout: IO[bytes] | None,
        stderr: IO[bytes] | None,
    ) -> None:
        self._server = server
        self.pid = number
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, or None while the process runs."""
        if self.returncode is None:
            self.returncode = self._server.exit_code(self.pid, 0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end; return the exit code. Raises: TimeoutExpired."""
        if self.returncode is None:
            self.returncode = self._server.exit_code(self.pid, timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("cuedeck", timeout or 0)
        return self.returncode

    def communicate(
        self, data: bytes | None = None, timeout: float | None = None
    ) -> tuple[bytes, bytes]:
        """Write the input, read both outputs, and wait. Raises: TimeoutExpired."""
        end = None if timeout is None else time.monotonic() + timeout
        found = [b"", b""]

        def read(at: int, stream: IO[bytes]) -> None:
            found[at] = stream.read()
            stream.close()

        readers = [
            threading.Thread(target=read, args=(at, stream), daemon=True)
            for at, stream in enumerate((self.stdout, self.stderr))
            if stream is not None and not stream.closed
        ]
        for reader in readers:
            reader.start()
        if self.stdin is not None and not self.stdin.closed:
            with contextlib.suppress(BrokenPipeError):
                self.stdin.write(data or b"")
            with contextlib.suppress(BrokenPipeError):
                self.stdin.close()
        for reader in readers:
            reader.join(None if end is None else max(end - time.monotonic(), 0))
            if reader.is_alive():
                raise subprocess.TimeoutExpired("cuedeck", timeout or 0)
        self.wait(None if end is None else max(end - time.monotonic(), 0))
        return found[0], found[1]

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)


def serve() -> None:
    """Fork a child for each request, until the client closes the socket; then end the
    children that still run. The imported package is the one of this repository, not an
    installed one.
    """
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from preloaded_imports import import_modules

    import_modules(servers="servers" in sys.argv)
    from cuedeck.shells.hook import hook_main

    hook_main._SECONDS = 8.0  # a busy machine must not change the answers
    gc.freeze()
    woken, waker = os.pipe()
    for end in (woken, waker):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(waker)
    with (
        socket.socket(fileno=int(sys.argv[1])) as client,
        selectors.DefaultSelector() as selector,
    ):
        selector.register(client, selectors.EVENT_READ)
        selector.register(woken, selectors.EVENT_READ)
        running: set[int] = set()
        while True:
            ready = {key.fd for key, _ in selector.select()}
            if woken in ready:
                os.read(woken, 1 << 16)
                _report_ended(client, running)
            if client.fileno() not in ready:
                continue
            if not _fork_child(client, running, (woken, waker)):
                break
    for number in running:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def _fork_child(
    client: socket.socket, running: set[int], pipe: tuple[int, int]
) -> bool:
    """Fork a child for the next request; return False at the end of the requests."""
    data, streams, _, _ = socket.recv_fds(client, 1 << 16, 3)
    while data and not data.endswith(b"\n"):
        data += client.recv(1 << 16)
    if not data:
        return False
    number = os.fork()
    if not number:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        client.close()
        for end in pipe:
            os.close(end)
        _run_child(json.loads(data), streams)
    running.add(number)
    for stream in streams:
        os.close(stream)
    client.sendall(json.dumps({"pid": number}).encode() + b"\n")
    return True


def _report_ended(client: socket.socket, running: set[int]) -> None:
    """Send the exit codes of the children that ended."""
    while running:
        number, status = os.waitpid(-1, os.WNOHANG)
        if not number:
            return
        running.discard(number)
        answer = {"pid": number, "code": os.waitstatus_to_exitcode(status)}
        client.sendall(json.dumps(answer).encode() + b"\n")


def _run_child(request: dict[str, Any], streams: Sequence[int]) -> NoReturn:
    """Run the command of a request in this child process, and exit."""
    code = 1
    try:
        os.setsid()
        signal.alarm(request["seconds"])
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for stream in streams:
            os.close(stream)
        sys.stdin, sys.stdout = open(0), open(1, "w")  # noqa: SIM115
        sys.stderr = open(2, "w", buffering=1)  # noqa: SIM115
        os.environ.clear()
        os.environ.update(request["environ"])
        time.tzset()
        os.chdir(request["folder"])
        sys.argv = ["cuedeck", *request["arguments"]]
        from cuedeck.__main__ import main

        if request.get("unprivileged"):
            from drop_capabilities import drop_capabilities

            drop_capabilities()
        if request.get("writes"):
            from trace_writes import log_writes

            log_writes(
                os.open(
                    request["writes"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600
                )
            )
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - printed as the interpreter does
        import traceback

        traceback.print_exc()
    finally:
        for output in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                output.flush()
        os._exit(code)


if __name__ == "__main__":
    serve()
