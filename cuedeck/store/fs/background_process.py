"""Commands of a workspace that run on their own, for which nobody waits."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

from cuedeck.model.errors import Locked, StorageError
from cuedeck.store.fs import nofollow
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.workspace_paths import WorkspacePaths

FORBIDDEN = "CUEDECK_NO_BACKGROUND"
"""Set to anything but `0`, this variable keeps every such command from starting."""
_PAUSE_SECONDS = 10.0
"""Between two starts: a command needs a moment until it holds its lock, and one that cannot run should not be
started at every turn."""


def start(workspace: WorkspacePaths, family: str, arguments: Sequence[str]) -> bool:
    """Start a command that takes the lock of `family`, unless one has it or was started just now; tell whether.

    It belongs to no terminal, sees no stream of ours and outlives this process. Never raises: what is not
    started now is made up for by whoever comes next.
    """
    if os.environ.get(FORBIDDEN, "") not in ("", "0") or not sys.executable:
        return False
    mark = os.path.join(workspace.cache, f"{family}.started")
    if _is_fresh(mark):  # before the lock: the command that was started must not find it held by a look
        return False
    try:
        with locked(workspace, family, patience_seconds=0):
            if _is_fresh(mark):
                return False
            os.close(nofollow.open_file(mark, os.O_WRONLY | os.O_CREAT))
            nofollow.touch(mark)
        _launch(workspace, arguments)
    except (Locked, StorageError, OSError):
        return False
    return True


def _is_fresh(mark: str) -> bool:
    try:
        return 0 <= time.time() - nofollow.status(mark).st_mtime < _PAUSE_SECONDS
    except OSError:
        return False


def _launch(workspace: WorkspacePaths, arguments: Sequence[str]) -> None:
    import subprocess
    import threading

    # -P: a `json.py` in the folder of the workspace must not be what is imported.
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "cuedeck", "-C", workspace.root, *arguments],
        cwd=workspace.root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),
    )
    # Where this process lives on, an ended child stays in the table of the system until it is waited for.
    threading.Thread(target=process.wait, name="background", daemon=True).start()
