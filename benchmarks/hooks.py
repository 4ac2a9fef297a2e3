"""`python -m benchmarks.hooks [--docs N]`: processor time of hooks and of an
interpreter that does nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from benchmarks.figure import Figure, format_table
from benchmarks.lab import Lab
from benchmarks.records import write_memory
from benchmarks.workspace import Workspace

TURNS = 15
FEW_TURNS = 5
MOST_STARTS = 3
"""Maximum cost of a hook without work, in runs of an interpreter that does nothing."""
MOST_LARGE_STARTS = 30
MOST_LARGE_STOPS = 15
MOST_SEARCH_STARTS = 5
"""The three limits for hooks that read or extend a large memory, in the same unit."""
_LAUNCHER = """import sys
from cuedeck.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
"""
"""Script that an installer writes for the command `cuedeck`."""


class Case(NamedTuple):
    """A measured hook."""

    what: str
    event: str
    fields: Mapping[str, Any]
    """Fields of the request."""
    turns: int = TURNS
    before: Callable[[int], None] | None = None
    """Called before each run."""
    bar: float = 0
    environ: Mapping[str, str] = MappingProxyType({})
    """Additional variables."""


def main() -> int:
    """Measure every case; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.hooks", description=__doc__
    )
    parser.add_argument(
        "--docs",
        type=int,
        default=1_000,
        help="docs of the workspace (default: %(default)s)",
    )
    parser.add_argument(
        "--records",
        type=int,
        default=100_000,
        help="records of a large memory (default: %(default)s; 0 for none)",
    )
    asked = parser.parse_args()
    with Lab() as lab:
        workspace = lab.indexed(asked.docs)
        lab.launch.run(lab.launch.cuedeck("capture", "on"), workspace.root)
        bench = HookBenchmark(lab, workspace)
        bench.cpu_ms(bench.hook("session-start"), {"source": "startup"})
        figures = [bench.measure(case) for case in cases(workspace)]
        if asked.records:
            write_memory(workspace.root, asked.records)
            lab.launch.run(lab.launch.cuedeck("memory", "context"), workspace.root)
            # The first search reads the whole memory, which may outlast a hook.
            lab.launch.run(lab.launch.cuedeck("recall", "parser"), workspace.root)
            figures += [bench.measure(case) for case in large_cases(asked.records)]
    print(format_table(figures), end="")
    return int(any(figure.met is False for figure in figures))


def cases(workspace: Workspace) -> list[Case]:
    """Return the measured hooks; the first has no work."""
    doc = next(
        os.path.join(folder, names[0])
        for folder, _, names in os.walk(workspace.root)
        if "docs" in folder and names
    )

    def edit(turn: int) -> None:
        with open(doc, "a", encoding="utf-8") as file:
            file.write(f"Turn {turn}.\n")

    read = {"tool_name": "Read", "tool_input": {"file_path": doc}}
    write = {"tool_name": "Edit", "tool_input": {"file_path": doc}}
    ask = {"prompt": "go on"}
    kept = {"CUEDECK_CORTEX__TIMELINE": "true"}
    return [
        Case("prompt, nothing changed", "prompt", ask, bar=MOST_STARTS),
        Case(
            "post-tool without a file",
            "post-tool",
            {"tool_name": "Bash", "tool_input": {}},
            bar=MOST_STARTS,
        ),
        Case("post-tool, a file read before", "post-tool", read, bar=MOST_STARTS),
        Case("post-tool, a file written", "post-tool", write, FEW_TURNS, edit),
        Case("stop", "stop", {"last_assistant_message": ""}, FEW_TURNS),
        Case(
            "prompt, nothing changed, timeline",
            "prompt",
            ask,
            bar=MOST_STARTS,
            environ=kept,
        ),
        Case(
            "stop, timeline",
            "stop",
            {"last_assistant_message": ""},
            FEW_TURNS,
            environ=kept,
        ),
        Case("session-start", "session-start", {"source": "compact"}, FEW_TURNS),
    ]


def large_cases(records: int) -> list[Case]:
    """Return the hooks measured with a large memory, which each stop enlarges."""
    size = f", {records:,} records"
    return [
        Case(
            f"session-start{size}",
            "session-start",
            {"source": "startup"},
            FEW_TURNS,
            bar=MOST_LARGE_STARTS,
        ),
        Case(
            f"prompt, searched{size}",
            "prompt",
            {"prompt": "What about the login form and its fields?"},
            FEW_TURNS,
            bar=MOST_SEARCH_STARTS,
        ),
        Case(
            f"stop{size}",
            "stop",
            {"last_assistant_message": ""},
            FEW_TURNS,
            bar=MOST_LARGE_STOPS,
        ),
    ]


class HookBenchmark:
    """Runs hooks of a workspace, alternating with an interpreter that does nothing."""

    def __init__(self, lab: Lab, workspace: Workspace) -> None:
        self._lab = lab
        self._workspace = workspace
        self._launcher = os.path.join(lab.folder, "cuedeck-hook")
        with open(self._launcher, "w", encoding="ascii") as file:
            file.write(_LAUNCHER)

    def hook(self, event: str) -> list[str]:
        """Return the command of a hook."""
        return self._lab.launch.python(
            self._launcher, "hook", event, "--host", "claude"
        )

    def measure(self, case: Case) -> Figure:
        """Return the medians of a case and of its floor; the first round warms the
        caches.
        """
        self._lab.say(case.what)
        nothing, command = self._lab.launch.python("-c", "pass"), self.hook(case.event)
        floors, values = [], []
        for turn in range(case.turns + 1):
            floor = self.cpu_ms(nothing, {})
            if case.before:
                case.before(turn)
            fields = {
                **case.fields,
                **(
                    {"last_assistant_message": f"Turn {turn}."}
                    if case.event == "stop"
                    else {}
                ),
            }
            value = self.cpu_ms(command, fields, case.environ)
            if turn:
                floors.append(floor)
                values.append(value)
        figure = Figure(
            "hook",
            case.what,
            self._workspace.docs,
            statistics.median(values),
            "ms CPU",
            statistics.median(floors),
        )
        return figure.against(case.bar) if case.bar else figure

    def cpu_ms(
        self,
        command: list[str],
        request: Mapping[str, Any],
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> float:
        """Run a process to its end; return its processor time. Raises: RuntimeError if
        it fails.
        """
        data = json.dumps(
            {"session_id": "bench", "cwd": self._workspace.root, **request}
        ).encode()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environ = {
            **self._lab.launch.environ,
            **variables,
            "CUEDECK_NO_BACKGROUND": "1",
        }
        ended = subprocess.run(
            command,
            input=data,
            env=environ,
            cwd=self._lab.folder,
            capture_output=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if ended.returncode or ended.stderr:
            raise RuntimeError(
                f"{' '.join(command)}: {ended.stderr.decode('utf-8', 'replace')}"
            )
        return (
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        ) * 1000


if __name__ == "__main__":
    sys.exit(main())
