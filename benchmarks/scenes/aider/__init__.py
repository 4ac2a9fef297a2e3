"""The repository map of aider, which runs in its own Python."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.process import Launch
from benchmarks.scenes.cases import Case
from benchmarks.scenes.worktree import Worktree

_SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "draw.py")
_PROBE = "import aider.repomap"


class Maps(NamedTuple):
    """The maps of one case."""

    texts: dict[int, str]
    """By budget."""
    first: float
    """Seconds of the first map, without the start of Python and the import of aider."""
    second: float
    """The same once more, with the tags of the first in aider's cache."""


def has_aider(python: str) -> bool:
    """Return whether a Python can import aider's map."""
    try:
        return (
            subprocess.run(
                [python, "-c", _PROBE], capture_output=True, check=False, timeout=300
            ).returncode
            == 0
        )
    except OSError:
        return False


class Aider:
    """Draws maps: the entry is the file in the chat, the card is the message."""

    def __init__(self, python: str, launch: Launch) -> None:
        self._python = python
        own = {
            name: value
            for name, value in launch.environ.items()
            if not name.startswith("PYTHON")
        }
        # It goes through sets of strings; its maps still differ a little from run to
        # run.
        self._environ = {
            **own,
            "TIKTOKEN_CACHE_DIR": launch.vocabulary,
            "PYTHONHASHSEED": "0",
        }

    def draw(
        self,
        case: Case,
        worktree: Worktree,
        paths: Sequence[str],
        budgets: Sequence[int],
    ) -> Maps:
        """Return the maps of all budgets. Raises: RuntimeError when aider fails."""
        message = f"{case.title}\n\n{case.body}"
        asked = {
            "entry": case.entry,
            "message": message,
            "paths": paths,
            "budgets": budgets,
        }
        ended = subprocess.run(
            [self._python, _SCRIPT],
            cwd=worktree.root,
            env=self._environ,
            input=json.dumps(asked),
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=900,
        )
        if ended.returncode:
            raise RuntimeError(f"aider ended with {ended.returncode}:\n{ended.stderr}")
        answer = json.loads(ended.stdout.splitlines()[-1])
        return Maps(
            {int(budget): text for budget, text in answer["maps"].items()},
            answer["first"],
            answer["second"],
        )
