"""Processes of a benchmark: timed complete runs, and long-running watchers."""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import cuedeck

_LAUNCHER = """import sys
from cuedeck.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
"""
"""Script that an installer writes for the command `cuedeck`. `python -m` would search
for the module at every start.
"""
_ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken"
_PATIENCE_SECONDS = 300.0
_END_SECONDS = 10.0


class Launch:
    """Settings of started processes: this interpreter, this copy of the product,
    separate caches.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.vocabulary = _unpack_vocabulary(os.path.join(folder, "vocabulary"))
        self._cuedeck = os.path.join(folder, "cuedeck")
        homes = (
            os.path.dirname(os.path.dirname(os.path.abspath(file)))
            for file in (cuedeck.__file__, __file__)
        )
        # No setting of either leaks in; compiled modules are kept as in an
        # installation, but away from the sources.
        own = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("CUEDECK_", "PYTHON"))
        }
        self.environ = {**own, "PYTHONPATH": os.pathsep.join(dict.fromkeys(homes))}
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
            self.environ[name] = os.path.join(folder, "home")
        self.environ["PYTHONPYCACHEPREFIX"] = os.path.join(folder, "compiled")
        with open(self._cuedeck, "w", encoding="ascii") as file:
            file.write(_LAUNCHER)

    def python(self, *arguments: str) -> list[str]:
        """Return the command line of this interpreter."""
        return [sys.executable, *arguments]

    def cuedeck(self, *arguments: str) -> list[str]:
        """Return the command line of the product."""
        return self.python(self._cuedeck, *arguments)

    def benchmark(self, module: str, *arguments: str) -> list[str]:
        """Return the command line of a module of this package."""
        return self.python("-m", f"benchmarks.{module}", *arguments)

    def seconds(self, command: Sequence[str], folder: str) -> float:
        """Run a command to its end; return its duration in seconds. Raises:
        RuntimeError if it fails.
        """
        started = time.perf_counter()
        self.run(command, folder)
        return time.perf_counter() - started

    def run(
        self, command: Sequence[str], folder: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end; return its output. Raises: RuntimeError if it
        fails.
        """
        ended = subprocess.run(
            command,
            cwd=folder,
            env=self.environ,
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=900,
        )
        if ended.returncode:
            raise RuntimeError(
                f"{' '.join(command)} ended with {ended.returncode}:\n{ended.stderr}"
            )
        return ended

    @contextmanager
    def run_events(self, command: Sequence[str], folder: str) -> Iterator[EventProcess]:
        """Start a process that prints a JSON object per line; stop it by its process id
        when the block ends.
        """
        with open(os.path.join(self.folder, "errors.log"), "ab") as errors:
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=self.environ,
                stdout=subprocess.PIPE,
                stderr=errors,
                encoding="utf-8",
            )
        try:
            yield EventProcess(process)
        finally:
            process.terminate()
            try:
                process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _unpack_vocabulary(folder: str) -> str:
    """Put the rank file at the place of a finished tiktoken download; return the
    folder.
    """
    packed = os.path.join(
        os.path.dirname(os.path.abspath(cuedeck.__file__)),
        "store/tokens/vocabulary/o200k_base.tiktoken.xz",
    )
    os.makedirs(folder, exist_ok=True)
    name = hashlib.sha1(_ADDRESS.encode(), usedforsecurity=False).hexdigest()
    with lzma.open(packed) as source, open(os.path.join(folder, name), "wb") as target:
        target.write(source.read())
    return folder


class EventProcess:
    """A running process and its events."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._events: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def until(self, event: str) -> dict[str, Any]:
        """Return the next event with this name. Raises: RuntimeError if the process
        exits first.
        """
        while True:
            message = self._events.get(timeout=_PATIENCE_SECONDS)
            if message["event"] == event:
                return message
            if message["event"] == "ended":
                raise RuntimeError(
                    f"{self._process.args!r} ended with {self._process.wait()}"
                )

    def take_events(self) -> list[dict[str, Any]]:
        """Return the events that were not returned before."""
        events: list[dict[str, Any]] = []
        while not self._events.empty():
            events.append(self._events.get())
        return events

    def memory_bytes(self) -> tuple[int, int] | None:
        """Return the current and the maximum resident set; None if the system does not
        report them.
        """
        rows = _proc(self.pid, "status")
        sizes = dict(
            row.split(":", 1)
            for row in rows.splitlines()
            if row.startswith(("VmRSS", "VmHWM"))
        )
        if not sizes:
            return None
        now, high = (int(sizes[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))
        return now, high

    def cpu_seconds(self) -> float | None:
        """Return the processor time used so far; None if the system does not
        report it.
        """
        fields = _proc(self.pid, "stat").rpartition(")")[2].split()
        return (
            (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            if fields
            else None
        )

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._events.put(json.loads(line))
        self._events.put({"event": "ended"})


def _proc(pid: int, name: str) -> str:
    try:
        with open(f"/proc/{pid}/{name}", encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""
