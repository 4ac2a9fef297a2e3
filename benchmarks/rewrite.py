"""Saves as an editor makes them: docs of the scene, rewritten one after the other."""

from __future__ import annotations

import json
import os
import random
import time
from typing import NamedTuple

from benchmarks.lab import Lab
from benchmarks.workspace import MARK, SEED, Workspace

_LOOK_SECONDS = 0.000_05
_PATIENCE_SECONDS = 30.0


class Edit(NamedTuple):
    """A doc and its new bytes."""

    place: str
    data: bytes
    mark: bytes
    """Text that the scene must contain after the edit."""


class Rewriter:
    """Changes one line in the docs that the scene shows in full; sizes and links
    stay.
    """

    def __init__(self, lab: Lab, workspace: Workspace) -> None:
        output = lab.launch.run(
            lab.launch.cuedeck("scene", "--json"), workspace.root
        ).stdout
        visits = json.loads(output)["visits"]
        self.paths = [
            visit["path"]
            for visit in visits
            if visit["kind"] == "doc" and visit["view"] == "full"
        ]
        self.visits = len(visits)
        self._workspace = workspace
        self._chance = random.Random(SEED)
        self._round = self._latest_round()

    def next(self) -> Edit:
        """Return the next edit; its marker never occurred in the scene before."""
        self._round += 1
        place = os.path.join(
            self._workspace.root, *self._chance.choice(self.paths).split("/")
        )
        mark = MARK.format(self._round).encode()
        with open(place, "rb") as file:
            lines = file.read().split(b"\n")
        at = next(at for at, line in enumerate(lines) if line.startswith(_MARK_START))
        lines[at] = mark
        return Edit(place, b"\n".join(lines), mark)

    def write(self, edit: Edit, *, whole: bool) -> float:
        """Save an edit in place, or as a `whole` file that replaces the old one; return
        the start time.
        """
        return save(edit.place, edit.data, whole=whole)

    def check(self, edit: Edit) -> None:
        """Raise AssertionError if the scene does not contain the edit."""
        with open(self._workspace.scene, "rb") as file:
            assert edit.mark in file.read(), (
                f"SCENE.md does not hold the save of {edit.place}"
            )

    def wait(self, edit: Edit, before: tuple[int, int]) -> float:
        """Return the time at which SCENE.md, previously `before`, was replaced by a
        file with the edit.
        """
        while True:
            at = wait_until_replaced(self._workspace.scene, before)
            with open(self._workspace.scene, "rb") as file:
                before = _mark_of(os.fstat(file.fileno()))
                if edit.mark in file.read():
                    return at

    def _latest_round(self) -> int:
        latest = 0
        for path in self.paths:
            with open(
                os.path.join(self._workspace.root, *path.split("/")), "rb"
            ) as file:
                line = next(line for line in file if line.startswith(_MARK_START))
            latest = max(latest, int(line[len(_MARK_START) :].rstrip(b".\n")))
        return latest


_MARK_START = MARK.partition("{")[0].encode()


def save(place: str, data: bytes, *, whole: bool) -> float:
    """Write a file in place, or as a `whole` file that replaces the old one; return the
    start time.
    """
    if whole:
        temporary = os.path.join(os.path.dirname(place), ".saving.tmp")
        with open(temporary, "wb") as file:
            file.write(data)
        started = time.perf_counter()
        os.replace(temporary, place)
        return started
    started = time.perf_counter()
    with open(place, "wb", buffering=0) as plain:
        plain.write(data)
    return started


def state(place: str) -> tuple[int, int]:
    """Return the attributes that change when a file is replaced."""
    return _mark_of(os.stat(place))


def wait_until_replaced(place: str, before: tuple[int, int]) -> float:
    """Wait until a file differs from `before`; return the time. Raises:
    TimeoutError.
    """
    end = time.perf_counter() + _PATIENCE_SECONDS
    while state(place) == before:
        if time.perf_counter() > end:
            raise TimeoutError(f"{place} was not replaced")
        # A loop without a pause would take one of two cores from the measured process.
        time.sleep(_LOOK_SECONDS)
    return time.perf_counter()


def _mark_of(found: os.stat_result) -> tuple[int, int]:
    return found.st_ino, found.st_mtime_ns
