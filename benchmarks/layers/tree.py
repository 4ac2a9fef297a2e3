"""Speed of layers on a generated cortex tree: first build and warm status."""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path

from benchmarks.figure import Figure
from cuedeck.engine.init_workspace import init_workspace
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.knowledge.layers.build_layers import build_layers, layer_status

FILES = 10_000
_PER_DAY = 40
_DAYS = 28
_TOPICS = """
    deploy server login token cache index layer folder budget scene graph session record
    memory python rust error timeout release branch commit merge test bench design
    decide prefer Ana Lisbon Monday 2026 42
"""
_SENTENCES = (1, 2, 3, 5, 8, 20)
_ROUNDS = 5


def measure(files: int = FILES) -> list[Figure]:
    """Return the figures of the build and of the status."""
    with tempfile.TemporaryDirectory() as folder:
        root = str(Path(folder).resolve())
        init_workspace(root)
        tree = Path(root, ".cuedeck/cortex")
        _fill(tree, files)
        started = time.perf_counter()
        _build(root)
        built = files / (time.perf_counter() - started)
        _status(root)  # the cache is warm from here on
        _status(root)
        bare, status = [], []
        for _ in range(_ROUNDS):
            bare.append(_timed(lambda: _stat_all(str(tree))))
            status.append(_timed(lambda: _status(root)))
        rebuilt = _timed(lambda: _build(root))
    middle = _ROUNDS // 2
    floor = sorted(bare)[middle] * 1_000
    value = sorted(status)[middle] * 1_000
    return [
        Figure("layers", "first build", files, built, "files/s", None).at_least(300),
        Figure("layers", "warm status", files, value, "ms", floor),
        Figure("layers", "unchanged build", files, rebuilt * 1_000, "ms", floor),
    ]


def _fill(tree: Path, files: int) -> None:
    """Write the messages of sessions; always the same bytes."""
    chance = random.Random(1)
    for number in range(files):
        day, place = divmod(number, _PER_DAY)
        month, session = day // _DAYS % 12, day // (_DAYS * 12)
        folder = tree / f"session/s{session}/timeline/2026-{month + 1:02}"
        folder = folder / f"{day % _DAYS + 1:02}"
        folder.mkdir(parents=True, exist_ok=True)
        role = "user" if number % 2 == 0 else "assistant"
        header = f"---\nid: {number:08x}\nrole: {role}\nseq: {number + 1}\n---\n"
        text = " ".join(_sentence(chance) for _ in range(chance.choice(_SENTENCES)))
        name = f"09_{place:02}_00_{number:08x}.md"
        (folder / name).write_text(f"{header}{text}\n", encoding="utf-8")


def _sentence(chance: random.Random) -> str:
    topics = _TOPICS.split()
    words = [chance.choice(topics) for _ in range(chance.randint(6, 14))]
    return " ".join(words).capitalize() + "."


def _build(root: str) -> None:
    workspace = open_workspace(root, {})
    build_layers(workspace)
    workspace.close()


def _status(root: str) -> None:
    workspace = open_workspace(root, {})
    layer_status(workspace)
    workspace.close()


def _stat_all(top: str) -> int:
    """Look at every file with the least possible work; return their number."""
    found = 0
    waiting = [top]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    found += 1
    return found


def _timed(act: object) -> float:
    assert callable(act)
    started = time.perf_counter()
    act()
    return time.perf_counter() - started
