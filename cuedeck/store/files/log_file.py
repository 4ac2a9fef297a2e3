"""Log of background events: `.cuedeck/cache/log.jsonl`, one JSON object per line."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from typing import Any

from cuedeck.store.clock import timestamp
from cuedeck.store.files import nofollow
from cuedeck.store.workspace_paths import WorkspacePaths

MOST_BYTES = 1_000_000
"""Size at which the log is rotated to `log.1.jsonl`, which replaces the previous one.
"""


def log(paths: WorkspacePaths, event: Mapping[str, Any]) -> bool:
    """Append an event with its time; return whether it was written. The caller has
    masked its secrets.

    Never raises OSError: a failed log entry must not stop the operation that it
    describes.
    """
    place = os.path.join(paths.cache, "log.jsonl")
    line = json.dumps({"at": timestamp(), **event}, ensure_ascii=False) + "\n"
    with contextlib.suppress(OSError):
        # A deleted workspace is not recreated.
        nofollow.make_folder(paths.cache, parents=False)
        with contextlib.suppress(FileNotFoundError):
            if nofollow.status(place).st_size >= MOST_BYTES:
                nofollow.replace(place, os.path.join(paths.cache, "log.1.jsonl"))
        with open(place, "ab", buffering=0, opener=nofollow.opener) as file:
            file.write(line.encode("utf-8", "backslashreplace"))
            return True
    return False
