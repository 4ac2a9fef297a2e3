"""A new masking rule applies at once, whatever was cached under older rules."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sandbox import SOURCE, Sandbox

TOKEN = "zzt_" + "Qm4Kx8Tn2Wb6Lp9Zc3Vr"
TABLE = "RULES: tuple[Rule, ...] = (\n"
ROW = '    _flat("zz-token", "zzt_", r"[A-Za-z0-9]{20}"),\n'


def run(code: Path, sandbox: Sandbox, *words: str) -> str:
    """Run a command with the package at `code`; return all its output."""
    environ = {**os.environ, **sandbox.environ, "PYTHONPATH": str(code)}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-m", "cuedeck", *words],
        cwd=sandbox.root,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout + done.stderr


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A copy of the package that a test may edit."""
    place = tmp_path / "code"
    shutil.copytree(
        SOURCE / "cuedeck",
        place / "cuedeck",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return place


def test_new_format_masks_a_file_that_the_index_knows_as_clean(
    sandbox: Sandbox, code: Path
) -> None:
    sandbox.write("docs/keys.md", f"# Keys\n\n{TOKEN}\n")
    sandbox.card("aaaaaa", "refs: [docs/keys.md]")
    sandbox.activate("aaaaaa")
    commands = (("scene", "--print"), ("read", "docs/keys.md", "--json"))
    for _ in range(2):  # the second time everything comes from the index
        assert all(TOKEN in run(code, sandbox, *command) for command in commands)
    rules = code / "cuedeck/parse/secrets/formats.py"
    text = rules.read_text("utf-8")
    assert TABLE in text
    rules.write_text(text.replace(TABLE, TABLE + ROW), "utf-8")
    for command in commands:
        message = run(code, sandbox, *command)
        assert TOKEN not in message and "<secret:zz-token" in message, command
