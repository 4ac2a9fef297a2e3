"""The history of HEAD, read from git once and cached in the index for recent HEADs.

The commits that are read depend on the repository alone, never on a clock. A run that
ends early stores the commits it has read, and the next run reads the others.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from zlib import crc32

from cuedeck.model.commit import Commit, Touched
from cuedeck.store.git.git_process import head_commit, run_git
from cuedeck.store.git.head import UNKNOWN, find_repository, history_key_of
from cuedeck.store.git.history_diagnostics import (
    MOST_COMMITS,
    NO_HISTORY,
    UNFINISHED,
    GitFault,
    fault_of,
    faults_in,
)
from cuedeck.store.git.read_commits import Record, read_commits

if TYPE_CHECKING:
    from cuedeck.model.diagnostic import Diagnostic
    from cuedeck.model.ports import Progress
    from cuedeck.store.git.head import HistoryKey, Repository
    from cuedeck.store.index import Index

_LIST = ("rev-list", "--no-merges", f"--max-count={MOST_COMMITS}", "--topo-order")
_KEPT_PASTS = 4
_NO_HEAD = ""
"""Key of the commits that an unfinished run has read."""


class History:
    """The commits of HEAD's ancestry that touch files of the workspace."""

    def __init__(
        self,
        root: str,
        index: Index,
        deadline: float | None = None,
        without_secrets: Callable[[str], str] = str,
        rules: Callable[[], str] = str,
    ) -> None:
        self._without_secrets = without_secrets
        """Masks a message, which must not be stored with secrets."""
        self._rules = rules
        """Returns the identifier of the search rules; messages masked by others are
        read again.
        """
        self._root = root
        self._index = index
        self.progress: Progress | None = None
        """Called with the number of new commits read so far."""
        self.deadline = deadline
        """Time of the monotonic clock at which reading stops; None for no limit."""
        self._read_for: object = None
        """Key and rules of `_commits`."""
        self._commits: Sequence[Commit] = ()
        self._problems: Sequence[Diagnostic] = ()
        self._absence = ""
        """Code of the reason why there are no commits; empty if there are."""
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
            key = history_key_of(repository)
            if key.head == UNKNOWN:
                head = head_commit(self._root, repository, self.deadline)
                key = key._replace(head=head)
            if not key.head:
                return self._without("no-commit")
            wanted = (key, self._rules())
            if wanted != self._read_for:
                records = self._records(repository, key, _seed(*wanted))
                self._read_for = wanted
                self.fault = self._absence = ""
                self._problems = faults_in(
                    len(records),
                    _torn(records),
                    key.shallow,
                    is_partial=bool(key.packs),
                )
                commits = [each.commit for each in records]
                self._commits = tuple(each for each in commits if each.files)
        except GitFault as fault:
            self.fault = fault.code
            return self._without(fault.code)
        return self._commits

    def problems(self) -> Sequence[Diagnostic]:
        """Return the reasons why the last result of `commits` is empty or
        incomplete.
        """
        if self._absence:
            return (fault_of(self._absence),)
        return self._problems

    def _without(self, fault: str) -> Sequence[Commit]:
        """Return no commits, and set the reason."""
        self._read_for = None
        self._commits = ()
        self._absence = fault
        if fault in NO_HISTORY:
            self.fault = ""
        return ()

    def _records(
        self, repository: Repository, key: HistoryKey, seed: int
    ) -> Sequence[Record]:
        """Return all commits of a history; git reads only commits not seen before.
        Raises: GitFault.
        """
        cached = _open(self._index.cached("pasts", key.head), seed)
        if cached is not None:
            return cached
        listed = run_git(
            self._root, repository, (*_LIST, key.head), deadline=self.deadline
        )
        # The changes of the boundary commits of a shallow clone are unknown.
        ends = key.shallow.split()
        ids = [each.decode() for each in listed.split() if each not in ends]
        # Most commits of the next HEAD are those that were stored last. Missing objects
        # may be fetched, or restored by hand.
        last = _open(self._index.last_cached("pasts"), seed) or ()
        known = {each.commit.id: each for each in last if not each.is_torn}
        records = self._complete(repository, ids, known, seed)
        if _torn(records):
            # Reading may have stopped at another commit than that of a first run.
            records = self._complete(repository, ids, {}, seed)
        self._keep(key.head, records, seed)
        return records

    def _complete(
        self,
        repository: Repository,
        ids: Sequence[str],
        known: dict[str, Record],
        seed: int,
    ) -> Sequence[Record]:
        """Return the commits of some ids, and read those that are not known. Raises:
        GitFault.
        """
        unseen = [each for each in ids if each not in known]
        read = read_commits(repository, unseen, self.deadline, self.progress)
        try:
            for record in map(self._masked, read):
                known[record.commit.id] = record
        except BaseException:  # also on Ctrl-C: the next run reads the others
            self._keep(_NO_HEAD, list(known.values()), seed)
            raise
        return [known[each] for each in ids]

    def _masked(self, record: Record) -> Record:
        """Return a record whose message has its secrets replaced."""
        commit = record.commit
        message = f"{commit.subject}\n{commit.body}"
        masked = self._without_secrets(message)
        if masked == message:
            return record
        subject, _, body = masked.partition("\n")
        return record._replace(commit=commit._replace(subject=subject, body=body))

    def _keep(self, head: str, records: Sequence[Record], seed: int) -> None:
        data = json.dumps(records, ensure_ascii=False, default=list)
        row = f"{crc32(data.encode(), seed)} {data}"
        self._index.keep("pasts", {head: row}, _KEPT_PASTS)


def _seed(key: HistoryKey, rules: str) -> int:
    """Return the start value of checksums: paths are relative to the workspace,
    messages are masked, and a clone that fetches missing objects keeps its HEAD.
    """
    parts = (rules, key.prefix, key.shallow, key.packs)
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
