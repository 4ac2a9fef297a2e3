"""Exchange of entries in the background: one process for each copy, which hooks and
live shells start, and which ends by itself some time after their last call.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress

from cuedeck.model.errors import CueDeckError, Locked
from cuedeck.model.paths import EXCHANGE_STATE
from cuedeck.store.files import nofollow
from cuedeck.store.files.background_process import start
from cuedeck.store.files.disk import changed_at
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.fingerprint import print_of
from cuedeck.store.files.log_file import log
from cuedeck.store.workspace_paths import WorkspacePaths

HUB = "CUEDECK_EXCHANGE__HUB"
_FAMILY = "exchange-loop"
_SECONDS = 0.8
"""Time between two exchanges."""
_MOST_SECONDS = 60.0
"""Time between two attempts while the hub is away; it grows up to this."""
_CALL_SECONDS = 5.0
"""Time in which further calls do nothing."""
_USED_SECONDS = 600.0
"""Time after the last call at which the process ends."""


def exchange_later(root: str) -> None:
    """Start the process of a copy whose user agreed, if none runs. Never raises."""
    if not os.environ.get(HUB):
        return
    paths = WorkspacePaths(root)
    if _is_known(paths) and _unused_seconds(paths) > _CALL_SECONDS:
        with suppress(OSError):
            _note_use(paths)
            start(paths, _FAMILY, ("exchange", "--follow"))


def follow(paths: WorkspacePaths, exchange: Callable[[], object]) -> None:
    """Exchange again and again while the copy is used and its settings stay the same.
    Raises: Locked if another process does so, StorageError.
    """
    settings = print_of(paths.config)
    seconds = _SECONDS
    with locked(paths, _FAMILY, patience_seconds=0):
        with suppress(OSError):
            _note_use(paths)
        while _is_known(paths) and print_of(paths.config) == settings:
            if _unused_seconds(paths) > _USED_SECONDS:
                return
            try:
                exchange()
                seconds = _SECONDS
            except Locked:  # a command exchanges
                seconds = _SECONDS
            except CueDeckError as error:
                if seconds == _SECONDS:
                    log(paths, {"event": "exchange", "message": error.message})
                seconds = min(seconds * 2, _MOST_SECONDS)
            time.sleep(seconds)


def _is_known(paths: WorkspacePaths) -> bool:
    return os.path.exists(paths.absolute(EXCHANGE_STATE))


def _mark(paths: WorkspacePaths) -> str:
    return os.path.join(paths.cache, "exchange.used")


def _note_use(paths: WorkspacePaths) -> None:
    os.close(nofollow.open_file(_mark(paths), os.O_WRONLY | os.O_CREAT))
    nofollow.touch(_mark(paths))


def _unused_seconds(paths: WorkspacePaths) -> float:
    return time.time() - changed_at(_mark(paths))
