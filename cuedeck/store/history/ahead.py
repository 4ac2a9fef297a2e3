"""A whole history read by a copy of this process, while this one reads the files."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import partial

from cuedeck.store.copies import Answer, may_copy
from cuedeck.store.history.git import Git
from cuedeck.store.history.packing import Record
from cuedeck.store.history.reading import read_commits


class Ahead:
    """Begun at once; where no copy can be made there is just nothing to take."""

    def __init__(self, git: Git, head: str) -> None:
        self._answer: Answer | None = None
        if may_copy():
            with contextlib.suppress(OSError):
                self._answer = Answer(partial(_read, git), head)

    def take(self) -> Sequence[Record] | None:
        """Return every commit that is listed, once; None when they could not be listed."""
        answer, self._answer = self._answer, None
        try:
            records: Sequence[Record] | None = answer.take() if answer is not None else None
        except OSError:
            return None
        return records

    def close(self) -> None:
        """End what nobody took."""
        if self._answer is not None:
            self._answer.close()


def _read(git: Git, head: str) -> Sequence[Record] | None:
    ids, fault = git.finish_list(git.start_list(head))
    if fault:
        return None
    found = {record.commit.id: record for record in read_commits(git, ids)}
    return [found[each] for each in ids]
