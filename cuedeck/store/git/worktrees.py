"""Linked worktrees, and the main worktree, which has their private memory.

Private memory is read and written outside of the checkout, so no file of the checkout
decides it alone: the repository must list the worktree (`find_repository`), its main
worktree must be its checkout, and both must belong to this user.
"""

from __future__ import annotations

import os
import stat

from cuedeck.model.paths import HOME
from cuedeck.store.files.nofollow import is_below
from cuedeck.store.git.head import (
    LINKED,
    Repository,
    find_repository,
    linked_worktrees,
    main_worktree,
    pointed_folder,
)


def find_with_main(root: str) -> tuple[Repository | None, str]:
    """Return the repository of a folder and, for a workspace of a linked worktree, its
    place in the main worktree.

    The place is empty for any other workspace, for a worktree of a bare repository, and
    without a `.cuedeck/` of this user in the main worktree.
    """
    repository = find_repository(root)
    if repository is None:
        return None, ""
    private, common = map(os.path.realpath, repository[:2])
    if os.path.dirname(private) != os.path.join(common, LINKED):
        return repository, ""
    main, top = main_worktree(root), repository.top(root)
    git = os.path.realpath(pointed_folder(os.path.join(main, ".git")))
    if main == top or is_below(main, top):
        return repository, ""
    if git != common:
        return repository, ""
    place = os.path.normpath(os.path.join(main, repository.prefix))
    is_own = all(map(_is_folder_of_user, (os.path.join(place, HOME), common)))
    return repository, place if is_own else ""


def places_in_worktrees(root: str) -> list[str]:
    """Return the place of a workspace in each worktree that shares its private memory,
    sorted; the workspace itself is one of them.
    """
    repository, main = find_with_main(root)
    root = os.path.realpath(root)
    if repository is None:
        return [root]
    shared = main or root
    found = {root, shared}
    for private, git in linked_worktrees(repository):
        if pointed_folder(git) != private:
            continue
        top = os.path.dirname(git)
        place = os.path.normpath(os.path.join(top, repository.prefix))
        if find_with_main(place)[1] == shared:
            found.add(place)
    return sorted(found)


def _is_folder_of_user(place: str) -> bool:
    """Return whether a folder, not a link, belongs to the user of this process."""
    try:
        found = os.lstat(place)
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):
        return False
    if os.name == "nt":
        return True
    return found.st_uid == os.geteuid()
