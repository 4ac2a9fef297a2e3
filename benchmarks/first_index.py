"""Row `index`: rate of the first index of a workspace. As a module, time one such
index.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import time

# Not used here. The workers that read files import the main module again, and the main
# module of the command imports this module.
import cuedeck.shells.cli.cli_main  # noqa: F401
from benchmarks.figure import Figure
from benchmarks.lab import Lab

LEAST_DOCS_PER_SECOND = 1_500


def measure(lab: Lab, docs: int) -> list[Figure]:
    """Index a workspace without a cache, alternating with a pass that only lists, reads
    and hashes the files.
    """
    workspace = lab.workspace(docs)
    launch = lab.launch
    times: list[float] = []
    floors: list[float] = []
    for turn in range(5 if docs <= 1_000 else 3 if docs <= 10_000 else 1):
        lab.say(f"{docs:,} docs: index {turn + 1}")
        output = launch.run(
            launch.benchmark("floor", "index", workspace.root), lab.folder
        ).stdout
        floors.append(json.loads(output)["seconds"])
        shutil.rmtree(workspace.cache, ignore_errors=True)
        times.append(
            float(
                launch.run(
                    launch.benchmark("first_index", workspace.root), lab.folder
                ).stdout
            )
        )
    seconds, floor = statistics.median(times), statistics.median(floors)
    megabytes = workspace.size / 1e6
    note = f"{workspace.files:,} files in {seconds:.2f} s"
    return [
        Figure(
            "index", "docs", docs, docs / seconds, "docs/s", docs / floor, note=note
        ).at_least(LEAST_DOCS_PER_SECOND),
        Figure("index", "bytes", docs, megabytes / seconds, "MB/s", megabytes / floor),
    ]


def _index(root: str) -> float:
    from cuedeck.engine.open_workspace import open_workspace

    started = time.perf_counter()
    open_workspace(root, os.environ).refresh()
    return time.perf_counter() - started


if __name__ == "__main__":
    print(_index(sys.argv[1]))
