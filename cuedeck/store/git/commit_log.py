"""The history of HEAD, read from git once and cached in the index for recent HEADs.

The commits that are read depend on the repository alone, never on a clock. A run that
ends early stores the commits it has read, and the next run reads the others.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from cuedeck.model.commit import Commit, Touched
from cuedeck.store.git.head import UNKNOWN, find_repository, history_key_of
from cuedeck.store.git.history_diagnostics import (
    NO_HISTORY,
    UNFINISHED,
    GitFault,
    fault_of,
    faults_in,
)
from cuedeck.store.git.read_commits import Record

if TYPE_CHECKING:
    from cuedeck.model.diagnostic import Diagnostic
    from cuedeck.model.ports import Progress
    from cuedeck.store.git.git_queries import Git
    from cuedeck.store.git.head import HistoryKey, Repository
    from cuedeck.store.index import Index

_KEPT_PASTS = 4
_NO_HEAD = ""
"""Key of the commits that an unfinished run has read."""


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
                len(records), _torn(records), key.shallow, is_partial=bool(key.packs)
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
        return _open(self._index.cached("pasts", key.head), self._seed(key))

    def _read(self, repository: Repository, key: HistoryKey) -> Sequence[Record]:
        """Return all commits of a history, and cache them; git reads only commits not
        seen before. Raises: GitFault.
        """
        ids = self._git(repository).ancestors(key.head)
        # Missing objects may be fetched, or restored by hand.
        known = {
            record.commit.id: record for record in self._last(key) if not record.is_torn
        }
        records = self._complete(repository, key, ids, known)
        if _torn(records):
            # Reading may have stopped at another commit than that of a first run.
            records = self._complete(repository, key, ids, {})
        self._keep(key, records)
        return records

    def _complete(
        self,
        repository: Repository,
        key: HistoryKey,
        ids: Sequence[str],
        known: dict[str, Record],
    ) -> Sequence[Record]:
        """Return the commits of some ids, and read those that are not known. Raises:
        GitFault.
        """
        from cuedeck.store.git.read_commits import read_commits

        unseen = [each for each in ids if each not in known]
        read = read_commits(repository, unseen, self.deadline, self.progress)
        try:
            for record in map(self._masked, read):
                known[record.commit.id] = record
        except BaseException:  # also on Ctrl-C: the next run reads the others
            self._keep(key._replace(head=_NO_HEAD), list(known.values()))
            raise
        return [known[each] for each in ids]

    def _masked(self, record: Record) -> Record:
        """Return a record whose message has its secrets replaced."""
        commit = record.commit
        message = f"{commit.subject}\n{commit.body}"
        masked = self._mask(message)
        if masked == message:
            return record
        subject, _, body = masked.partition("\n")
        return record._replace(commit=commit._replace(subject=subject, body=body))

    def _last(self, key: HistoryKey) -> Sequence[Record]:
        """Return the commits that were stored last, which are most of those of the next
        HEAD.
        """
        if self._key is not None and self._key[1:] == key[1:]:
            return self._records
        return _open(self._index.last_cached("pasts"), self._seed(key)) or ()

    def _keep(self, key: HistoryKey, records: Sequence[Record]) -> None:
        data = json.dumps(records, ensure_ascii=False, default=list)
        checksum = crc32(data.encode(), self._seed(key))
        self._index.keep("pasts", {key.head: f"{checksum} {data}"}, _KEPT_PASTS)

    def _seed(self, key: HistoryKey) -> int:
        """Return the start value of checksums: paths are relative to the workspace,
        messages are masked, and a clone that fetches missing objects keeps its HEAD.
        """
        parts = (self._rules(), key.prefix, key.shallow, key.packs)
        return crc32(repr(parts).encode())


def _open(value: Any, seed: int) -> list[Record] | None:
    """Return the records of a cached value, or None if its checksum does not match."""
    if value is None:
        return None
    try:
        checksum, _, data = value.partition(" ")
        if crc32(data.encode(), seed) != int(checksum):
            return None
        found = []
        for (*fields, files), is_torn in json.loads(data):
            touched = [Touched(path, old, array("I", new)) for path, old, new in files]
            found.append(Record(Commit._make((*fields, tuple(touched))), is_torn))
        return found
    except (ValueError, TypeError, AttributeError):
        return None


def _torn(records: Sequence[Record]) -> int:
    return sum(record.is_torn for record in records)
