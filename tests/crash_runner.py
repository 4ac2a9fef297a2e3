"""Runner of commands that are killed at a chosen write, in children of a process with
all imports done.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from crash_process import CrashPlan
from sandbox import CommandOutcome, child_environ, session_folder

NO_CRASH = CrashPlan(0, "")
KILLED = -9


class Operation(NamedTuple):
    """A started disk operation."""

    name: str
    place: str
    done: bool
    """Whether it succeeded: the removal of a missing file fails."""

    def __str__(self) -> str:
        return f"{self.name} {Path(self.place).name}"


class RunResult(NamedTuple):
    """Result of a child process."""

    signal: int
    """Exit code, or minus the number of the signal that killed it."""
    ran: tuple[CommandOutcome, ...]
    """Results of the completed commands."""
    writes: tuple[Operation, ...]


class CrashRunner:
    """Starts children that run commands in order, see `crash_process.py`."""

    def __init__(
        self, environ: Mapping[str, str], before: Sequence[str] = (), how: str = "serve"
    ) -> None:
        """Start the parent process; `before` is a command that starts it.

        With `stay` for `how` the parent runs the commands itself, which is faster for
        commands that are not killed.
        """
        # Background jobs would write while a test reads.
        self._environ = {**environ, "CUEDECK_NO_BACKGROUND": "1"}
        self._crash = [
            sys.executable,
            str(Path(__file__).with_name("crash_process.py")),
        ]
        self._server = subprocess.Popen(
            [*before, *self._crash, how],
            env=self._environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    @property
    def number(self) -> int:
        """Return the process id of the parent."""
        return self._server.pid

    def run(
        self,
        root: Path,
        *commands: Sequence[str],
        plan: CrashPlan | None = None,
        text: str = "",
        largest: int = 0,
        environ: Mapping[str, str] | None = None,
    ) -> RunResult:
        """Run commands in one process; `text` is the input of the first, `largest` the
        maximum size of a file, `environ` another environment than that of the runner.
        """
        assert self._server.stdin is not None and self._server.stdout is not None
        request = {
            "folder": str(root),
            "commands": commands,
            "plan": plan,
            "text": text,
            "largest": largest,
            "environ": dict(self._environ if environ is None else environ),
        }
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        answer: dict[str, Any] = json.loads(self._server.stdout.readline())
        return RunResult(
            answer["signal"],
            tuple(CommandOutcome(*each) for each in answer["ran"]),
            parse_operations(answer["log"]),
        )

    def start(self, root: Path, command: Sequence[str], plan: CrashPlan) -> RunResult:
        """Run a command in a new interpreter."""
        with tempfile.TemporaryFile() as log:
            arguments = [
                *self._crash,
                "once",
                str(log.fileno()),
                json.dumps(plan),
                *command,
            ]
            ended = subprocess.run(
                arguments,
                cwd=root,
                env=self._environ,
                pass_fds=[log.fileno()],
                capture_output=True,
                timeout=60,
            )
            log.seek(0)
            return RunResult(
                ended.returncode,
                (),
                parse_operations([json.loads(line) for line in log]),
            )

    def ok(self, root: Path, *commands: Sequence[str]) -> None:
        """Run commands that must succeed, each in its own child."""
        for command in commands:
            (ran,) = self.run(root, command).ran
            assert ran.code == 0, (command, ran)

    def close(self) -> None:
        """End the parent process."""
        self._server.communicate(timeout=60)


def parse_operations(log: Sequence[tuple[str, str, str]]) -> tuple[Operation, ...]:
    """Return the operations of a log."""
    pairs = zip(log, [*log[1:], ("", "", "")], strict=False)
    return tuple(
        Operation(name, place, then[0] == "end")
        for (what, name, place), then in pairs
        if what == "begin"
    )


def crash_points(
    writes: Sequence[Operation], cuts: Sequence[str] = ("half", "line", "short")
) -> list[CrashPlan]:
    """Return every crash point of a command with these operations.

    A crash after one operation equals a crash before the next, so only the last one has
    the point `after`. fsync changes no content, so the operation that follows it has no
    point `before`. Only files that grow in place can contain a part of a write; writes
    to temporary files and caches are truncated in one way only.

    No command reads the mark in a lock file for its data, or an unfinished temporary
    file: only the first mark of each lock has a point, and only the first temporary
    file has points before its write and its fsync.
    """
    found: list[CrashPlan] = []
    known: set[str] = set()
    last = 0
    previous: Operation | None = None
    for number, write in enumerate(writes, 1):
        is_mark = write.name == "ftruncate" and write.place.endswith(".lock")
        is_unread = write.name in ("write", "fsync") and write.place.endswith(".tmp")
        kind = write.place if is_mark else write.name
        is_known = (is_mark or is_unread) and kind in known
        if is_mark or is_unread:
            known.add(kind)
        is_new = previous is None or (previous.done and previous.name != "fsync")
        if is_new and not is_known:
            found.append(CrashPlan(number, "before"))
        previous = write
        last = last if is_mark else number
        if write.name == "write":
            is_hidden = write.place.endswith(".tmp") or "/cache/" in write.place
            found += [
                CrashPlan(number, how) for how in (cuts[:1] if is_hidden else cuts)
            ]
    return [*found, CrashPlan(last, "after")] if last else found


def sample_points(
    plans: Sequence[CrashPlan], writes: Sequence[Operation], most: int
) -> list[CrashPlan]:
    """Return about `most` evenly spread crash points, and the first one of each
    operation on each kind of file.
    """
    step = len(plans) // most + 1
    found: list[CrashPlan] = []
    known: set[tuple[str, str, str]] = set()
    for number, plan in enumerate(plans):
        write = writes[plan.at - 1]
        place = Path(write.place)
        kind = (write.name, plan.how, place.suffix or place.name)
        if number % step == 0 or kind not in known:
            found.append(plan)
        known.add(kind)
    return found


@pytest.fixture(scope="session")
def crash_runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CrashRunner]:
    """Runner with one parent process for all tests of a worker."""
    made = CrashRunner(child_environ(session_folder(tmp_path_factory)))
    yield made
    made.close()


@pytest.fixture(scope="session")
def shared_runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CrashRunner]:
    """Runner that runs commands in its own process, for all tests of a worker."""
    made = CrashRunner(child_environ(session_folder(tmp_path_factory)), how="stay")
    yield made
    made.close()
