"""Rows `oneshot` and `cold`: `cuedeck scene` as a whole process, unchanged and after
one change.
"""

from __future__ import annotations

import statistics

from benchmarks.figure import Figure
from benchmarks.lab import Lab
from benchmarks.rewrite import Rewriter
from benchmarks.workspace import Workspace

TURNS = 15
MOST_STARTS = 7
HEAVY = ("networkx", "tiktoken")
_BAR_AT = 1_000


def measure_unchanged(lab: Lab, docs: int) -> list[Figure]:
    """Run an unchanged `cuedeck scene`, alternating with an interpreter that does
    nothing.
    """
    workspace = lab.indexed(docs)
    lab.say(f"{docs:,} docs: {TURNS} scenes with nothing changed")
    figure = measure_alternating(lab, workspace, "oneshot", lab.launch.cuedeck("scene"))
    loaded = _heavy_imports(lab, workspace.root)
    note = (
        f"imports {' and '.join(loaded)}"
        if loaded
        else f"imports neither {' nor '.join(HEAVY)}"
    )
    if docs <= _BAR_AT:
        figure = figure.against(MOST_STARTS)
    return [figure._replace(note=note, met=False if loaded else figure.met)]


def measure_alternating(
    lab: Lab, workspace: Workspace, row: str, command: list[str]
) -> Figure:
    """Run a command repeatedly, alternating with an interpreter that does nothing."""
    launch = lab.launch
    nothing = launch.python("-c", "pass")
    times: list[float] = []
    floors: list[float] = []
    # The first turn reads files again that were written at the time of the index, and
    # warms the caches of the system. It is not measured.
    for turn in range(TURNS + 1):
        pair = (
            launch.seconds(nothing, workspace.root),
            launch.seconds(command, workspace.root),
        )
        if turn:
            floors.append(pair[0] * 1000)
            times.append(pair[1] * 1000)
    return Figure(
        row,
        "p50",
        workspace.docs,
        statistics.median(times),
        "ms",
        statistics.median(floors),
    )


def measure_changed(lab: Lab, docs: int) -> list[Figure]:
    """Run `cuedeck scene` after one change; the floor only loads the libraries and
    counts the scene.
    """
    workspace = lab.indexed(docs)
    lab.say(f"{docs:,} docs: {TURNS} scenes after a change")
    launch = lab.launch
    rewriter = Rewriter(lab, workspace)
    command = launch.cuedeck("scene")
    load = launch.benchmark("floor", "load", launch.vocabulary, workspace.scene, "0")
    times: list[float] = []
    floors: list[float] = []
    for _ in range(TURNS):
        floors.append(launch.seconds(load, lab.folder) * 1000)
        edit = rewriter.next()
        rewriter.write(edit, whole=False)
        times.append(launch.seconds(command, workspace.root) * 1000)
        rewriter.check(edit)
    return [
        Figure(
            "cold",
            "p50",
            docs,
            statistics.median(times),
            "ms",
            statistics.median(floors),
        )
    ]


def _heavy_imports(lab: Lab, folder: str) -> list[str]:
    command = lab.launch.cuedeck("scene")
    output = lab.launch.run(
        [command[0], "-X", "importtime", *command[1:]], folder
    ).stderr
    modules = {line.rpartition("|")[2].strip() for line in output.splitlines()}
    return [name for name in HEAVY if name in modules]
