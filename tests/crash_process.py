"""Process that kills itself at a chosen write. Python's write functions are replaced;
the product has no hooks for it.

    python crash_process.py serve                   fork a child for each line of JSON
    python crash_process.py stay                    run the requests in this process
    python crash_process.py once LOG PLAN ARGUMENT… run one command; LOG: an open file

Each operation that changes the disk is counted and logged. A plan selects one of them
and the moment of the crash: before it, after it, or in the middle of a write. Writes of
SQLite are not counted, because its file is a cache; lock files neither, because they
are empty.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import io
import json
import os
import resource
import signal
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn

from preloaded_imports import import_modules

_TIMEOUT_SECONDS = 60
_WRITING = os.O_CREAT | os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_TRUNC
_COUNTED = {
    "replace": 1, "rename": 1, "link": 1, "unlink": 0, "remove": 0, "rmdir": 0, "truncate": 0, "ftruncate": 0,
    "fsync": 0,
}  # fmt: skip
"""Counted functions of `os`, and the position of the argument with the path."""
_open, _os_open, _os_write = builtins.open, os.open, os.write


class CrashPlan(NamedTuple):
    """Crash point."""

    at: int
    """Number of the operation, from 1; 0 for no crash."""
    how: str
    """`before`, `after`; of a write also `half`, `line` (its first line alone), `short`
    and `torn` (all but one or two bytes)."""


def truncate_write(data: bytes, how: str) -> bytes:
    """Return the part of a write that reaches the disk."""
    ends = {
        "half": len(data) // 2,
        "line": data.find(b"\n") + 1,
        "short": len(data) - 1,
        "torn": len(data) - 2,
    }
    return data[: ends.get(how, len(data))]


class OperationCounter:
    """Counts and logs operations, and kills the process at the crash point."""

    def __init__(self, plan: CrashPlan, log: int) -> None:
        self._plan = plan
        self._log = log
        self._count = 0

    def do(
        self,
        name: str,
        place: object,
        act: Callable[[], Any],
        part: Callable[[str], object] | None = None,
    ) -> Any:
        """Run one operation; `part` writes only a part of it."""
        self._count += 1
        here = self._count == self._plan.at
        if here and self._plan.how == "before":
            kill_self()
        self._log_event("begin", name, place)
        if here and self._plan.how != "after":
            if part is not None:
                part(self._plan.how)
            kill_self()
        try:
            found = act()
        finally:
            if here:
                kill_self()
        self._log_event("end", name, place)
        return found

    def _log_event(self, what: str, name: str, place: object) -> None:
        _os_write(
            self._log,
            json.dumps(
                [what, name, os.fsdecode(place) if _is_path(place) else ""]
            ).encode()
            + b"\n",
        )


def _is_path(place: object) -> bool:
    return isinstance(place, (str, bytes, os.PathLike))


def kill_self() -> NoReturn:
    """Kill this process with SIGKILL."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise SystemExit  # never reached


class CountedFile:
    """A file open for writing that flushes every write."""

    def __init__(self, file: Any, operations: OperationCounter) -> None:
        self._file = file
        self._place = path_of(file.name)
        self._operations = operations

    def write(self, data: Any) -> Any:
        def act() -> Any:
            self._file.write(data)
            self._file.flush()
            return len(data)

        def part(how: str) -> None:
            self._file.write(
                truncate_write(data, how)
                if isinstance(data, bytes)
                else truncate_write(data.encode(), how).decode()
            )
            self._file.flush()

        return self._operations.do("write", self._place, act, part)

    def __enter__(self) -> CountedFile:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def path_of(place: Any) -> Any:
    """Return the path of a file descriptor; a path is returned unchanged."""
    return (
        os.readlink(f"/proc/self/fd/{place}")
        if isinstance(place, int) and os.path.isdir("/proc/self/fd")
        else place
    )


def count_operations(operations: OperationCounter) -> None:
    """Replace the write functions of Python by counted ones."""

    def counted(name: str, at: int) -> Callable[..., Any]:
        real = getattr(os, name)
        return lambda *args, **options: operations.do(
            name, path_of(args[at]), lambda: real(*args, **options)
        )

    for name, at in _COUNTED.items():
        setattr(os, name, counted(name, at))

    def open_(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
        if not set(mode) & set("wax+") or file == os.devnull:
            return _open(file, mode, *args, **options)
        if isinstance(file, int):  # its path was opened and counted before
            return CountedFile(_open(file, mode, *args, **options), operations)
        return CountedFile(
            operations.do("open", file, lambda: _open(file, mode, *args, **options)),
            operations,
        )

    def os_open(path: Any, flags: int, *args: Any, **options: Any) -> Any:
        if (
            not flags & _WRITING
            or path == os.devnull
            or os.fsdecode(path).endswith(".lock")
        ):
            return _os_open(path, flags, *args, **options)
        return operations.do(
            "open", path, lambda: _os_open(path, flags, *args, **options)
        )

    def os_write(handle: int, data: bytes) -> Any:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return _os_write(handle, data)
        act, part = (
            lambda: _os_write(handle, data),
            lambda how: _os_write(handle, truncate_write(bytes(data), how)),
        )
        return operations.do("write", path_of(handle), act, part)

    builtins.open = open_  # type: ignore[assignment]
    os.open, os.write = os_open, os_write  # type: ignore[assignment]


def run_once(log: int, plan: CrashPlan, arguments: list[str]) -> NoReturn:
    """Run one command in this process, and exit."""
    from cuedeck.shells.cli.cli_main import run

    count_operations(OperationCounter(plan, log))
    code = run(arguments)
    _os_write(log, b'["done", "", ""]\n')
    sys.exit(code)


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer requests. All modules are imported before, so that children need not
    import them.
    """
    import_modules()
    # The threshold that `cuedeck.__main__` sets.
    gc.set_threshold(50_000)
    gc.freeze()
    with (
        os.fdopen(os.dup(0), encoding="utf-8") as requests,
        os.fdopen(os.dup(1), "w", encoding="utf-8") as answers,
    ):
        for line in requests:
            answers.write(json.dumps(answer(json.loads(line))) + "\n")
            answers.flush()


def run_inline(request: dict[str, Any]) -> dict[str, Any]:
    """Run the commands of a request in this process."""
    with tempfile.TemporaryFile() as results:
        _enter(request)
        _run_commands(request, results.fileno())
        signal.alarm(0)
        results.seek(0)
        return {"signal": 0, "log": [], "ran": [json.loads(line) for line in results]}


def run_forked(request: dict[str, Any]) -> dict[str, Any]:
    """Run the commands of a request in a child."""
    with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as results:
        child = os.fork()
        if not child:
            try:
                _run(request, log.fileno(), results.fileno())
            finally:
                os._exit(1)
        _, status = os.waitpid(child, 0)
        texts = []
        for file in (log, results):
            file.seek(0)
            texts.append([json.loads(line) for line in file])
    return {
        "signal": os.waitstatus_to_exitcode(status),
        "log": texts[0],
        "ran": texts[1],
    }


def _run(request: dict[str, Any], log: int, results: int) -> NoReturn:
    """Run the commands of a request in this child process, and exit."""
    _enter(request)
    if request["plan"] is not None:
        count_operations(OperationCounter(CrashPlan(*request["plan"]), log))
    _run_commands(request, results)
    os._exit(0)


def _enter(request: dict[str, Any]) -> None:
    """Set the environment, the folder, the input and the time limit of a request."""
    signal.alarm(_TIMEOUT_SECONDS)
    os.environ.clear()
    os.environ.update(request["environ"])
    time.tzset()
    _set_stdin(request["text"])
    os.chdir(request["folder"])


def _run_commands(request: dict[str, Any], results: int) -> None:
    """Run the commands of a request, and write exit code and output of each as a line
    of JSON.
    """
    from cuedeck.shells.cli.cli_main import run

    for arguments in request["commands"]:
        out, err = _output_stream(), _output_stream()
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            _limit_file_size(request["largest"]),
        ):
            is_hook = arguments[:1] == ["hook"]
            code = run_hook(arguments[1:]) if is_hook else run(arguments)
        texts = [_text_of(stream) for stream in (out, err)]
        _os_write(results, json.dumps([code, *texts]).encode() + b"\n")


class InlineResponder:
    """Responder of a hook that works in this process and has no deadline."""

    def __init__(self, text: str, seconds: float) -> None:
        self.text = text
        self.on_deadline: Callable[[], None] | None = None
        self.started = time.monotonic()

    def work(self, make: Callable[[], str]) -> str:
        return make()

    def give(self, text: str) -> None:
        print(text, end="\n" if text else "")


def run_hook(arguments: list[str]) -> int:
    """Answer an event in this process; return the exit code."""
    from cuedeck.shells.hook import hook_main

    hook_main.Responder = InlineResponder  # type: ignore[assignment,misc]
    hook_main._SECONDS = 60.0  # a busy machine must not change the answers
    return hook_main.main(arguments)


def _output_stream() -> io.TextIOWrapper:
    """Return a stream in memory that encodes as the streams of the program do."""
    return io.TextIOWrapper(
        io.BytesIO(), encoding="utf-8", errors="replace", newline="\n"
    )


def _text_of(stream: io.TextIOWrapper) -> str:
    """Return the text that was written to a stream."""
    stream.flush()
    stream.seek(0)
    return stream.read()


@contextlib.contextmanager
def _limit_file_size(largest: int) -> Iterator[None]:
    """Limit the size of files; 0 for no limit."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest or before, most))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


def _set_stdin(text: str) -> None:
    """Make a text the standard input of this process."""
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
        serve(run_forked if sys.argv[1] == "serve" else run_inline)
    else:
        run_once(int(sys.argv[2]), CrashPlan(*json.loads(sys.argv[3])), sys.argv[4:])
