"""Rows `memory` and `idle`: resident memory of a watcher after some work, and its
processor time while idle.
"""

from __future__ import annotations

import shutil
import time

from benchmarks.figure import Figure
from benchmarks.lab import Lab
from benchmarks.rewrite import Rewriter
from benchmarks.save import floor_files, save_once
from benchmarks.workspace import Workspace

SAVES = 50
MOST_MEGABYTES = 150
IDLE_SECONDS = 5.0
_BAR_AT = 10_000


def measure_memory(lab: Lab, docs: int) -> list[Figure]:
    """Measure a watcher after some saves, on an existing index and on one it built
    itself.
    """
    workspace = lab.indexed(docs)
    load = lab.launch.benchmark(
        "floor", "load", lab.launch.vocabulary, workspace.scene, "600"
    )
    with lab.launch.run_events(load, lab.folder) as bare:
        bare.until("ready")
        floor = bare.memory_bytes()
    if floor is None:
        lab.say("memory: this system does not tell it")
        return []
    figures = _measure_watcher(lab, workspace, "warm index", floor[0])
    shutil.rmtree(workspace.cache)
    return figures + _measure_watcher(lab, workspace, "first index", floor[0])


def _measure_watcher(
    lab: Lab, workspace: Workspace, what: str, floor: int
) -> list[Figure]:
    rewriter = Rewriter(lab, workspace)
    if what == "first index":
        shutil.rmtree(workspace.cache)
    lab.say(f"{workspace.docs:,} docs: memory, {what}")
    with lab.launch.run_events(
        lab.launch.cuedeck("watch", "--json"), workspace.root
    ) as watcher:
        watcher.until("ready")
        for turn in range(SAVES):
            save_once(rewriter, watcher, workspace, whole=turn % 2 == 0)
            time.sleep(0.03)
        found = watcher.memory_bytes()
    assert found is not None
    now, high = found
    note = f"highest {high / 1e6:.0f} MB; floor: Python with networkx and the tokenizer"
    figure = Figure(
        "memory", what, workspace.docs, now / 1e6, "MB", floor / 1e6, note=note
    )
    return [figure.below(MOST_MEGABYTES) if workspace.docs <= _BAR_AT else figure]


def measure_idle(lab: Lab, docs: int) -> list[Figure]:
    """Measure the processor time of an idle watcher and of a bare one."""
    workspace = lab.indexed(docs)
    source, target = floor_files(lab, 40_000)
    bare = lab.launch.benchmark("floor", "save", source, target, "40000")
    with (
        lab.launch.run_events(
            lab.launch.cuedeck("watch", "--json"), workspace.root
        ) as watcher,
        lab.launch.run_events(bare, lab.folder) as floor,
    ):
        watcher.until("ready")
        floor.until("ready")
        time.sleep(1.0)
        lab.say(f"{docs:,} docs: {IDLE_SECONDS:g} s of nothing")
        before = watcher.cpu_seconds(), floor.cpu_seconds()
        time.sleep(IDLE_SECONDS)
        after = watcher.cpu_seconds(), floor.cpu_seconds()
    if None in before or None in after:
        lab.say("idle: this system does not tell it")
        return []
    shares = [
        100 * ((end or 0) - (start or 0)) / IDLE_SECONDS
        for start, end in zip(before, after, strict=True)
    ]
    note = "of one core; floor: a bare watcher with the same step"
    return [Figure("idle", "cpu", docs, shares[0], "%", shares[1], note=note)]
