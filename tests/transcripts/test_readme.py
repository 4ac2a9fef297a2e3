"""What the README shows is what a person gets."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def environ() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


def sessions() -> list[tuple[str, str]]:
    """Return (command, output) of every console block, in order."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output.rstrip("\n")))
    return found


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("readme") / "login"
    shutil.copytree(ROOT / "examples" / "login", place, ignore=shutil.ignore_patterns("cache", "SCENE.md"))
    return place


@pytest.mark.parametrize(("command", "output"), sessions())
def test_a_shown_session_is_what_happens(command: str, output: str, example: Path) -> None:
    words = shlex.split(command)
    if words[0] == "cd":
        assert (ROOT / words[1]).is_dir()
        return
    call = [sys.executable, "-m", "cuedeck", *words[1:]] if words[0] == "cuedeck" else words
    done = subprocess.run(call, cwd=example, capture_output=True, text=True, check=False, env=environ())
    assert done.stdout.rstrip("\n") == output


def test_the_picture_is_the_one_the_example_gives(example: Path) -> None:
    call = [sys.executable, "-m", "cuedeck", "graph", "--scene", "--format", "svg"]
    environment = environ() | {"CUEDECK_SCENE__BUDGET": "640"}
    done = subprocess.run(call, cwd=example, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == (ROOT / "examples" / "scene.svg").read_text("utf-8")


def test_every_command_and_setting_of_the_tables_exists() -> None:
    from cuedeck.cli.main import COMMANDS
    from cuedeck.parse.settings import keys

    for name in COMMANDS:
        assert re.search(rf"`{name}\b", README), name
    for full, _ in keys():
        section, name = full.split(".")
        assert f"`{full}`" in README or (f"`{section}." in README and f"`{name}`" in README), full
