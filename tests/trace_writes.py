"""Run a command and log its writes: `python trace_writes.py LOG ARGUMENT…` appends each
changed path to LOG.
"""

from __future__ import annotations

import os
import sys

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_NAMES = (
    "os.mkdir",
    "os.remove",
    "os.rmdir",
    "os.chmod",
    "os.utime",
    "os.truncate",
    "shutil.rmtree",
    "sqlite3.connect",
)
_PAIRS = ("os.rename", "os.link", "os.symlink")


def changed_paths(event: str, values: tuple[object, ...]) -> tuple[object, ...]:
    """Return the paths that an audit event of Python changes."""
    if event == "cuedeck.write":
        return values[1:2]
    if event == "open":
        return values[:1] if isinstance(values[2], int) and values[2] & _WRITING else ()
    if event in _PAIRS:
        return values[:2]
    return values[:1] if event in _NAMES else ()


def log_writes(log: int) -> None:
    """Log the absolute path of each file that this process changes; `log` is an open
    file descriptor.
    """

    def hook(event: str, values: tuple[object, ...]) -> None:
        for path in changed_paths(event, values):
            if isinstance(path, str) and os.path.isabs(path):
                os.write(log, os.path.normpath(path).encode() + b"\n")

    sys.addaudithook(hook)


if __name__ == "__main__":
    log_writes(os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
    from cuedeck.__main__ import main

    sys.argv = ["cuedeck", *sys.argv[2:]]
    sys.exit(main())
