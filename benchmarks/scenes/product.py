"""CueDeck on one case: a new workspace, one card with the commit's words and the entry
file as its ref.
"""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks.process import Launch
from benchmarks.scenes.cases import Case
from benchmarks.scenes.worktree import Worktree


class Scenes(NamedTuple):
    """The scenes of one case."""

    texts: dict[int, str]
    """By budget."""
    first: float
    """Seconds of the first scene as a process, nothing indexed."""
    second: float
    """The same once more."""


class Product:
    """The measured command: this checkout under this Python, or an installed one."""

    def __init__(self, launch: Launch, command: str | None = None) -> None:
        self._launch = launch
        self._command = shlex.split(command) if command else launch.cuedeck()
        if command:
            # An installed command has its own modules.
            launch.environ.pop("PYTHONPATH", None)

    def open_card(self, case: Case, worktree: Worktree) -> str:
        """Create the workspace and its card; return the card's id. Raises:
        RuntimeError.
        """
        self.run(worktree, "init")
        answer = self.run(
            worktree,
            "card",
            "new",
            "--ref",
            case.entry,
            "--activate",
            "--json",
            "--",
            case.title,
        )
        card: dict[str, str] = json.loads(answer)
        with open(worktree.path(card["path"]), "a", encoding="utf-8") as file:
            file.write(f"\n{case.body}\n")
        return card["id"]

    def build(self, case: Case, worktree: Worktree, budgets: Sequence[int]) -> Scenes:
        """Build the first budget twice and the others once. Raises: RuntimeError."""
        card = self.open_card(case, worktree)
        texts, seconds = {}, []
        for budget in (budgets[0], *budgets):
            started = time.perf_counter()
            texts[budget] = self.run(
                worktree, "scene", "--card", card, "--budget", str(budget), "--print"
            )
            seconds.append(time.perf_counter() - started)
        return Scenes(texts, seconds[0], seconds[1])

    def write(
        self, worktree: Worktree, card: str, budget: int
    ) -> tuple[dict[str, Any], str]:
        """Build a scene; return the answer of the command and SCENE.md. Raises:
        RuntimeError.
        """
        answer = json.loads(
            self.run(
                worktree, "scene", "--card", card, "--budget", str(budget), "--json"
            )
        )
        with open(worktree.path(answer["path"]), encoding="utf-8", newline="") as file:
            return answer, file.read()

    def run(self, worktree: Worktree, *arguments: str) -> str:
        """Run one command; return its output. Raises: RuntimeError if it fails."""
        return self._launch.run([*self._command, *arguments], worktree.root).stdout
