"""The history of HEAD, read from git once and cached in the index: single commits, and
the history of recent HEADs.

The commits that are read depend on the repository alone, never on a clock. A run that
ends early stores the commits it has read, and the next run reads the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from cuedeck.store.git.commit_codec import (
    FLAWS,
    TORN,
    WHOLE,
    Record,
    pack_records,
    packed_ids,
    unpack_records,
)
from cuedeck.store.git.head import UNKNOWN, find_repository, history_key_of
from cuedeck.store.git.history_diagnostics import (
    NO_HISTORY,
    UNFINISHED,
    GitFault,
    fault_of,
    faults_in,
)
from cuedeck.store.index.schema import DAMAGE

if TYPE_CHECKING:
    from cuedeck.model.commit import Commit
    from cuedeck.model.diagnostic import Diagnostic
    from cuedeck.model.ports import Progress
    from cuedeck.store.git.git_queries import Git
    from cuedeck.store.git.head import HistoryKey, Repository
    from cuedeck.store.index import Index

_KEPT_PASTS = 4
_KEPT_COMMITS = 8_000
"""Maximum number of cached commits, which is as many as the cached histories can
contain.
"""
_NO_LIMIT = 1 << 60
_BATCH = 100
"""Number of commits stored at once while others are read."""


class CommitMask(NamedTuple):
    """Masking of commit messages, which must not be stored with secrets."""

    mask: Callable[[str], str]
    rules: Callable[[], str]
    """Returns the identifier of the search rules; messages masked by others are read
    again.
    """


class History:
    """The commits of HEAD's ancestry that touch files of the workspace."""

    def __init__(
        self,
        root: str,
        index: Index,
        deadline: float | None = None,
        mask: CommitMask | None = None,
    ) -> None:
        self._mask, self._rules = mask or CommitMask(str, str)
        self._root = root
        self._index = index
        self.progress: Progress | None = None
        """Called with the number of new commits read so far."""
        self.deadline = deadline
        """Time of the monotonic clock at which reading stops; None for no limit."""
        self._masked_by = ""
        """Rules by which the messages of `_records` are masked."""
        self._key: HistoryKey | None = None
        self._records: Sequence[Record] = ()
        self._commits: Sequence[Commit] = ()
        self._problems: Sequence[Diagnostic] = ()
        self._absence = ""
        """Code of `fault_of`: the reason why there are no commits; empty if there are.
        """
        self.fault = ""
        """Code of the `GitFault` of the last call; empty if it succeeded. The next call
        may find commits.
        """

    @property
    def is_unfinished(self) -> bool:
        """Whether the deadline passed before everything was read."""
        return self.fault == UNFINISHED

    def commits(self) -> Sequence[Commit]:
        """Return the current commits, without merges, bulk changes and the boundary
        commits of a shallow clone.

        Order: newest first, as in `git rev-list --topo-order`. `problems` reports the
        commits that cannot be read.
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
        key = history_key_of(repository)
        if key.head == UNKNOWN:
            key = key._replace(head=self._git(repository).head())
        if not key.head:
            return self._without("no-commit")
        rules = self._rules()
        if rules != self._masked_by:
            self._key = None
            self._masked_by = rules
        if key != self._key:
            records = self._recall(key)
            if records is None:
                records = self._read(repository, key)
            self._key = key
            self._records = records
            self.fault = ""
            self._absence = ""
            self._problems = faults_in(
                records, shallow=bool(key.shallow), partial=bool(key.packs)
            )
            self._commits = tuple(
                [record.commit for record in records if record.commit.files]
            )
        return self._commits

    def problems(self) -> Sequence[Diagnostic]:
        """Return the reasons why the last result of `commits` is empty or
        incomplete.
        """
        if self._absence:
            return (fault_of(self._absence),)
        return self._problems

    def _git(self, repository: Repository) -> Git:
        from cuedeck.store.git.git_queries import Git

        return Git(self._root, repository, self.deadline)

    def _without(self, fault: str) -> Sequence[Commit]:
        """Return no commits, and set the reason."""
        self._key = None
        self._records = ()
        self._commits = ()
        self._absence = fault
        if fault in NO_HISTORY:
            self.fault = ""
        return ()

    def _recall(self, key: HistoryKey) -> Sequence[Record] | None:
        row = self._index.recall(
            "SELECT data, sum FROM pasts WHERE head = ?", (key.head,)
        )
        return _open(row, self._seed(key))

    def _read(self, repository: Repository, key: HistoryKey) -> Sequence[Record]:
        """Return all commits of a history, and cache them; git reads only commits not
        seen before. Raises: GitFault.
        """
        from cuedeck.store.git.commit_diffs import MOST_FAILURES

        git = self._git(repository)
        listing = git.start_list(key.head)
        previous = self._last(key)
        # Packs are added to a partial clone by fetches; missing objects of other clones
        # may be restored by hand.
        usable = (WHOLE, TORN) if key.packs else (WHOLE,)
        known = {
            record.commit.id: record for record in previous if record.state in usable
        }
        ids = git.finish_list(listing)
        known.update(self._kept(key, [each for each in ids if each not in known]))
        unseen = [each for each in ids if each not in known]
        read = self._read_commits(repository, key, unseen)
        known.update((record.commit.id, record) for record in read)
        records = [known[each] for each in ids]
        if len(read) < len(ids) and _torn(records) >= MOST_FAILURES:
            older = [record.commit.id for record in previous]
            older = older[: len(ids) - len(read)]
            if _torn(read) or ids[len(read) :] != older:
                # Reading stops at another commit than in the previous run. The result
                # must equal that of a first run.
                records = self._reread(repository, ids)
        self._keep_past(key, records)
        return records

    def _read_commits(
        self, repository: Repository, key: HistoryKey, ids: Sequence[str]
    ) -> list[Record]:
        from cuedeck.store.git.commit_diffs import Diffs
        from cuedeck.store.git.read_commits import read_commits

        with Diffs(repository, self.deadline) as diffs:
            return self._take_in(key, read_commits(diffs, ids, self.progress))

    def _reread(self, repository: Repository, ids: Sequence[str]) -> list[Record]:
        """Return commits in the order of their ids, without the cache."""
        from cuedeck.store.git.commit_diffs import Diffs
        from cuedeck.store.git.read_commits import read_commits

        with Diffs(repository, self.deadline) as diffs:
            found = {
                record.commit.id: self._masked(record)
                for record in read_commits(diffs, ids, self.progress)
            }
        return [found[each] for each in ids]

    def _masked(self, record: Record) -> Record:
        """Return a record whose message has its secrets replaced."""
        commit = record.commit
        message = f"{commit.subject}\n{commit.body}"
        masked = self._mask(message)
        if masked == message:
            return record
        subject, _, body = masked.partition("\n")
        return record._replace(commit=commit._replace(subject=subject, body=body))

    def _take_in(self, key: HistoryKey, records: Iterable[Record]) -> list[Record]:
        """Return all records of a stream, and store them while they arrive, so that an
        early end loses none.
        """
        taken: list[Record] = []
        kept = 0
        try:
            for record in map(self._masked, records):
                taken.append(record)
                if len(taken) - kept >= _BATCH:
                    self._keep_commits(key, taken[kept:])
                    kept = len(taken)
        finally:
            self._keep_commits(key, taken[kept:])
        return taken

    def _last(self, key: HistoryKey) -> Sequence[Record]:
        """Return the history that was used last, because it contains most commits of
        the next HEAD.
        """
        if self._key is not None and self._key[1:] == key[1:]:
            return self._records
        row = self._index.recall(
            "SELECT data, sum FROM pasts ORDER BY rowid DESC LIMIT 1", ()
        )
        return _open(row, self._seed(key)) or ()

    def _kept(
        self, key: HistoryKey, ids: Iterable[str]
    ) -> Iterator[tuple[str, Record]]:
        """Yield (id, record) of the commits that are cached one by one."""
        place = self._place(key)
        for each in ids:
            row = self._index.recall(
                "SELECT data, sum FROM commits WHERE id = ?", (each,)
            )
            found = _open(row, place)
            if found and found[0].commit.id == each:
                yield each, found[0]

    def _keep_commits(self, key: HistoryKey, records: Iterable[Record]) -> None:
        place = self._place(key)
        rows = []
        for record in records:
            if record.state == WHOLE:
                data = pack_records([record])
                rows.append((record.commit.id, data, crc32(data, place)))
        if rows:
            self._index.keep("commits", rows, _NO_LIMIT)

    def _keep_past(self, key: HistoryKey, records: Sequence[Record]) -> None:
        data = pack_records(records)
        self._index.keep(
            "pasts", [(key.head, data, crc32(data, self._seed(key)))], _KEPT_PASTS
        )
        self._prune()

    def _place(self, key: HistoryKey) -> int:
        """Return the start value of checksums of commits, because their paths are
        relative to the workspace and their messages are masked.
        """
        rules = crc32(self._rules().encode())
        return crc32(key.prefix.encode("utf-8", "surrogateescape"), rules)

    def _seed(self, key: HistoryKey) -> int:
        """Return the start value of checksums of histories: a clone that fetches
        missing objects keeps its HEAD.
        """
        return crc32(key.packs, crc32(key.shallow, self._place(key)))

    def _prune(self) -> None:
        """Delete the cached commits that no cached history contains, if there are too
        many.
        """
        run = self._index.database.execute
        try:
            if run("SELECT count(*) FROM commits").fetchone()[0] <= _KEPT_COMMITS:
                return
            named: set[str] = set()
            for (data,) in run("SELECT data FROM pasts").fetchall():
                named.update(packed_ids(data))
            gone = [
                row
                for row in run("SELECT id FROM commits").fetchall()
                if row[0] not in named
            ]
            self._index.database.executemany("DELETE FROM commits WHERE id = ?", gone)
        except (*DAMAGE, *FLAWS):
            return


def _open(row: tuple[bytes, int] | None, start: int) -> list[Record] | None:
    """Return the records of a row, or None if its checksum does not match."""
    if not row:
        return None
    data, checksum = row
    try:
        if crc32(data, start) != checksum:
            return None
        return unpack_records(data)
    except FLAWS:
        return None


def _torn(records: Iterable[Record]) -> int:
    return sum(record.state == TORN for record in records)
