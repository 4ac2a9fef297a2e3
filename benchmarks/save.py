"""Row `save`: from the save of a file in the scene to the replacement of SCENE.md."""

from __future__ import annotations

import os
import random
import statistics
import time
from typing import NamedTuple

from benchmarks.figure import Figure, quantile
from benchmarks.lab import Lab
from benchmarks.process import EventProcess
from benchmarks.rewrite import Rewriter, save, state, wait_until_replaced
from benchmarks.workspace import SEED, Workspace

MOST_P50, MOST_P99 = 5, 15
MOST_GROWTH = 2
"""Maximum p50 at 100,000 docs, as a multiple of the p50 at 1,000."""
_BAR_AT = 10_000
_SMALL, _LARGE = 1_000, 100_000
_WARM = 8
_PAUSE_SECONDS = (0.02, 0.06)


class Saves(NamedTuple):
    """Milliseconds of the saves and of those of the floor, and the stages that the
    watcher reports.
    """

    product: list[float]
    floor: list[float]
    stages: list[dict[str, float]]


def measure(lab: Lab, docs: int) -> list[Figure]:
    """Save docs while `cuedeck watch` runs, alternating with a bare watcher that only
    reads, writes and syncs.
    """
    count = 200 if docs <= 10_000 else 120
    saves = run(lab, lab.indexed(docs), count)
    typical = statistics.median(saves.floor)
    medians = {
        name: statistics.median(each[name] for each in saves.stages)
        for name in ("scan", "build", "write")
    }
    stages = ", ".join(f"{name} {value:.1f}" for name, value in medians.items())
    p50 = Figure(
        "save",
        "p50",
        docs,
        statistics.median(saves.product),
        "ms",
        typical,
        note=f"{count} saves; {stages}",
    )
    p99 = Figure("save", "p99", docs, quantile(saves.product, 0.99), "ms", typical)
    p99 = p99._replace(note=f"floor: p50, its p99 is {quantile(saves.floor, 0.99):.2f}")
    if docs == _BAR_AT:
        return [p50.against(MOST_P50), p99.against(MOST_P99)]
    return [p50, p99]


def growth(figures: list[Figure]) -> list[Figure]:
    """Return the ratio of the p50 of the largest workspace to that of the smallest, if
    both were measured.
    """
    typical = {
        figure.docs: figure.value
        for figure in figures
        if (figure.row, figure.what) == ("save", "p50")
    }
    if _SMALL not in typical or _LARGE not in typical:
        return []
    figure = Figure(
        "save",
        "growth",
        _LARGE,
        typical[_LARGE],
        "ms",
        typical[_SMALL],
        note=f"floor: {_SMALL:,} docs",
    )
    return [figure.against(MOST_GROWTH)]


def run(lab: Lab, workspace: Workspace, count: int) -> Saves:
    """Save `count` times, alternately in place and by replacement, with pauses."""
    rewriter = Rewriter(lab, workspace)
    source, target = floor_files(lab, os.path.getsize(workspace.scene))
    bare = lab.launch.benchmark(
        "floor", "save", source, target, str(os.path.getsize(workspace.scene))
    )
    chance = random.Random(SEED)
    saves = Saves([], [], [])
    with (
        lab.launch.run_events(
            lab.launch.cuedeck("watch", "--json"), workspace.root
        ) as watcher,
        lab.launch.run_events(bare, lab.folder) as floor,
    ):
        watcher.until("ready")
        floor.until("ready")
        lab.say(
            f"{workspace.docs:,} docs: {count} saves, {rewriter.visits} files in the scene"
        )
        for turn in range(-_WARM, count):
            whole = turn % 2 == 0
            edit = rewriter.next()
            before = state(target)
            started = save(source, edit.data, whole=whole)
            ended = wait_until_replaced(target, before)
            time.sleep(chance.uniform(*_PAUSE_SECONDS))
            product = save_once(rewriter, watcher, workspace, whole=whole)
            if turn >= 0:
                saves.floor.append((ended - started) * 1000)
                saves.product.append(product[0])
                saves.stages.append(product[1])
            time.sleep(chance.uniform(*_PAUSE_SECONDS))
    return saves


def save_once(
    rewriter: Rewriter, watcher: EventProcess, workspace: Workspace, *, whole: bool
) -> tuple[float, dict[str, float]]:
    """Save one doc under a watcher; return the milliseconds until SCENE.md contains it,
    and the watcher's own figure.
    """
    edit = rewriter.next()
    before = state(workspace.scene)
    started = rewriter.write(edit, whole=whole)
    ended = rewriter.wait(edit, before)
    return (ended - started) * 1000, watcher.until("scene")["ms"]


def floor_files(lab: Lab, size: int) -> tuple[str, str]:
    """Write the watched file of the floor, and the file that it replaces outside that
    folder.
    """
    watched = os.path.join(lab.folder, "floor")
    os.makedirs(watched, exist_ok=True)
    source, target = (
        os.path.join(watched, "doc.md"),
        os.path.join(lab.folder, "floor.md"),
    )
    for place in (source, target):
        with open(place, "wb") as file:
            file.write(b"x" * size)
    return source, target
