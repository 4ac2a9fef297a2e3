"""The history that ends at HEAD, read once: every commit, and the past of the last few HEADs, lie in the index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING
from zlib import crc32

from cuedeck.store.history.faults import NO_HISTORY, fault_of, faults_in
from cuedeck.store.history.head import UNKNOWN, find_repository, standing_of
from cuedeck.store.history.packing import FLAWS, TORN, WHOLE, Record, pack_records, packed_ids, unpack_records
from cuedeck.store.index.schema import DAMAGE

if TYPE_CHECKING:
    from cuedeck.model.history import Commit
    from cuedeck.model.node import Diagnostic
    from cuedeck.model.ports import Progress
    from cuedeck.store.history.ahead import Ahead
    from cuedeck.store.history.git import Git
    from cuedeck.store.history.head import Repository, Standing
    from cuedeck.store.index import Index

_KEPT_PASTS = 4
_KEPT_COMMITS = 8_000
"""As many as the kept pasts can name."""
_NO_LIMIT = 1 << 60
_SECONDS = 120.0


class History:
    """The commits of HEAD's ancestry that touch files of the workspace."""

    def __init__(self, root: str, index: Index, progress: Progress | None = None, seconds: float = _SECONDS) -> None:
        self._root = root
        self._index = index
        self._progress = progress
        self._seconds = seconds
        self._key: Standing | None = None
        self._records: Sequence[Record] = ()
        self._commits: Sequence[Commit] = ()
        self._problems: Sequence[Diagnostic] = ()
        self._ahead: tuple[Standing, Ahead] | None = None
        self.is_settled = True
        """False when git failed at the last reading: the next one may find commits where nothing else changed."""

    def begin(self) -> None:
        """Have the commits read while something else is done, where none was ever read: that takes the longest."""
        from cuedeck.store.history.ahead import Ahead

        repository = find_repository(self._root)
        key = standing_of(repository)
        if repository is None or key.head in ("", UNKNOWN) or self._index.recall("SELECT 1 FROM pasts LIMIT 1", ()):
            return
        self._ahead = key, Ahead(self._git(repository), key.head)

    def close(self) -> None:
        """End what was begun and nobody asked for."""
        if self._ahead is not None:
            self._ahead[1].close()
            self._ahead = None

    def commits(self) -> Sequence[Commit]:
        """Return the commits as of now, without merges, bulk changes and the ends of a shallow clone.

        Order: newest first, as `git rev-list --topo-order` has it. What cannot be read is told by `problems`.
        """
        repository = find_repository(self._root)
        if repository is None:
            return self._without("no-repository")
        key, fault = standing_of(repository), ""
        if key.head == UNKNOWN:
            head, fault = self._git(repository).head()
            key = key._replace(head=head)
        if not key.head:
            return self._without(fault or "no-commit")
        if key != self._key:
            records = self._recall(key)
            if records is None:
                records, fault = self._read(self._git(repository), key)
            if fault:
                return self._without(fault)
            self._key, self._records, self.is_settled = key, records, True
            self._problems = faults_in(records, shallow=bool(key.shallow), partial=bool(key.packs))
            self._commits = tuple([record.commit for record in records if record.commit.files])
        return self._commits

    def problems(self) -> Sequence[Diagnostic]:
        """Return why the commits returned last are none, or not all."""
        return self._problems

    def _git(self, repository: Repository) -> Git:
        from cuedeck.store.history.git import Git

        return Git(self._root, repository, self._seconds)

    def _without(self, fault: str) -> Sequence[Commit]:
        self._key, self._records, self._commits, self._problems = None, (), (), (fault_of(fault),)
        self.is_settled = fault in NO_HISTORY
        return ()

    def _recall(self, key: Standing) -> Sequence[Record] | None:
        row = self._index.recall("SELECT data, sum FROM pasts WHERE head = ?", (key.head,))
        return _open(row, _seed(key))

    def _read(self, git: Git, key: Standing) -> tuple[Sequence[Record], str]:
        """Return every commit that is listed, and what went wrong; only what was never seen is asked of git."""
        from cuedeck.store.history.git import MOST_FAILURES
        from cuedeck.store.history.reading import read_commits

        begun = self._begun(key)
        if begun is not None:
            self._keep(key, begun, begun)
            return begun, ""
        listing = git.start_list(key.head)
        last = self._last(key)
        # What a partial clone lacks comes with a pack; into others it may be put by hand.
        usable = (WHOLE, TORN) if key.packs else (WHOLE,)
        known = {record.commit.id: record for record in last if record.state in usable}
        ids, fault = git.finish_list(listing)
        if fault:
            return (), fault
        known.update(self._kept(key, [each for each in ids if each not in known]))
        unseen = [each for each in ids if each not in known]
        read = list(read_commits(git, unseen, self._progress))
        known.update((record.commit.id, record) for record in read)
        records = [known[each] for each in ids]
        if len(read) < len(ids) and _torn(records) >= MOST_FAILURES:
            behind = [record.commit.id for record in last][: len(ids) - len(read)]
            if _torn(read) or ids[len(read) :] != behind:
                # Reading is given up elsewhere than last time: nobody may know more than who begins now.
                found = {record.commit.id: record for record in read_commits(git, ids, self._progress)}
                read = records = [found[each] for each in ids]
        self._keep(key, read, records)
        return records, ""

    def _begun(self, key: Standing) -> Sequence[Record] | None:
        """Return what was read of this past meanwhile, if it was begun and came to a good end."""
        ahead, self._ahead = self._ahead, None
        if ahead is None:
            return None
        if ahead[0] != key:
            ahead[1].close()
            return None
        return ahead[1].take()

    def _last(self, key: Standing) -> Sequence[Record]:
        """Return the past that was of use last: most of it is the past of the next HEAD, too."""
        if self._key is not None and self._key[1:] == key[1:]:
            return self._records
        row = self._index.recall("SELECT data, sum FROM pasts ORDER BY rowid DESC LIMIT 1", ())
        return _open(row, _seed(key)) or ()

    def _kept(self, key: Standing, ids: Iterable[str]) -> Iterator[tuple[str, Record]]:
        """Yield those of some commits that are kept one by one."""
        place = _place(key)
        for each in ids:
            row = self._index.recall("SELECT data, sum FROM commits WHERE id = ?", (each,))
            found = _open(row, place)
            if found and found[0].commit.id == each:
                yield each, found[0]

    def _keep(self, key: Standing, read: Sequence[Record], records: Sequence[Record]) -> None:
        place = _place(key)
        whole = [record for record in read if record.state == WHOLE]
        rows = [(record.commit.id, data := pack_records([record]), crc32(data, place)) for record in whole]
        self._index.keep("commits", rows, _NO_LIMIT)
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


def _place(key: Standing) -> int:
    """Return what sums of commits begin with: paths are told from a folder, and mean nothing from another."""
    return crc32(key.prefix.encode("utf-8", "surrogateescape"))


def _seed(key: Standing) -> int:
    """Return what sums of pasts begin with: a clone that gets what it lacked keeps its HEAD."""
    return crc32(key.packs, crc32(key.shallow, _place(key)))
