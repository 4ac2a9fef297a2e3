"""Checks that git's list of tracked files and the commit history can be read.

CueDeck reads tracked files even if git's ignore rules hide them, so it needs the list of tracked files.
"""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.model.file import Diagnostic, Level
from cuedeck.store.git.head import foreign_part, read_head
from cuedeck.store.git.problems import WANTED, fault_of

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
    """Report a repository that is not used, and why git cannot tell which files it tracks.

    Tracked files that an ignore rule hides are then missing from scenes.
    """
    if foreign := foreign_part(view.paths.root):
        message = f"the repository is not used: {view.paths.shown(foreign)} is outside of the checkout"
        hint = "remove what leads there, or, if it is yours, set `core.worktree` in it to the folder of the checkout"
        yield Diagnostic(".git", 0, "warning", "foreign-repository", message, hint)
    fault = view.workspace.tree.tracked_fault
    if fault:
        problem = fault_of(fault)
        message, hint = _FAULTS.get(fault, (problem.message, problem.hint))
        message = f"{message}: files that it tracks are not read where its ignore rules hide them"
        yield Diagnostic(".git/index", 0, "warning", fault, message, hint)


def check_history(view: CheckContext) -> Iterator[Diagnostic]:
    """Report why the commit history is unavailable (warning) or incomplete (info).

    A folder without a repository and a repository without commits are not reported.
    """
    if not view.settings.scene.related or not read_head(view.paths.root):
        return
    history = view.workspace.history
    known = bool(history.commits())
    for problem in history.problems():
        level: Level = "info" if known or problem.code in WANTED else "warning"
        yield problem._replace(level=level)
