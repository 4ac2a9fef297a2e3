"""Symbolic links: read when they lead to a file that is read anyway, else reported."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING

from cuedeck.store.workspace import is_below

if TYPE_CHECKING:
    from cuedeck.model.node import Diagnostic


def follow(root: str, path: str, visible: Callable[[str], bool]) -> os.stat_result | Diagnostic | None:
    """Return the state of the file a link leads to, or why the link is not read; None when it is no link.

    Only a link to a file that is itself `visible` is read: no link opens what the ignore rules hide, what
    is outside the workspace, or a folder.
    """
    place = os.path.join(root, path)
    if not os.path.islink(place):
        return None
    real = os.path.realpath(place)
    try:
        found = os.stat(real)
    except (OSError, ValueError):
        return _unread(path, "leads nowhere")
    if real != root and not is_below(real, root):
        return _unread(path, "leaves the workspace")
    if stat.S_ISDIR(found.st_mode):
        return _unread(path, "leads to a folder")
    if not stat.S_ISREG(found.st_mode) or not visible(os.path.relpath(real, root).replace(os.sep, "/")):
        return _unread(path, "leads to a file that is not read")
    return found


def _unread(path: str, reason: str) -> Diagnostic:
    from cuedeck.model.node import Diagnostic

    message = f"the symbolic link {reason}; it is not read"
    return Diagnostic(path, 0, "info", "link", message, "point it at a file of the workspace that is read")
