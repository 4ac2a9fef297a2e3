"""Files are read into the index, a portion at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from cuedeck.store.index.parallel_read import read_all
from cuedeck.store.index.update import take_in

if TYPE_CHECKING:
    from cuedeck.model.ports import Progress
    from cuedeck.store.fs.scan_result import FileStamp
    from cuedeck.store.index import Index
    from cuedeck.store.index.read_file import Find, Reading

_PORTION = 4_000
"""Files that are taken into the index at once: others who write to it wait so long."""


def fill(
    index: Index,
    root: str,
    wanted: Sequence[tuple[str, str]],
    prints: dict[str, FileStamp],
    progress: Progress | None,
    find: Find | None = None,
) -> dict[str, bool]:
    """Read files, each with the hash it is known to have; add to `prints` what is taken in.

    `find` finds the secrets that the index must not hold.
    Returns: for each file that was read whether its content is new; one that vanished is left out.
    """
    read: dict[str, bool] = {}
    fresh: dict[str, FileStamp] = {}

    def noted(readings: Iterable[Reading]) -> Iterator[Reading]:
        for reading in readings:
            read[reading.path] = bool(reading.data)
            fresh[reading.path] = reading.print
            if reading.data or reading.print != prints.get(reading.path):
                yield reading

    again: list[str] = []
    with contextlib.closing(read_all(root, wanted, progress, find)) as readings:
        for _ in range(0, len(wanted), _PORTION):
            again += take_in(index, noted(islice(readings, _PORTION)))
            prints.update(fresh)
            fresh.clear()
    return read | fill(index, root, [(path, "") for path in again], prints, None, find) if again else read
