"""What the index knew of the tree at the last look, held in memory and kept in step with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.store.fs.fingerprint import FileStamp
from cuedeck.store.fs.ignore_rules import FOLDER, SPECIAL
from cuedeck.store.index.schema import PROBLEMS

if TYPE_CHECKING:
    from cuedeck.store.index import Index
    from cuedeck.store.index.database import IndexFile


class ScanState:
    """The state of the index; `revision` tells whether it is still the one in the file."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self.revision, self.prints, self.verdicts, self.problems, self.rules, self.tracked = read_state(index)
        self.specials = {path for path, verdict in self.verdicts.items() if verdict == SPECIAL}
        """Paths that are neither folders nor plain files."""

    def files_in(self, area: str) -> Iterable[str]:
        """Return the known files at a path and below it."""
        if self.verdicts.get(area) == FOLDER:
            return self._index.folder(area)
        return (area,) if area in self.prints else ()

    def verdicts_in(self, area: str) -> Iterable[str]:
        """Return the paths at and below a path of which there is a verdict."""
        verdict = self.verdicts.get(area)
        if verdict is None:
            return ()
        return (area, *self._index.verdicts_below(area)) if verdict == FOLDER else (area,)

    def lose(self, paths: Iterable[str]) -> None:
        """Forget files that are gone."""
        for path in paths:
            self.prints.pop(path, None)

    def note(self, verdicts: Mapping[str, int | None]) -> None:
        """Note verdicts that changed; None for one that is gone."""
        for path, verdict in verdicts.items():
            if verdict is None:
                self.verdicts.pop(path, None)
            else:
                self.verdicts[path] = verdict
            if verdict == SPECIAL:
                self.specials.add(path)
            else:
                self.specials.discard(path)


class State(NamedTuple):
    """What the index holds of the last scan."""

    revision: int
    prints: dict[str, FileStamp]
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
            {row[0]: FileStamp(*row[1:]) for row in run("SELECT * FROM prints")},
            dict(run("SELECT path, verdict FROM verdicts")),
            run(PROBLEMS).fetchall(),
            meta.get("rules", ""),
            str(meta.get("tracked", "")),
        )
