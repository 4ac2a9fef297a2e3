"""A workspace in which commands are killed, and its acknowledged facts."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple, Protocol

from benchmarks.process import Launch

TESTS = os.path.join(
    os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
    "tests",
)
_CRASH = os.path.join(TESTS, "crash_process.py")
_LATEST = 1.2
"""Latest moment of a kill, as a share of the usual duration of the command; above 1, so
that many commands end first.
"""
_LATELY = 9
"""Number of latest runs of a kind that give its usual duration; files grow."""
_AIMED = 0.5
"""Share of the kills after the first write of a command; the others come at any moment.
"""
_CARD = "---\nid: aaaaaa\ntitle: Fix login\nstatus: active\nrefs: [README.md]\n---\n"
_LIVING = 0.25
"""Share of the commands that are not killed."""


class Fact(NamedTuple):
    """A fact that is stored once a command has exited with 0."""

    kind: str
    text: str


class KillableCommand(NamedTuple):
    """A command and its observable facts."""

    kind: str
    """Commands of one kind take about the same time."""
    arguments: list[str]
    makes: Fact | None = None
    takes: Fact | None = None
    """Fact that may be missing after the start, and is missing after exit code 0."""


class Commands(Protocol):
    """Commands of one area, and the facts that they stored."""

    def commands(self) -> Iterator[KillableCommand]:
        """Yield commands without end."""

    def found(self) -> set[Fact]:
        """Return the stored facts."""

    def errors(self) -> list[str]:
        """Return the errors of the files."""


class CommandEnd(NamedTuple):
    """Exit or kill of a command."""

    code: int
    where: str
    """Where the kill found it: `before`, `in`, `between` or `after` its writes."""


class UsualDuration(NamedTuple):
    """Usual duration of a kind of command."""

    seconds: float
    writing: float
    """Seconds from the first write to the end."""


class KillMoment(NamedTuple):
    """The moment of a kill."""

    seconds: float
    is_aimed: bool
    """Whether the seconds count from the first write."""


class KillWorkspace:
    """A workspace and the commands that are killed in it."""

    def __init__(self, folder: str) -> None:
        self.root = os.path.join(folder, "work")
        self.errors_place = os.path.join(folder, "errors.txt")
        """File with the error output of the last command."""
        self._launch = Launch(folder)
        self._launch.environ["CUEDECK_NO_BACKGROUND"] = "1"
        self._usual: dict[str, list[UsualDuration]] = {}
        """Durations of the runs without a kill, by kind of command."""
        self.known: set[Fact] = set()
        """Acknowledged facts."""
        self.gone: set[Fact] = set()
        """Facts with an acknowledged removal."""
        os.makedirs(os.path.join(self.root, ".cuedeck/cards"))
        self.write(".cuedeck/cards/aaaaaa.md", _CARD)
        self.write("README.md", "# Hello\n")
        for command in (("init",), ("session", "start")):
            self._launch.run(self._launch.cuedeck(*command), self.root)

    def write(self, path: str, text: str) -> None:
        """Write a file of the workspace."""
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
            file.write(text)

    def moment(self, kind: str, lots: random.Random) -> KillMoment | None:
        """Draw the moment of a kill; None for a command that survives, and for the
        first of its kind.
        """
        # The first run also compiles the modules that it imports.
        known = self._usual.get(kind, [])[1:][-_LATELY:]
        if not known or lots.random() < _LIVING:
            return None
        is_aimed = lots.random() < _AIMED
        usual = [each.writing if is_aimed else each.seconds for each in known]
        return KillMoment(lots.uniform(0, statistics.median(usual) * _LATEST), is_aimed)

    def run(self, command: KillableCommand, moment: KillMoment | None) -> CommandEnd:
        """Run a command; kill it at a moment."""
        reader, writer = os.pipe()
        arguments = self._launch.python(
            _CRASH, "once", str(writer), '[0, ""]', *command.arguments
        )
        if command.takes is not None:
            self.known.discard(command.takes)
        started = time.perf_counter()
        with open(self.errors_place, "wb") as errors:
            process = subprocess.Popen(
                arguments, cwd=self.root, env=self._launch.environ, pass_fds=(writer,),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            )  # fmt: skip
        os.close(writer)
        if moment is not None and not moment.is_aimed:
            time.sleep(moment.seconds)
            process.kill()
        with os.fdopen(reader, encoding="utf-8") as log:
            rows, times = [], []
            for line in log:
                rows.append(json.loads(line)[0])
                times.append(time.perf_counter())
                if moment is not None and moment.is_aimed and len(rows) == 1:
                    time.sleep(moment.seconds)
                    process.kill()
        code = process.wait()
        if code == 0:
            self.known |= {command.makes} - {None}
            self.gone |= {command.takes} - {None}
            if moment is None:
                usual = UsualDuration(
                    time.perf_counter() - started, times[-1] - times[0]
                )
                self._usual.setdefault(command.kind, []).append(usual)
        where = (
            "before"
            if not rows
            else "after"
            if rows[-1] == "done"
            else "in"
            if rows[-1] == "begin"
            else "between"
        )
        return CommandEnd(code, where)

    def errors(self) -> list[str]:
        """Return the errors reported by the doctor."""
        ended = subprocess.run(
            self._launch.cuedeck("doctor", "--json"), cwd=self.root, env=self._launch.environ, capture_output=True,
            check=False,
        )  # fmt: skip
        return [
            str(each)
            for each in json.loads(ended.stdout)["findings"]
            if each["level"] == "error"
        ]


class Result(NamedTuple):
    """Result of a run of kills."""

    kills: int
    where: Counter[str]
    acknowledged: int
    losses: set[Fact]
    """Acknowledged facts that are missing."""
    errors: list[str]


def kill(count: int, seed: int, kinds: Sequence[str]) -> Result:
    """Kill `count` commands of these kinds in turn, and count the losses."""
    from benchmarks.kills.memory import MemoryCommands
    from benchmarks.kills.sessions import SessionCommands

    known = {"sessions": SessionCommands, "memory": MemoryCommands}
    lots = random.Random(seed)
    where: Counter[str] = Counter()
    losses: set[Fact] = set()
    errors: dict[str, None] = {}
    folder = os.path.realpath(tempfile.mkdtemp(prefix="cuedeck-kills-"))
    try:
        bench = KillWorkspace(folder)
        areas: list[Commands] = [known[kind](bench, lots) for kind in kinds]
        for command in chain.from_iterable(
            zip(*(area.commands() for area in areas), strict=True)
        ):
            if where.total() >= count:
                break
            ended = bench.run(command, bench.moment(command.kind, lots))
            if ended.code == -signal.SIGKILL:
                where[ended.where] += 1
                losses |= bench.known - {
                    fact for area in areas for fact in area.found()
                }
                errors |= dict.fromkeys(
                    error for area in areas for error in area.errors()
                )
            elif ended.code:
                with open(bench.errors_place, encoding="utf-8") as file:
                    raise RuntimeError(
                        f"{' '.join(command.arguments)} ended with {ended.code}: {file.read()}"
                    )
        return Result(
            where.total(),
            where,
            len(bench.known) + len(bench.gone),
            losses,
            [*errors, *bench.errors()],
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)
