"""What the index holds of the last scan, which the next one is compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.store.index.rows import PROBLEMS
from cuedeck.store.scan import Mark

if TYPE_CHECKING:
    from cuedeck.store.index.file import IndexFile


class State(NamedTuple):
    """What the index holds of the last scan."""

    revision: int
    prints: dict[str, Mark]
    """Fingerprint of every file."""
    verdicts: dict[str, int]
    """What the ignore rules said."""
    problems: list[tuple[Any, ...]]
    rules: str
    """What decided about visibility outside the tree."""
    tracked: str
    """What git tracks although its rules hide it, and the index of git that says so."""


def read_state(index: IndexFile) -> State:
    """Return the state as of one moment. Raises: what `DAMAGE` names, for who updates the index."""
    with index.reading() as database:
        run = database.execute
        meta = dict(run("SELECT key, value FROM meta WHERE key IN ('rules', 'tracked')"))
        return State(
            index.revision(),
            {row[0]: Mark(*row[1:]) for row in run("SELECT * FROM prints")},
            dict(run("SELECT path, verdict FROM verdicts")),
            run(PROBLEMS).fetchall(),
            meta.get("rules", ""),
            str(meta.get("tracked", "")),
        )
