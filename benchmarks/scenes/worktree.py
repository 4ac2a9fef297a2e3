"""A checkout of a clone in its own folder, with only the history of its commit."""

from __future__ import annotations

import os

from benchmarks.scenes.repository import git


class Worktree:
    """One checkout, moved from commit to commit. The clone it borrows objects from is
    only read.
    """

    def __init__(self, clone: str, folder: str) -> None:
        self.root = folder
        os.makedirs(folder)
        git(folder, "clone", "-q", "--shared", "--no-checkout", "--no-tags", clone, ".")

    def check_out(self, commit: str) -> None:
        """Check out exactly the tree of a commit."""
        self.move(commit)
        git(self.root, "clean", "-qffdx")

    def move(self, commit: str) -> None:
        """Replace the tree by that of a commit; files unknown to git stay."""
        git(self.root, "checkout", "-q", "-f", "--detach", commit)
        # Branches would reveal later changes of the files.
        rows = git(self.root, "for-each-ref", "--format=delete %(refname)")
        if rows:
            git(self.root, "update-ref", "--no-deref", "--stdin", text=rows)

    def path(self, path: str) -> str:
        """Return the absolute path of a repository path."""
        return os.path.join(self.root, *path.split("/"))
