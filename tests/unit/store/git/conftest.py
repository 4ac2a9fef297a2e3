"""The fixtures these tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from repo import Repo

from cuedeck.store.git.commit_log import History
from cuedeck.store.index import Index


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the person's own settings of git out."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


@pytest.fixture(scope="session")
def _repo_template(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    made = Repo(tmp_path_factory.mktemp("begun") / "repo")
    made.commit("Begin")
    return made


@pytest.fixture
def repo(_repo_template: Repo, tmp_path: Path) -> Repo:
    """A repository with a first commit, which touches no file and is therefore left
    out.
    """
    return _repo_template.copy(tmp_path / "repo")


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    made = Index(str(tmp_path / "index.sqlite"))
    yield made
    made.close()


@pytest.fixture
def history(repo: Repo, index: Index) -> Callable[[], History]:
    """Return a function that makes a history of the repository as a new process would:
    only the index is old.
    """
    return lambda: History(str(repo.root), index)


@pytest.fixture
def without_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], None]:
    """Return a function that removes git from the PATH."""
    return lambda: monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
