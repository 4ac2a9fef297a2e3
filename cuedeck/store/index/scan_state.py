"""State of the last scan, loaded from the index and updated together with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.store.files.fingerprint import FileStamp
from cuedeck.store.files.ignore_rules import FOLDER, SPECIAL
from cuedeck.store.index.schema import PROBLEMS

if TYPE_CHECKING:
    from cuedeck.store.index import Index


class ScanState:
    """State of the last scan in memory; it is current while `revision` equals the
    revision of the index.
    """

    def __init__(self, index: Index) -> None:
        """Read the state in one transaction. Raises: the errors in `DAMAGE`."""
        self._index = index
        new = tuple.__new__  # the checks of the constructor take as long as the query
        with index.reading() as database:
            run = database.execute
            query = "SELECT key, value FROM meta WHERE key IN ('rules', 'tracked')"
            meta = dict(run(query))
            self.revision = index.revision()
            self.prints: dict[str, FileStamp] = {
                row[0]: new(FileStamp, row[1:]) for row in run("SELECT * FROM prints")
            }
            self.verdicts: dict[str, int] = dict(run("SELECT * FROM verdicts"))
            """Verdict of the ignore rules for each path."""
            self.problems: list[tuple[Any, ...]] = run(PROBLEMS).fetchall()
        self.rules = meta.get("rules", "")
        """Signature of the ignore rules outside the tree."""
        self.tracked = str(meta.get("tracked", ""))
        """Tracked files that ignore rules of git match, with the fingerprint of the git
        index.
        """
        self.specials = {
            path for path, verdict in self.verdicts.items() if verdict == SPECIAL
        }
        """Paths that are neither folders nor regular files."""

    def files_in(self, area: str) -> Iterable[str]:
        """Return the known files at a path and below it."""
        if self.verdicts.get(area) == FOLDER:
            return self._index.folder(area)
        if area not in self.prints:
            return ()
        return (area,)

    def verdicts_in(self, area: str) -> Iterable[str]:
        """Return the paths at and below a path that have a verdict of the ignore
        rules.
        """
        verdict = self.verdicts.get(area)
        if verdict is None:
            return ()
        return (
            (area, *self._index.verdicts_below(area)) if verdict == FOLDER else (area,)
        )

    def note(self, verdicts: Mapping[str, int | None]) -> None:
        """Apply changed verdicts; None removes one."""
        for path, verdict in verdicts.items():
            if verdict is None:
                self.verdicts.pop(path, None)
            else:
                self.verdicts[path] = verdict
            if verdict == SPECIAL:
                self.specials.add(path)
            else:
                self.specials.discard(path)
