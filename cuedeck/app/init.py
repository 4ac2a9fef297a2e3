"""Make a workspace."""

from __future__ import annotations

import os
from typing import Any

from cuedeck.model.errors import StorageError, UsageError
from cuedeck.store.template import hide_from_git, lay_out


def init_workspace(folder: str, *, force: bool = False, stealth: bool = False) -> dict[str, Any]:
    """Create `.cuedeck/` in `folder`; what is there already stays.

    Raises: UsageError when `folder` is a file or `stealth` finds no git repository, StorageError.
    """
    root = os.path.realpath(folder)
    if os.path.exists(root) and not os.path.isdir(root):
        raise UsageError(f"{folder} is no folder", hint="give the folder of your project")
    if os.path.basename(root) == ".cuedeck":
        raise UsageError("this is the inside of a workspace", hint="go one folder up")
    try:
        os.makedirs(root, exist_ok=True)
        created, kept = lay_out(root, force=force)
    except OSError as error:
        raise StorageError(f"cannot write in {folder}: {error.strerror}", hint="check its permissions") from error
    excluded = ""
    if stealth:
        excluded = hide_from_git(root)
        if not excluded:
            raise UsageError("--stealth needs a git repository", hint="run `git init` first, or leave --stealth out")
    return {"root": root, "created": created, "kept": kept, "excluded_by": excluded or None}
