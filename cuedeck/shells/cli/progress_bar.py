"""Progress bar on a terminal for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE_SECONDS = 1.0


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a function to call with (done, total); None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    started = time.monotonic()
    drawn = False

    def show(done: int, total: int) -> None:
        nonlocal drawn
        if time.monotonic() - started < _PATIENCE_SECONDS:
            return
        drawn = True
        filled = 30 * done // max(total, 1)
        sys.stderr.write(
            f"\r{label} {'█' * filled}{'░' * (30 - filled)} {done:,}/{total:,}"
        )
        sys.stderr.flush()

    try:
        yield show
    finally:
        if drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
