"""Commands in children of a process that has everything imported, and what they leave when they die."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from crash import Plan
from desk import Ran, child_environ, session_folder

LIVE = Plan(0, "")
KILLED = -9


class Write(NamedTuple):
    """An operation that was begun."""

    name: str
    place: str
    done: bool
    """Whether it did anything: taking away what is not there does not."""

    def __str__(self) -> str:
        return f"{self.name} {Path(self.place).name}"


class Ended(NamedTuple):
    """How a child ended."""

    signal: int
    """Its exit code; minus the number of the signal that killed it."""
    ran: tuple[Ran, ...]
    """The commands that came to their end."""
    writes: tuple[Write, ...]


class Children:
    """Starts children that run commands, in order, as `crash.py` does it."""

    def __init__(self, environ: Mapping[str, str], before: Sequence[str] = (), how: str = "serve") -> None:
        """Start the process they come from; `before` is a command that runs it.

        With `stay` for `how` it runs the commands itself: for those that only tell what is there.
        """
        # What goes on by itself would write while a test looks.
        self._environ = {**environ, "CUEDECK_NO_BACKGROUND": "1"}
        self._crash = [sys.executable, str(Path(__file__).with_name("crash.py"))]
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
        """Of the process they come from."""
        return self._server.pid

    def run(
        self, root: Path, *commands: Sequence[str], plan: Plan | None = None, text: str = "", largest: int = 0
    ) -> Ended:
        """Run commands in one new process, with what is piped to the first, where no file may grow beyond `largest`."""
        assert self._server.stdin is not None and self._server.stdout is not None
        request = {"folder": str(root), "commands": commands, "plan": plan, "text": text, "largest": largest}
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        answer: dict[str, Any] = json.loads(self._server.stdout.readline())
        return Ended(answer["signal"], tuple(Ran(*each) for each in answer["ran"]), begun(answer["log"]))

    def start(self, root: Path, command: Sequence[str], plan: Plan) -> Ended:
        """Run a command in a process that is started for it alone."""
        with tempfile.TemporaryFile() as log:
            arguments = [*self._crash, "once", str(log.fileno()), json.dumps(plan), *command]
            ended = subprocess.run(
                arguments, cwd=root, env=self._environ, pass_fds=[log.fileno()], capture_output=True, timeout=60
            )
            log.seek(0)
            return Ended(ended.returncode, (), begun([json.loads(line) for line in log]))

    def ok(self, root: Path, *commands: Sequence[str]) -> None:
        """Run commands that must succeed, each in a process of its own."""
        for command in commands:
            (ran,) = self.run(root, command).ran
            assert ran.code == 0, (command, ran)

    def close(self) -> None:
        """End the process they come from."""
        self._server.communicate(timeout=60)


def begun(log: Sequence[tuple[str, str, str]]) -> tuple[Write, ...]:
    """Return the operations of a log."""
    pairs = zip(log, [*log[1:], ("", "", "")], strict=False)
    return tuple(Write(name, place, then[0] == "end") for (what, name, place), then in pairs if what == "begin")


def plans(writes: Sequence[Write], cuts: Sequence[str] = ("half", "line", "short")) -> list[Plan]:
    """Return every crash point of a command that does these operations.

    After one operation is before the next: nothing lasting lies between them. So `after` is there for the last alone.
    What asks for a file to reach the disk changes none: who comes before it need not come after it, too.
    Only a file that grows in its place can be seen with a part of a write in it; one of a cache is cut in one place.
    """
    found = []
    for number, write in enumerate(writes, 1):
        if number == 1 or (writes[number - 2].done and writes[number - 2].name != "fsync"):
            found.append(Plan(number, "before"))
        if write.name == "write":
            is_hidden = write.place.endswith(".tmp") or "/cache/" in write.place
            found += [Plan(number, how) for how in (cuts[:1] if is_hidden else cuts)]
    return [*found, Plan(len(writes), "after")] if writes else []


@pytest.fixture(scope="session")
def children(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Children]:
    """Children of one process for all tests of a worker."""
    made = Children(child_environ(session_folder(tmp_path_factory)))
    yield made
    made.close()


@pytest.fixture(scope="session")
def witness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Children]:
    """One process that tells all tests of a worker what others left."""
    made = Children(child_environ(session_folder(tmp_path_factory)), how="stay")
    yield made
    made.close()
