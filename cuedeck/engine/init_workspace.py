"""Creation of a workspace."""

from __future__ import annotations

import os
from typing import Any

from cuedeck.model.errors import UsageError
from cuedeck.model.paths import HOME
from cuedeck.store.files.template import git_exclude, hide_from_git, lay_out


def init_workspace(
    folder: str, *, force: bool = False, stealth: bool = False
) -> dict[str, Any]:
    """Create `.cuedeck/` in `folder` and return a report. Existing files are kept;
    missing lines are added to `.cuedeck/.gitignore`.

    With `force`, changed template files are overwritten after a backup; USER.md, cards
    and docs never are. Raises: UsageError if `folder` is a file or `stealth` finds no
    git repository, StorageError. Nothing is created then.
    """
    root = os.path.realpath(folder)
    if os.path.exists(root) and not os.path.isdir(root):
        raise UsageError(
            f"{folder} is not a folder", hint="give the root folder of the project"
        )
    if HOME in root.split(os.sep):
        raise UsageError(
            "the folder is inside a .cuedeck/ folder",
            hint=f"run the command in the folder that contains {HOME}/",
        )
    exclude = git_exclude(root) if stealth else ""
    if stealth and not exclude:
        raise UsageError(
            "--stealth needs a git repository",
            hint="run `git init` first, or omit --stealth",
        )
    done = lay_out(root, force=force)
    added = bool(exclude) and hide_from_git(exclude)
    return {
        "root": root,
        **done,
        "excluded_by": exclude or None,
        "exclude_added": added,
    }
