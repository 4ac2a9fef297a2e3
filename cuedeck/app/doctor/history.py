"""Check of the history of git, which is an input of every scene with a related tier."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.app.doctor.view import View
from cuedeck.model.node import Diagnostic, Level
from cuedeck.store.history.faults import WANTED
from cuedeck.store.history.head import read_head


def check_history(view: View) -> Iterator[Diagnostic]:
    """Find why the history of a repository is unknown, which is a warning, or less of it than there could be.

    A folder without a repository, and a repository without a commit, are as somebody wanted them.
    """
    if not view.settings.scene.related or not read_head(view.workspace.root):
        return
    history = view.project.history
    known = bool(history.commits())
    for problem in history.problems():
        level: Level = "info" if known or problem.code in WANTED else "warning"
        yield problem._replace(level=level)
