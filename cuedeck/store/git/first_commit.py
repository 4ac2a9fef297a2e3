"""The first commit of a repository, which identifies it."""

from __future__ import annotations

from cuedeck.store.git.git_queries import Git
from cuedeck.store.git.head import find_repository
from cuedeck.store.git.history_diagnostics import GitFault


def first_commit(root: str) -> str:
    """Return the id of the first commit of the repository of a folder, along first
    parents; empty without one, and if git cannot find it.
    """
    repository = find_repository(root)
    try:
        return Git(root, repository).first_commit() if repository else ""
    except GitFault:
        return ""


def has_commit(root: str, commit: str) -> bool:
    """Return whether the repository of a folder contains a commit."""
    repository = find_repository(root)
    try:
        return repository is not None and Git(root, repository).has(commit)
    except GitFault:
        return False
