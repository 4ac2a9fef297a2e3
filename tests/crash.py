"""Commands that kill themselves at a chosen write; what Python writes with is replaced, the product takes no part.

    python crash.py serve                     children are forked from this process, as lines of JSON on stdin ask
    python crash.py stay                      the same, but this process does itself what it is asked for
    python crash.py once LOG PLAN ARGUMENT…   this process is the child; LOG is the number of an open file

Each operation that a disk remembers is counted and logged. A plan names one of them and where to die: before it, after
it, or in the middle of a write. What SQLite does by itself is not seen: its file is a cache. Nor are files of locks:
nothing is in them.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import resource
import signal
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn

_PATIENCE_SECONDS = 60
_WRITING = os.O_CREAT | os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_TRUNC
_NAMED = {
    "replace": 1, "rename": 1, "link": 1, "unlink": 0, "remove": 0, "rmdir": 0, "truncate": 0, "ftruncate": 0,
    "fsync": 0,
}  # fmt: skip
"""Functions of `os` that are counted, and which argument says on what they act."""
_ELSEWHERE = ("lz4.frame", "filelock", "sqlite3", "difflib", "tomllib", "yaml", "frontmatter", "pyromark")
_open, _os_open, _os_write = builtins.open, os.open, os.write


class Plan(NamedTuple):
    """Where to die."""

    at: int
    """Number of the operation, from 1; 0 to live."""
    how: str
    """`before`, `after`; of a write also `half`, `line` (its first line alone), `short` and `torn` (all but one or two
    bytes)."""


def cut(data: bytes, how: str) -> bytes:
    """Return what of a write reaches the disk."""
    ends = {"half": len(data) // 2, "line": data.find(b"\n") + 1, "short": len(data) - 1, "torn": len(data) - 2}
    return data[: ends.get(how, len(data))]


class Operations:
    """Counts, logs, and kills."""

    def __init__(self, plan: Plan, log: int) -> None:
        self._plan = plan
        self._log = log
        self._count = 0

    def do(self, name: str, place: object, act: Callable[[], Any], part: Callable[[str], object] | None = None) -> Any:
        """Do one operation; `part` does a part of it."""
        self._count += 1
        here = self._count == self._plan.at
        if here and self._plan.how == "before":
            die()
        self._say("begin", name, place)
        if here and self._plan.how != "after":
            if part is not None:
                part(self._plan.how)
            die()
        try:
            found = act()
        finally:
            if here:
                die()
        self._say("end", name, place)
        return found

    def _say(self, what: str, name: str, place: object) -> None:
        _os_write(self._log, json.dumps([what, name, os.fsdecode(place) if _is_path(place) else ""]).encode() + b"\n")


def _is_path(place: object) -> bool:
    return isinstance(place, (str, bytes, os.PathLike))


def die() -> NoReturn:
    """End as a process ends that is killed."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise SystemExit  # never reached


class Written:
    """A file that is open for writing; everything written to it is on its way at once."""

    def __init__(self, file: Any, operations: Operations) -> None:
        self._file = file
        self._operations = operations

    def write(self, data: Any) -> Any:
        def act() -> Any:
            self._file.write(data)
            self._file.flush()
            return len(data)

        def part(how: str) -> None:
            self._file.write(cut(data, how) if isinstance(data, bytes) else cut(data.encode(), how).decode())
            self._file.flush()

        return self._operations.do("write", self._file.name, act, part)

    def __enter__(self) -> Written:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def named(place: Any) -> Any:
    """Return the name of an open file; a name is one."""
    return os.readlink(f"/proc/self/fd/{place}") if isinstance(place, int) and os.path.isdir("/proc/self/fd") else place


def arm(operations: Operations) -> None:
    """Put what counts in the place of what writes."""

    def counted(name: str, at: int) -> Callable[..., Any]:
        real = getattr(os, name)
        return lambda *args, **options: operations.do(name, named(args[at]), lambda: real(*args, **options))

    for name, at in _NAMED.items():
        setattr(os, name, counted(name, at))

    def open_(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
        if not set(mode) & set("wax+") or file == os.devnull:
            return _open(file, mode, *args, **options)
        return Written(operations.do("open", file, lambda: _open(file, mode, *args, **options)), operations)

    def os_open(path: Any, flags: int, *args: Any, **options: Any) -> Any:
        if not flags & _WRITING or path == os.devnull or os.fsdecode(path).endswith(".lock"):
            return _os_open(path, flags, *args, **options)
        return operations.do("open", path, lambda: _os_open(path, flags, *args, **options))

    def os_write(handle: int, data: bytes) -> Any:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return _os_write(handle, data)
        act, part = lambda: _os_write(handle, data), lambda how: _os_write(handle, cut(bytes(data), how))
        return operations.do("write", named(handle), act, part)

    builtins.open = open_  # type: ignore[assignment]
    os.open, os.write = os_open, os_write  # type: ignore[assignment]


def once(log: int, plan: Plan, arguments: list[str]) -> NoReturn:
    """Be the child."""
    from cuedeck.cli.cli_main import run

    arm(Operations(plan, log))
    code = run(arguments)
    _os_write(log, b'["done", "", ""]\n')
    sys.exit(code)


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer requests; everything is imported before, so that a child costs only what it does."""
    import cuedeck

    for module in pkgutil.walk_packages(cuedeck.__path__, "cuedeck."):
        if not module.name.endswith("__main__") and ".mcp" not in module.name:
            importlib.import_module(module.name)
    for name in _ELSEWHERE:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.freeze()
    with os.fdopen(os.dup(0), encoding="utf-8") as requests, os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        for line in requests:
            answers.write(json.dumps(answer(json.loads(line))) + "\n")
            answers.flush()


def stay(request: dict[str, Any]) -> dict[str, Any]:
    """Run the commands of a request in this process."""
    with tempfile.TemporaryFile() as told:
        _enter(request)
        _tell(request, told.fileno())
        signal.alarm(0)
        told.seek(0)
        return {"signal": 0, "log": [], "ran": [json.loads(line) for line in told]}


def fork(request: dict[str, Any]) -> dict[str, Any]:
    """Run the commands of a request in a child."""
    with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as told:
        child = os.fork()
        if not child:
            try:
                _run(request, log.fileno(), told.fileno())
            finally:
                os._exit(1)
        _, status = os.waitpid(child, 0)
        texts = []
        for file in (log, told):
            file.seek(0)
            texts.append([json.loads(line) for line in file])
    return {"signal": os.waitstatus_to_exitcode(status), "log": texts[0], "ran": texts[1]}


def _run(request: dict[str, Any], log: int, told: int) -> NoReturn:
    """Run the commands of a request in this process, which is there for them alone."""
    _enter(request)
    if request["plan"] is not None:
        arm(Operations(Plan(*request["plan"]), log))
    _tell(request, told)
    os._exit(0)


def _enter(request: dict[str, Any]) -> None:
    """Be where the commands of a request are run, with what is piped to them."""
    signal.alarm(_PATIENCE_SECONDS)
    _give(request["text"])
    os.chdir(request["folder"])


def _tell(request: dict[str, Any], told: int) -> None:
    """Run the commands of a request and tell of each how it ended."""
    from cuedeck.cli.cli_main import run

    for arguments in request["commands"]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _limited(request["largest"]):
            code = run(arguments)
        _os_write(told, json.dumps([code, out.getvalue(), err.getvalue()]).encode() + b"\n")


@contextlib.contextmanager
def _limited(largest: int) -> Iterator[None]:
    """Let no file grow beyond a size; 0 for any."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest or before, most))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


def _give(text: str) -> None:
    """Put a text where commands read what is piped in."""
    handle = _os_open(os.devnull, os.O_RDONLY)
    if text:
        with tempfile.TemporaryFile() as file:
            file.write(text.encode())
            file.seek(0)
            handle = os.dup(file.fileno())
    os.dup2(handle, 0)
    os.close(handle)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115


if __name__ == "__main__":
    if sys.argv[1] in ("serve", "stay"):
        serve(fork if sys.argv[1] == "serve" else stay)
    else:
        once(int(sys.argv[2]), Plan(*json.loads(sys.argv[3])), sys.argv[4:])
