"""Detached background commands of a workspace."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

from cuedeck.model.errors import Locked, StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths

FORBIDDEN = "CUEDECK_NO_BACKGROUND"
"""Environment variable; any value except `0` or empty disables background commands."""
_PAUSE_SECONDS = 10.0
"""Minimum time between two starts: a new command needs a moment to take its lock, and a
command that fails at once must not be restarted by every caller."""


def start(paths: WorkspacePaths, family: str, arguments: Sequence[str]) -> bool:
    """Start a command that takes the lock of `family`; return whether it was started.

    It is not started while the lock is held or within 10 seconds of the last start. It
    has no terminal and no standard streams, and outlives this process. Never raises:
    the next caller tries again.
    """
    if os.environ.get(FORBIDDEN, "") not in ("", "0") or not sys.executable:
        return False
    mark = os.path.join(paths.cache, f"{family}.started")
    if _is_fresh(mark):
        # Checked before locking: otherwise this check could block the command that was
        # just started.
        return False
    try:
        with locked(paths, family, patience_seconds=0):
            if _is_fresh(mark):
                return False
            os.close(nofollow.open_file(mark, os.O_WRONLY | os.O_CREAT))
            nofollow.touch(mark)
        _launch(paths, arguments)
    except (Locked, StorageError, OSError):
        return False
    return True


def _is_fresh(mark: str) -> bool:
    try:
        return 0 <= time.time() - nofollow.status(mark).st_mtime < _PAUSE_SECONDS
    except OSError:
        return False


def _launch(paths: WorkspacePaths, arguments: Sequence[str]) -> None:
    import subprocess
    import threading

    # -P: Python must not import a `json.py` from the workspace folder.
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "cuedeck", "-C", paths.root, *arguments],
        cwd=paths.root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
    )
    # In a long-lived process an ended child remains a zombie until it is waited for.
    threading.Thread(target=process.wait, name="background", daemon=True).start()
