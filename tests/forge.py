"""Commands as processes of their own, forked from one that has everything imported.

    python forge.py      a line of JSON on stdin asks for a command, a line on stdout says how it ended

A command gets a session, an environment, a folder and files for its input and output of its own, as if it had been
started; what it does not pay for is the start of Python and its imports.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

_PATIENCE_SECONDS = 60
_ELSEWHERE = ("lz4.frame", "networkx", "sqlite3", "difflib", "tomllib", "yaml", "frontmatter", "pyromark", "cronsim",
              "tree_sitter", "importlib.metadata", "logging")  # fmt: skip
"""What commands import on their way; without the tokenizer, whose absence some of them are tested for."""


class Forged(NamedTuple):
    """A command that has ended."""

    code: int
    out: bytes
    err: bytes


class Forge:
    """Runs commands, one after the other."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=os.path.dirname(__file__)
        )
        atexit.register(self.close)

    def run(self, arguments: Sequence[str], folder: str, environ: Mapping[str, str], data: bytes) -> Forged:
        """Run one command to its end."""
        assert self._server.stdin is not None and self._server.stdout is not None
        with tempfile.TemporaryDirectory(prefix="forge-") as place:
            for name in ("in", "out", "err"):
                with open(os.path.join(place, name), "wb") as file:
                    file.write(data if name == "in" else b"")
            request = {"arguments": arguments, "folder": folder, "environ": dict(environ), "place": place}
            self._server.stdin.write(json.dumps(request).encode() + b"\n")
            self._server.stdin.flush()
            code = json.loads(self._server.stdout.readline())
            with open(os.path.join(place, "out"), "rb") as out, open(os.path.join(place, "err"), "rb") as err:
                return Forged(code, out.read(), err.read())

    def close(self) -> None:
        """End the process they come from."""
        with contextlib.suppress(ValueError, OSError):
            self._server.communicate(timeout=10)


def serve() -> None:
    """Fork a child for each request; the package is the one beside these tests, whatever else is installed."""
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    import cuedeck

    for module in pkgutil.walk_packages(cuedeck.__path__, "cuedeck."):
        if not module.name.endswith("__main__") and ".mcp" not in module.name:
            importlib.import_module(module.name)
    for name in _ELSEWHERE:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.freeze()
    for line in sys.stdin.buffer:
        child = os.fork()
        if not child:
            _be(json.loads(line))
        status = os.waitpid(child, 0)[1]
        sys.stdout.buffer.write(json.dumps(os.waitstatus_to_exitcode(status)).encode() + b"\n")
        sys.stdout.buffer.flush()


def _be(request: dict[str, Any]) -> NoReturn:
    """Be the command."""
    code = 1
    try:
        os.setsid()
        signal.alarm(_PATIENCE_SECONDS)
        for number, name in enumerate(("in", "out", "err")):
            how = os.O_RDONLY if name == "in" else os.O_WRONLY
            os.dup2(os.open(os.path.join(request["place"], name), how), number)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        os.environ.clear()
        os.environ.update(request["environ"])
        time.tzset()
        os.chdir(request["folder"])
        sys.argv = ["cuedeck", *request["arguments"]]
        from cuedeck.cli.cli_main import main

        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - told as an interpreter tells it
        import traceback

        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(code)


if __name__ == "__main__":
    serve()
