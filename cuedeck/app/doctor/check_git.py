"""Check of git's index: what git tracks is read although its rules hide it, if git can tell."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.model.file import Diagnostic, Level
from cuedeck.store.git.head import read_head
from cuedeck.store.git.problems import WANTED

_FAULTS = {
    "no-git": ("git could not be started", "install git, or put it on the PATH"),
    "git-failed": ("git could not read its index", "`git ls-files` in this folder shows why"),
    "git-refuses": (
        "git refuses to read the repository: it belongs to somebody else",
        "`git ls-files` in this folder shows how to trust it",
    ),
    "git-slow": ("git hangs: it printed nothing for a minute", "`git ls-files` in this folder may show why"),
}


def check_git_index(view: CheckContext) -> Iterator[Diagnostic]:
    """Find why it is unknown what git tracks: such files are missing from scenes where its rules hide them."""
    fault = view.project.tree.tracked_fault
    if fault:
        message, hint = _FAULTS[fault]
        message = f"{message}: files that it tracks are not read where its ignore rules hide them"
        yield Diagnostic(".git/index", 0, "warning", fault, message, hint)


def check_history(view: CheckContext) -> Iterator[Diagnostic]:
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
