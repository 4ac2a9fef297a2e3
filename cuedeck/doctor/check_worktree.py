"""Check of the private memory that the worktrees of a repository share."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.formatting import counted
from cuedeck.model.paths import HOME
from cuedeck.store.worktree_memory import left_memory


def check_worktree(context: CheckContext) -> Iterator[Diagnostic]:
    """Say where the private memory of a linked worktree is, and find private files that
    it has from before, which are not read.
    """
    paths = context.paths
    if paths.shared is paths:
        return
    home = paths.shared.absolute(HOME)
    left = left_memory(paths)
    if left:
        number = counted(len(left), "private file")
        message = f"{number} of this worktree, not read: its memory is in {home}"
        hint = "`cuedeck doctor --repair` moves them there"
        yield Diagnostic(left[0], 0, "warning", "left-memory", message, hint)
        return
    message = f"the private memory of this worktree is in {home}"
    hint = "all worktrees of the repository share it"
    yield Diagnostic(HOME, 0, "info", "shared-memory", message, hint)
