"""The history that ends at HEAD, read once: every commit, and the past of the last few HEADs, lie in the index.

How much is read depends on the repository alone, never on a clock. A reading that comes to an early end keeps the
commits that it has, and the next one goes on with the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from cuedeck.store.git.commit_codec import FLAWS, TORN, WHOLE, Record, pack_records, packed_ids, unpack_records
from cuedeck.store.git.head import UNKNOWN, find_repository, standing_of
from cuedeck.store.git.problems import NO_HISTORY, UNFINISHED, GitFault, fault_of, faults_in
from cuedeck.store.index.schema import DAMAGE

if TYPE_CHECKING:
    from cuedeck.model.commit import Commit
    from cuedeck.model.file import Diagnostic
    from cuedeck.model.ports import Progress
    from cuedeck.store.git.git_queries import Git
    from cuedeck.store.git.head import HistoryKey, Repository
    from cuedeck.store.git.prefetch import HistoryPrefetch
    from cuedeck.store.index import Index

_KEPT_PASTS = 4
_KEPT_COMMITS = 8_000
"""As many as the kept pasts can name."""
_NO_LIMIT = 1 << 60
_BATCH = 100
"""Commits that are kept at once while others are read."""


class History:
    """The commits of HEAD's ancestry that touch files of the workspace."""

    def __init__(
        self, root: str, index: Index, progress: Progress | None = None, deadline: float | None = None
    ) -> None:
        self._root = root
        self._index = index
        self.progress = progress
        """Is told how many of the commits that are new were read."""
        self.deadline = deadline
        """The time of the monotonic clock at which reading is put off; without one, it takes as long as it takes."""
        self._key: HistoryKey | None = None
        self._records: Sequence[Record] = ()
        self._commits: Sequence[Commit] = ()
        self._problems: Sequence[Diagnostic] = ()
        self._absence = ""
        """Why there are no commits, a code of `fault_of`; else empty."""
        self._ahead: tuple[HistoryKey, HistoryPrefetch] | None = None
        self.fault = ""
        """Why nothing could be read the last time, a code of `GitFault`: the next time may find commits."""

    @property
    def is_unfinished(self) -> bool:
        """True when the deadline was over before everything was read."""
        return self.fault == UNFINISHED

    def begin(self) -> None:
        """Have the commits read while something else is done, where none was ever read: that takes the longest."""
        from cuedeck.store.git.prefetch import HistoryPrefetch

        repository = find_repository(self._root)
        key = standing_of(repository)
        if repository is None or key.head in ("", UNKNOWN) or self._has_any():
            return
        self._ahead = key, HistoryPrefetch(self._root, repository, key.head, self.deadline)

    def close(self) -> None:
        """End what was begun and nobody asked for; keep what was read of it."""
        if self._ahead is not None:
            key, ahead = self._ahead
            self._ahead = None
            try:
                self._keep_commits(key, list(ahead.ready()))
            finally:
                ahead.close()

    def commits(self) -> Sequence[Commit]:
        """Return the commits as of now, without merges, bulk changes and the ends of a shallow clone.

        Order: newest first, as `git rev-list --topo-order` has it. What cannot be read is told by `problems`.
        """
        repository = find_repository(self._root)
        if repository is None:
            return self._without("no-repository")
        try:
            return self._commits_of(repository)
        except GitFault as fault:
            self.fault = fault.code
            return self._without(fault.code)

    def _commits_of(self, repository: Repository) -> Sequence[Commit]:
        key = standing_of(repository)
        if key.head == UNKNOWN:
            key = key._replace(head=self._git(repository).head())
        if not key.head:
            return self._without("no-commit")
        if key != self._key:
            records = self._recall(key)
            if records is None:
                records = self._read(repository, key)
            self._key, self._records, self.fault, self._absence = key, records, "", ""
            self._problems = faults_in(records, shallow=bool(key.shallow), partial=bool(key.packs))
            self._commits = tuple([record.commit for record in records if record.commit.files])
        return self._commits

    def problems(self) -> Sequence[Diagnostic]:
        """Return why the commits returned last are none, or not all."""
        return (fault_of(self._absence),) if self._absence else self._problems

    def _git(self, repository: Repository) -> Git:
        from cuedeck.store.git.git_queries import Git

        return Git(self._root, repository, self.deadline)

    def _has_any(self) -> bool:
        return any(self._index.recall(f"SELECT 1 FROM {table} LIMIT 1", ()) for table in ("pasts", "commits"))

    def _without(self, fault: str) -> Sequence[Commit]:
        self._key, self._records, self._commits, self._absence = None, (), (), fault
        if fault in NO_HISTORY:
            self.fault = ""
        return ()

    def _recall(self, key: HistoryKey) -> Sequence[Record] | None:
        row = self._index.recall("SELECT data, sum FROM pasts WHERE head = ?", (key.head,))
        return _open(row, _seed(key))

    def _read(self, repository: Repository, key: HistoryKey) -> Sequence[Record]:
        """Return every commit that is listed; only what was never seen is asked of git. Raises: GitFault."""
        from cuedeck.store.git.commit_diffs import MOST_FAILURES, Diffs
        from cuedeck.store.git.read_commits import read_commits

        begun = self._begun(key)
        if begun is not None:
            self._keep_past(key, begun)
            return begun
        git = self._git(repository)
        listing = git.start_list(key.head)
        last = self._last(key)
        # What a partial clone lacks comes with a pack; into others it may be put by hand.
        usable = (WHOLE, TORN) if key.packs else (WHOLE,)
        known = {record.commit.id: record for record in last if record.state in usable}
        ids = git.finish_list(listing)
        known.update(self._kept(key, [each for each in ids if each not in known]))
        unseen = [each for each in ids if each not in known]
        with Diffs(repository, self.deadline) as diffs:
            read = self._take_in(key, read_commits(diffs, unseen, self.progress))
        known.update((record.commit.id, record) for record in read)
        records = [known[each] for each in ids]
        if len(read) < len(ids) and _torn(records) >= MOST_FAILURES:
            behind = [record.commit.id for record in last][: len(ids) - len(read)]
            if _torn(read) or ids[len(read) :] != behind:
                # Reading is given up elsewhere than last time: nobody may know more than who begins now.
                with Diffs(repository, self.deadline) as diffs:
                    found = {record.commit.id: record for record in read_commits(diffs, ids, self.progress)}
                records = [found[each] for each in ids]
        self._keep_past(key, records)
        return records

    def _begun(self, key: HistoryKey) -> Sequence[Record] | None:
        """Return what was read of this past meanwhile, None if it was not begun or failed. Raises: GitFault."""
        ahead, self._ahead = self._ahead, None
        if ahead is None:
            return None
        try:
            ids = ahead[1].ids() if ahead[0] == key else None
            if ids is None:
                return None
            read = self._take_in(key, ahead[1].records(len(ids), self.progress))
        finally:
            ahead[1].close()
        found = {record.commit.id: record for record in read}
        return [found[each] for each in ids] if len(found) == len(ids) else None

    def _take_in(self, key: HistoryKey, records: Iterable[Record]) -> list[Record]:
        """Return records that are still being read; what is read is kept, also when it comes to an early end."""
        taken: list[Record] = []
        kept = 0
        try:
            for record in records:
                taken.append(record)
                if len(taken) - kept >= _BATCH:
                    self._keep_commits(key, taken[kept:])
                    kept = len(taken)
        finally:
            self._keep_commits(key, taken[kept:])
        return taken

    def _last(self, key: HistoryKey) -> Sequence[Record]:
        """Return the past that was of use last: most of it is the past of the next HEAD, too."""
        if self._key is not None and self._key[1:] == key[1:]:
            return self._records
        row = self._index.recall("SELECT data, sum FROM pasts ORDER BY rowid DESC LIMIT 1", ())
        return _open(row, _seed(key)) or ()

    def _kept(self, key: HistoryKey, ids: Iterable[str]) -> Iterator[tuple[str, Record]]:
        """Yield those of some commits that are kept one by one."""
        place = _place(key)
        for each in ids:
            row = self._index.recall("SELECT data, sum FROM commits WHERE id = ?", (each,))
            found = _open(row, place)
            if found and found[0].commit.id == each:
                yield each, found[0]

    def _keep_commits(self, key: HistoryKey, records: Iterable[Record]) -> None:
        place = _place(key)
        whole = [record for record in records if record.state == WHOLE]
        rows = [(record.commit.id, data := pack_records([record]), crc32(data, place)) for record in whole]
        if rows:
            self._index.keep("commits", rows, _NO_LIMIT)

    def _keep_past(self, key: HistoryKey, records: Sequence[Record]) -> None:
        data = pack_records(records)
        self._index.keep("pasts", [(key.head, data, crc32(data, _seed(key)))], _KEPT_PASTS)
        self._prune()

    def _prune(self) -> None:
        """Drop the commits that no kept past names, once there are many."""
        run = self._index.database.execute
        try:
            if run("SELECT count(*) FROM commits").fetchone()[0] <= _KEPT_COMMITS:
                return
            named = {each for (data,) in run("SELECT data FROM pasts").fetchall() for each in packed_ids(data)}
            gone = [row for row in run("SELECT id FROM commits").fetchall() if row[0] not in named]
            self._index.database.executemany("DELETE FROM commits WHERE id = ?", gone)
        except (*DAMAGE, *FLAWS):
            return


def _open(row: tuple[bytes, int] | None, start: int) -> list[Record] | None:
    """Return the records of a row, or None when they are not the ones that were packed."""
    try:
        return unpack_records(row[0]) if row and crc32(row[0], start) == row[1] else None
    except FLAWS:
        return None


def _torn(records: Iterable[Record]) -> int:
    return sum(record.state == TORN for record in records)


def _place(key: HistoryKey) -> int:
    """Return what sums of commits begin with: paths are told from a folder, and mean nothing from another."""
    return crc32(key.prefix.encode("utf-8", "surrogateescape"))


def _seed(key: HistoryKey) -> int:
    """Return what sums of pasts begin with: a clone that gets what it lacked keeps its HEAD."""
    return crc32(key.packs, crc32(key.shallow, _place(key)))
