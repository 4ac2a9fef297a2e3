"""The language server in other editors, with the settings of the documentation."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sandbox import Sandbox

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs/editors.md"
NVIM = ["nvim", "--headless", "-u", "NONE", "-c", f"luafile {HERE / 'neovim.lua'}"]
EMACS = ["emacs", "--batch", "-l", str(HERE / "emacs.el")]
CARD = ".cuedeck/cards/one.md"


@pytest.mark.parametrize(
    ("command", "snippet", "column"),
    [
        (NVIM, r"```lua\n(vim.api.*?)```", len("🙂 [[".encode())),
        (EMACS, r"```elisp\n(.*?)```", 5),
    ],
    ids=["neovim", "emacs"],
)
def test_completion_definition_diagnostics_and_a_save(
    filled: Sandbox, command: list[str], snippet: str, column: int
) -> None:
    if not shutil.which(command[0]):
        reason = "install Debian's neovim, emacs-nox, elpa-eglot, elpa-markdown-mode"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    match = re.search(snippet, DOCS.read_text("utf-8"), re.DOTALL)
    assert match is not None
    filled.write("settings", match[1])
    answers = filled.root / "answers.json"
    environ = {
        **filled.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "CUEDECK_SNIPPET": str(filled.place("settings")),
        "CUEDECK_ANSWERS": str(answers),
        "CUEDECK_CARD": CARD,
    }
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
    assert found["definition"] == ["docs/auth.md", 5]
    assert "limits" in found["completion"]
    rows = len(filled.place(CARD).read_text().splitlines())
    ((*place, words),) = found["diagnostics"]
    assert place == [rows - 1, column]
    assert "dead-anchor" in words
    assert found["saved"]
