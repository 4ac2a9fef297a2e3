"""Diagnostics for a missing or incomplete history."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.model.display import counted
from cuedeck.model.file import Diagnostic
from cuedeck.store.git.commit_codec import MOST_COMMITS, TORN, Record

NO_GIT = "no-git"
FAILED = "git-failed"
REFUSED = "git-refuses"
SILENT = "git-slow"
UNFINISHED = "unfinished"
ODD = "odd-file"
SHALLOW = "shallow-clone"
PARTIAL = "partial-clone"
WANTED = (SHALLOW, PARTIAL)
"""Codes of diagnostics that can be a deliberate choice of the user."""
NO_HISTORY = ("no-repository", "no-commit")
"""Faults that are not failures of git."""
_FAULTS = {
    "no-repository": ("no-git", "this folder is in no git repository", "without one, what changed together is unknown"),
    "no-commit": ("no-git", "the repository has no commit yet", "history begins with the first one"),
    NO_GIT: ("no-git", "git could not be started", "install git, or put it on the PATH"),
    FAILED: (
        "git-failed",
        "git could not read the history",
        "`git log` in this folder, or the permissions of `.git`, show why",
    ),
    REFUSED: (
        "git-failed",
        "git refuses to read the repository: it belongs to somebody else",
        "`git log` in this folder shows how to trust it",
    ),
    SILENT: (
        "git-slow",
        "git hangs: it printed nothing for a minute",
        "`git log` in this folder may show why; the next command tries again",
    ),
    ODD: (
        "git-failed",
        "git is not started: a file that it reads is a pipe, a device or too large",
        "`find -L . -type p -o -type c -o -type b -o -size +100000k` shows it, or `include.path` in .git/config",
    ),
    UNFINISHED: ("git-slow", "the history is not read completely yet", "`cuedeck scene` reads the rest of it"),
}


class GitFault(Exception):
    """git gave no complete answer."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
        """One of NO_GIT, FAILED, REFUSED, SILENT, ODD and UNFINISHED."""


def fault_of(fault: str) -> Diagnostic:
    """Return the diagnostic for a history that could not be read at all."""
    return _diagnostic(*_FAULTS[fault])


def faults_in(records: Sequence[Record], *, shallow: bool = False, partial: bool = False) -> Sequence[Diagnostic]:
    """Return the diagnostics for commits that could not be read in full, or that are missing in a shallow clone."""
    found: list[Diagnostic] = []
    if shallow and len(records) < MOST_COMMITS:
        message = f"the clone is shallow: {counted(len(records), 'commit')} of its history can be read"
        found.append(_diagnostic(SHALLOW, message, "`git fetch --unshallow` brings the rest"))
    states = [record.state for record in records]
    if torn := states.count(TORN):
        unknown = f"all of {counted(torn, 'commit')}: their lines, or files too, are unknown"
        if partial:
            hint = "`git -c fetch.unpackLimit=1 fetch --refetch --no-filter` brings the rest"
            found.append(_diagnostic(PARTIAL, f"the clone is partial and lacks {unknown}", hint))
        else:
            hint = "`git fsck` shows what is missing in the repository"
            found.append(_diagnostic("git-failed", f"git could not read {unknown}", hint))
    return tuple(found)


def _diagnostic(code: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(".git", 0, "info", code, message, hint)
