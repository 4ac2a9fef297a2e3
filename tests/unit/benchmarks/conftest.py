"""One small repository for all tests of this folder; no test changes it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import small_history
from small_history import History

from benchmarks.scenes.repository import Repository
from benchmarks.scenes.snapshot import Library, Snapshot


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> Iterator[History]:
    root = tmp_path_factory.mktemp("clones") / "some+shop"
    commit, before = small_history.make(root)
    with Repository(str(root)) as repository:
        yield History(
            root,
            before,
            small_history.case(commit),
            Snapshot(Library(repository), commit),
        )
