"""Server that runs each command in a forked process, so that no command pays for the
start of Python and imports.

    python command_server.py      requests: lines of JSON; answers: lines of exit codes

Each command has its own session, environment, working folder, and files for input and
output, as if it had been started.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

_TIMEOUT_SECONDS = 60


class CommandResult(NamedTuple):
    """Exit code and output of a command."""

    code: int
    out: bytes
    err: bytes


class CommandServer:
    """Client of the server process; runs commands one after the other."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
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
    ) -> CommandResult:
        """Run one command and wait for it; `data` is its input, `writes` a file that
        the paths it changes go to.
        """
        assert self._server.stdin is not None and self._server.stdout is not None
        with tempfile.TemporaryDirectory(prefix="command-") as place:
            for name in ("in", "out", "err"):
                with open(os.path.join(place, name), "wb") as file:
                    file.write(data if name == "in" else b"")
            request = {
                "arguments": arguments,
                "folder": folder,
                "environ": dict(environ),
                "place": place,
            }
            request["writes"] = writes
            self._server.stdin.write(json.dumps(request).encode() + b"\n")
            self._server.stdin.flush()
            code = json.loads(self._server.stdout.readline())
            with (
                open(os.path.join(place, "out"), "rb") as out,
                open(os.path.join(place, "err"), "rb") as err,
            ):
                return CommandResult(code, out.read(), err.read())

    def close(self) -> None:
        """End the server process."""
        with contextlib.suppress(ValueError, OSError):
            self._server.communicate(timeout=10)


def serve() -> None:
    """Fork a child for each request. The imported package is the one of this
    repository, not an installed one.
    """
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from preloaded_imports import import_modules

    import_modules()
    gc.freeze()
    for line in sys.stdin.buffer:
        child = os.fork()
        if not child:
            _run_child(json.loads(line))
        status = os.waitpid(child, 0)[1]
        sys.stdout.buffer.write(
            json.dumps(os.waitstatus_to_exitcode(status)).encode() + b"\n"
        )
        sys.stdout.buffer.flush()


def _run_child(request: dict[str, Any]) -> NoReturn:
    """Run the command of a request in this child process, and exit."""
    code = 1
    try:
        os.setsid()
        signal.alarm(_TIMEOUT_SECONDS)
        for number, name in enumerate(("in", "out", "err")):
            how = os.O_RDONLY if name == "in" else os.O_WRONLY
            os.dup2(os.open(os.path.join(request["place"], name), how), number)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        os.environ.clear()
        os.environ.update(request["environ"])
        time.tzset()
        os.chdir(request["folder"])
        sys.argv = ["cuedeck", *request["arguments"]]
        from cuedeck.__main__ import main

        if request["writes"]:
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
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(code)


if __name__ == "__main__":
    serve()
