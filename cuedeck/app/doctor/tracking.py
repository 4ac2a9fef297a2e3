"""Check of git's index: what git tracks is read although its rules hide it, if git can tell."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.app.doctor.view import View
from cuedeck.model.node import Diagnostic

_FAULTS = {
    "no-git": ("git could not be started", "install git, or put it on the PATH"),
    "git-failed": ("git could not read its index", "`git ls-files` in this folder shows why"),
    "git-refuses": (
        "git refuses to read the repository: it belongs to somebody else",
        "`git ls-files` in this folder shows how to trust it",
    ),
    "git-slow": ("git hangs: it printed nothing for a minute", "`git ls-files` in this folder may show why"),
}


def check_git_index(view: View) -> Iterator[Diagnostic]:
    """Find why it is unknown what git tracks: such files are missing from scenes where its rules hide them."""
    fault = view.project.tree.tracked_fault
    if fault:
        message, hint = _FAULTS[fault]
        message = f"{message}: files that it tracks are not read where its ignore rules hide them"
        yield Diagnostic(".git/index", 0, "warning", fault, message, hint)
