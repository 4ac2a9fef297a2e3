"""Diagnostics for a missing or incomplete history."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.formatting import counted

MOST_COMMITS = 2_000
"""Maximum number of commits in a history."""
NO_GIT = "no-git"
FAILED = "git-failed"
REFUSED = "git-refuses"
SILENT = "git-slow"
UNFINISHED = "unfinished"
SHALLOW = "shallow-clone"
PARTIAL = "partial-clone"
WANTED = (SHALLOW, PARTIAL)
"""Codes of diagnostics that can be a deliberate choice of the user."""
NO_HISTORY = ("no-repository", "no-commit")
"""Faults that are not failures of git."""
_FAULTS = {
    "no-repository": (
        "no-git",
        "this folder is not in a git repository",
        "the ranking of related files then uses no history",
    ),
    "no-commit": (
        "no-git",
        "the repository has no commit yet",
        "the history is available after the first commit",
    ),
    NO_GIT: (
        "no-git",
        "git could not be started",
        "install git, or put it on the PATH",
    ),
    FAILED: (
        "git-failed",
        "git could not read the history",
        "`git log` in this folder, or the permissions of `.git`, show why",
    ),
    REFUSED: (
        "git-failed",
        "git refuses to read the repository: another user owns it",
        "`git log` in this folder prints the command that trusts it",
    ),
    SILENT: (
        "git-slow",
        "git hangs: it printed nothing for a minute",
        "`git log` in this folder may show why; the next command tries again",
    ),
    UNFINISHED: (
        "git-slow",
        "the history is not read completely yet",
        "`cuedeck scene` reads the rest of it",
    ),
}


class GitFault(Exception):
    """git gave no complete answer."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
        """One of NO_GIT, FAILED, REFUSED, SILENT and UNFINISHED."""


def fault_of(fault: str) -> Diagnostic:
    """Return the diagnostic for a history that could not be read at all."""
    return _diagnostic(*_FAULTS[fault])


def faults_in(
    commits: int, torn: int, shallow: bytes, *, is_partial: bool
) -> Sequence[Diagnostic]:
    """Return the diagnostics for a number of commits, of which some could not be read
    in full, or others are missing in a shallow clone.
    """
    found: list[Diagnostic] = []
    if shallow and commits < MOST_COMMITS:
        message = f"the clone is shallow: {counted(commits, 'commit')} of its history can be read"
        found.append(
            _diagnostic(SHALLOW, message, "`git fetch --unshallow` fetches the rest")
        )
    if torn:
        unknown = f"the content of {counted(torn, 'commit')}: changed lines or files are unknown"
        if is_partial:
            hint = "`git -c fetch.unpackLimit=1 fetch --refetch --no-filter` fetches the rest"
            found.append(
                _diagnostic(PARTIAL, f"the clone is partial and lacks {unknown}", hint)
            )
        else:
            hint = "`git fsck` lists the objects that are missing or corrupt"
            found.append(
                _diagnostic("git-failed", f"git could not read {unknown}", hint)
            )
    return tuple(found)


def _diagnostic(code: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(
        path=".git", line=0, level="info", code=code, message=message, hint=hint
    )
