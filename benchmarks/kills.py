"""Kill real commands at random moments: `python -m benchmarks.kills [--count 300] [--seed 1]`.

Each command is killed with SIGKILL after a random share of the time it usually takes. After each kill everything that
was acknowledged, by a command that ended with 0, must be there. A kill hits a write when it comes in the middle of one,
or after one write of the command and before another: the harness of the tests tells through a pipe what was written.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.process import Launch

_CRASH = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "crash.py")
_GROWTH = 40
"""Characters by which each text is longer than the one before; so the session file is packed before the end."""
_LATEST = 1.3
"""Share of its usual time after which a command is killed at the latest; above 1, so that many come to their end."""
_CARD = "---\nid: aaaaaa\ntitle: Fix login\nstatus: active\nrefs: [README.md]\n---\n"


class Fact(NamedTuple):
    """Something that is remembered once a command has ended well."""

    kind: str
    text: str


class Ended(NamedTuple):
    """A command that ended or was killed."""

    code: int
    seconds: float
    where: str
    """Where the kill found it: `before`, `in`, `between` or `after` its writes."""


class Bench:
    """A workspace and the commands that are killed in it."""

    def __init__(self, folder: str) -> None:
        self.root = os.path.join(folder, "work")
        self._launch = Launch(folder)
        self.usual: dict[str, list[float]] = {}
        """Seconds of the runs that came to their end, by kind."""
        self.known: set[Fact] = set()
        """What was acknowledged."""
        os.makedirs(os.path.join(self.root, ".cuedeck/cards"))
        self._write(".cuedeck/cards/aaaaaa.md", _CARD)
        self._write("README.md", "# Hello\n")
        for command in (("init",), ("session", "start")):
            self._launch.run(self._launch.cuedeck(*command), self.root)

    def _write(self, path: str, text: str) -> None:
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
            file.write(text)

    def commands(self) -> Iterator[tuple[Fact, list[str]]]:
        """Yield commands without end, each with what it makes known."""
        number = 0
        while True:
            number += 1
            name, text = f"{number}.md", f"number {number} " + "x" * (number * _GROWTH)
            self._write(name, text)
            yield Fact("notes", text), ["session", "note", text]
            yield Fact("workingSet", name), ["session", "touch", name, "--write"]
            yield Fact("decisions", f"number {number}"), ["decide", f"number {number}", "--because", text]
            yield Fact("checkpoints", text), ["session", "checkpoint", text]

    def run(self, fact: Fact, command: Sequence[str], share: float | None) -> Ended:
        """Run a command; kill it after a share of its usual time."""
        reader, writer = os.pipe()
        arguments = self._launch.python(_CRASH, "once", str(writer), '[0, ""]', *command)
        started = time.perf_counter()
        process = subprocess.Popen(
            arguments, cwd=self.root, env=self._launch.environ, pass_fds=(writer,),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(writer)
        if share is not None:
            time.sleep(share * statistics.median(self.usual[fact.kind]))
            process.kill()
        with os.fdopen(reader, encoding="utf-8") as log:
            rows = [json.loads(line)[0] for line in log]
        code = process.wait()
        seconds = time.perf_counter() - started
        if code == 0:
            self.known.add(fact)
            if share is None:
                self.usual.setdefault(fact.kind, []).append(seconds)
        where = "before" if not rows else "after" if rows[-1] == "done" else "in" if rows[-1] == "begin" else "between"
        return Ended(code, seconds, where)

    def missing(self) -> set[Fact]:
        """Return what was acknowledged and is not there."""
        from cuedeck.app.decisions.log import decisions_of
        from cuedeck.app.project import open_project
        from cuedeck.app.sessions.listing import list_sessions, show_session

        project = open_project(self.root, {})
        try:
            found = {Fact("decisions", each.decision) for each in decisions_of(project)}
            listed = list_sessions(project)
            assert not listed["faults"], listed
            for row in listed["sessions"]:
                session = show_session(project, row["session"])
                found |= {Fact(kind, each["text"]) for kind in ("notes", "checkpoints") for each in session[kind]}
                found |= {Fact("workingSet", path) for path in session["workingSet"]}
        finally:
            project.close()
        return self.known - found

    def errors(self) -> list[str]:
        """Return what the doctor calls an error."""
        told = subprocess.run(
            self._launch.cuedeck("doctor", "--json"), cwd=self.root, env=self._launch.environ, capture_output=True,
            check=False,
        )  # fmt: skip
        return [str(each) for each in json.loads(told.stdout)["findings"] if each["level"] == "error"]


class Result(NamedTuple):
    """What a run of kills showed."""

    kills: int
    where: Counter[str]
    acknowledged: int
    losses: set[Fact]
    errors: list[str]


def kill(count: int, seed: int) -> Result:
    """Kill so many commands, and count what is lost."""
    lots = random.Random(seed)
    where: Counter[str] = Counter()
    losses: set[Fact] = set()
    folder = os.path.realpath(tempfile.mkdtemp(prefix="cuedeck-kills-"))
    try:
        bench = Bench(folder)
        commands = bench.commands()
        for _ in range(4):
            fact, command = next(commands)
            for _ in range(2):
                if bench.run(fact, command, None).code:
                    raise RuntimeError(f"{command} failed")
            del bench.usual[fact.kind][0]  # it compiled what it imports
        while where.total() < count:
            fact, command = next(commands)
            ended = bench.run(fact, command, lots.uniform(0, _LATEST))
            if ended.code == 0:
                continue
            where[ended.where] += 1
            losses |= bench.missing()
        return Result(where.total(), where, len(bench.known), losses, bench.errors())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill, and tell what came of it; return 1 for any loss."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kills", description="Kill commands at random moments.")
    parser.add_argument("--count", type=int, default=300, help="kills (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default: %(default)s)")
    asked = parser.parse_args(arguments)
    result = kill(asked.count, asked.seed)
    hit = result.where["in"] + result.where["between"]
    print(f"kills          {result.kills}")
    print(f"hit a write    {hit} ({100 * hit / max(result.kills, 1):.0f} %)")
    for name in ("before", "in", "between", "after"):
        print(f"  {name:<12} {result.where[name]}")
    print(f"acknowledged   {result.acknowledged}")
    print(f"lost           {len(result.losses)}")
    print(f"errors         {len(result.errors)}")
    for each in (*sorted(result.losses), *result.errors):
        print(each, file=sys.stderr)
    return int(bool(result.losses or result.errors))


if __name__ == "__main__":
    sys.exit(main())
