"""The log of what happens while nobody looks: `.cuedeck/cache/log.jsonl`, one JSON object a line."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from typing import Any

from cuedeck.store.clock import timestamp
from cuedeck.store.fs import nofollow
from cuedeck.store.workspace_paths import WorkspacePaths

MOST_BYTES = 1_000_000
"""A log of this length becomes `log.1.jsonl`, in the place of the one before."""


def log(workspace: WorkspacePaths, event: Mapping[str, Any]) -> bool:
    """Add an event, whose secrets are masked already, with its time; tell whether it could be written.

    Never raises: a log is no reason to stop.
    """
    place = os.path.join(workspace.cache, "log.jsonl")
    line = json.dumps({"at": timestamp(), **event}, ensure_ascii=False) + "\n"
    with contextlib.suppress(OSError):
        nofollow.make_folder(workspace.cache, parents=False)  # a workspace that is gone is not made again
        with contextlib.suppress(FileNotFoundError):
            if nofollow.status(place).st_size >= MOST_BYTES:
                nofollow.replace(place, os.path.join(workspace.cache, "log.1.jsonl"))
        with open(place, "ab", buffering=0, opener=nofollow.opener) as file:
            file.write(line.encode("utf-8", "backslashreplace"))
            return True
    return False
