"""The language server in Neovim."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pygls.uris import from_fs_path
from sandbox import Sandbox

pytestmark = pytest.mark.slow

NVIM = shutil.which("nvim") or ""
SCRIPT = Path(__file__).with_name("neovim.lua")
CARD = ".cuedeck/cards/one.md"


def test_completion_definition_diagnostics_and_a_save(filled: Sandbox) -> None:
    if not NVIM:
        reason = "no Neovim: install Debian's neovim"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    answers = filled.root / "answers.json"
    environ = {
        **filled.environ,
        "CUEDECK_COMMAND": json.dumps([sys.executable, "-m", "cuedeck", "lsp"]),
        "CUEDECK_ANSWERS": str(answers),
    }
    command = [NVIM, "--headless", "-u", "NONE", "-c", f"luafile {SCRIPT}", CARD]
    ran = subprocess.run(
        command,
        cwd=filled.root,
        env=environ,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert answers.exists(), ran.stderr.decode()
    found = json.loads(answers.read_text())
    auth = from_fs_path(str(filled.place("docs/auth.md")))
    assert (found["definition"]["uri"], found["definition"]["range"]["start"]) == (
        auth,
        {"line": 4, "character": 0},
    )
    assert "limits" in found["completion"]
    rows = len(filled.place(CARD).read_text().splitlines())
    assert found["diagnostics"] == [["dead-anchor", rows - 1, len("🙂 [[".encode())]]
    assert found["saved"]
