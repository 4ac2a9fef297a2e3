"""Memory commands killed at each of their writes, repeatedly and with different
data.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.kills.bench import TESTS

if TYPE_CHECKING:
    from crash_runner import CrashRunner

_WARMTH = ("home", "cache", "bytecode")


def kill_at_each(times: int, seed: int, only: str) -> int:
    """Kill each command at each of its writes `times` times; print the result and
    return 1 after any failure.
    """
    sys.path[:0] = [TESTS]
    from crash_runner import CrashRunner
    from memory_commands import MEMORY_COMMANDS
    from sandbox import child_environ

    folder = Path(tempfile.mkdtemp(prefix="cuedeck-kills-")).resolve()
    for name in _WARMTH:
        (folder / name).mkdir()
    children = CrashRunner(child_environ(folder))
    failed: list[str] = []
    points = kills = 0
    try:
        for name in MEMORY_COMMANDS:
            if only in ("", name):
                started, before = time.perf_counter(), kills
                most = 0
                for turn in range(times):
                    number = _kill(
                        name, f"{seed} {name} {turn}", folder, children, failed
                    )
                    most, kills = max(most, number), kills + number
                points += most
                print(
                    f"{name:<24} {most:>4} points {kills - before:>6} kills {time.perf_counter() - started:>8.1f} s"
                )
    finally:
        children.close()
        shutil.rmtree(folder, ignore_errors=True)
    print(
        f"points         {points}\nkills          {kills}\nfailed         {len(failed)}"
    )
    print("\n".join(failed), file=sys.stderr)
    return int(bool(failed))


def _kill(
    name: str, seed: str, folder: Path, children: CrashRunner, failed: list[str]
) -> int:
    """Kill one command at each of its writes; return the number of writes."""
    from crash_cases import (
        check_forgettable,
        check_recovery,
        prepare_case,
        run_and_kill,
    )
    from memory_corpus import CorpusSize
    from workspace_copy import WorkspaceCopy

    lots = random.Random(seed)
    size = CorpusSize(
        lots.randint(10, 60),
        lots.randint(1, 20),
        lots.randint(4, 300),
        lots.randint(1, 8),
    )
    case = prepare_case(name, folder / "deed", children, children, size, lots)
    workspace = WorkspaceCopy(case.template, folder / "work")
    for plan in case.crash_points:
        run_and_kill(case, plan, workspace, children)
        try:
            check_recovery(case, folder / "work", children)
            check_forgettable(case, folder / "work", children)
        except AssertionError as error:
            failed.append(f"{seed}, {plan.how} {plan.at}: {str(error).splitlines()[0]}")
    return len(case.crash_points)
