"""The brief in docs/agents.md is the output of the hook, byte for byte;
`CUEDECK_ACCEPT=1` renews it.
"""

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

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "agents.md"
_SHOWN = re.compile(
    r"(?<=^~~~markdown\n)# Project context of CueDeck.*?(?=^~~~$)",
    re.MULTILINE | re.DOTALL,
)
_ASKED = re.compile(
    r"echo '(\{.*?\})' \| cuedeck hook (\S+) --host (\S+)$", re.MULTILINE
)


@pytest.fixture
def login(sandbox: Sandbox) -> Path:
    """Return a copy of the example without the files that commands write."""
    place = sandbox.root.parent / "login"
    ours = ("cache", "sessions", "SCENE.md", "active", "__pycache__")
    shutil.copytree(
        ROOT / "examples" / "login", place, ignore=shutil.ignore_patterns(*ours)
    )
    sandbox.ok("capture", "on", cwd=place)
    return place


def answer(sandbox: Sandbox, folder: Path) -> str:
    """Return the output of the command that the page shows."""
    requested = _ASKED.search(PAGE.read_text("utf-8"))
    assert requested is not None
    command = [
        sys.executable,
        "-m",
        "cuedeck",
        "hook",
        requested[2],
        "--host",
        requested[3],
    ]
    ran = subprocess.run(
        command,
        cwd=folder,
        env=sandbox.environ,
        input=requested[1].encode(),
        capture_output=True,
        check=True,
    )
    assert ran.stderr == b""
    return ran.stdout.decode()


def test_shown_answer_to_session_start_is_the_real_one(
    sandbox: Sandbox, login: Path
) -> None:
    given = answer(sandbox, login)
    brief = json.loads(given)["hookSpecificOutput"]["additionalContext"]
    whole = {
        "hookSpecificOutput": {
            "hookEventName": "SessionStart",
            "additionalContext": brief,
        }
    }
    assert given == json.dumps(whole) + "\n"
    text = PAGE.read_text("utf-8")
    if os.environ.get("CUEDECK_ACCEPT"):
        text = _SHOWN.sub(lambda found: brief, text)
        PAGE.write_text(text, "utf-8")
    assert _SHOWN.findall(text) == [brief]
