"""Files of a repository that an archive made a pipe or a device of: git is not started,
or does not read them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from repo import Repo

from cuedeck.store.files.ignore_state import TrackedFiles
from cuedeck.store.git.checkout import Checkout
from cuedeck.store.git.commit_log import History
from cuedeck.store.git.head import find_repository, foreign_part, read_head
from cuedeck.store.git.history_diagnostics import ODD, GitFault
from cuedeck.store.git.irregular_files import check_files
from cuedeck.store.index import Index

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs named pipes")
Make = Callable[[], History]


def pipe(place: Path) -> None:
    place.unlink(missing_ok=True)
    os.mkfifo(place)


@pytest.mark.parametrize(
    "name",
    [
        *(
            ".git/HEAD",
            ".git/config",
            ".git/index",
            ".git/packed-refs",
            ".git/info/exclude",
            ".git/refs/heads/main",
        ),
        *(
            ".gitignore",
            ".gitattributes",
            ".git/objects/info/alternates",
            ".git/objects/pack/pack-x.idx",
        ),
    ],
)
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_git_is_not_started_where_it_would_wait(
    repo: Repo, tmp_path: Path, name: str, kind: str
) -> None:
    first = repo.commit("one", {"a.txt": "the first line\n"})
    repo.commit("two", {"a.txt": "the second line\n"})
    place = repo.root / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to("/dev/zero")
    root = str(repo.root)
    read_head(root)
    history = History(root, Index(""))
    assert history.commits() == () and [each.code for each in history.problems()] in (
        ["git-failed"],
        ["no-git"],
    )
    checkout = Checkout(root)
    assert list(checkout.dirty()) == [] and list(checkout.since(first)) == []
    assert checkout.fault == ("" if foreign_part(root) else ODD)
    tracked = TrackedFiles(root)
    tracked.ask(find_repository(root))
    assert list(tracked.paths) == []


@pytest.mark.parametrize(
    "text",
    [
        "[include]\n\tpath = {}\n",
        '[INCLUDE] path = "{}" ; why\n',
        '[includeIf "gitdir:/"]\n  Path={}\n',
        "[include]\n\tpath = pla\\\nin\n",
    ],
)
def test_a_pipe_that_settings_include_is_found(
    repo: Repo, tmp_path: Path, text: str
) -> None:
    repo.commit("one", {"a.txt": ""})
    pipe(tmp_path / "pipe")
    (repo.root / ".git/plain").write_text(f"[include]\npath = {tmp_path}/pipe\n")
    with (repo.root / ".git/config").open("a") as file:
        file.write(text.format(tmp_path / "pipe"))
    repository = find_repository(str(repo.root))
    assert repository is not None
    with pytest.raises(GitFault, match=ODD):
        check_files(str(repo.root), repository)


@pytest.mark.parametrize(
    "setting",
    [
        "mailmap.file",
        "diff.orderFile",
        "core.excludesFile",
        "core.attributesFile",
        "mailmap.blob",
    ],
)
def test_a_file_that_settings_name_is_not_read(
    repo: Repo, tmp_path: Path, history: Make, setting: str
) -> None:
    first = repo.commit("one", {"a.txt": "the first line\n"})
    repo.commit("two", {"a.txt": "the second line\n"})
    pipe(tmp_path / "pipe")
    repo.git(
        "config",
        setting,
        "HEAD:a.txt" if setting.endswith("blob") else str(tmp_path / "pipe"),
    )
    (repo.root / "b.txt").write_text("new")
    assert len(history().commits()) == 2
    checkout = Checkout(str(repo.root))
    assert checkout.dirty() == ["b.txt"]
    assert [each.paths for each in checkout.since(first)] == [("a.txt",)]
    assert checkout.fault == ""


def fault(checkout: Checkout) -> str:
    checkout.dirty()
    return checkout.fault


@pytest.mark.parametrize(
    "name",
    [
        ".git/HEAD",
        ".git/config",
        ".git/refs/heads/main",
        ".git/objects/info/alternates",
        ".gitignore",
    ],
)
def test_git_is_not_started_where_a_sparse_file_would_fill_its_memory(
    repo: Repo, name: str
) -> None:
    repo.commit("one", {"a.txt": ""})
    place = repo.root / name
    place.parent.mkdir(exist_ok=True)
    with place.open("ab") as file:
        file.truncate(1 << 40)
    root = str(repo.root)
    assert fault(Checkout(root)) == ODD
    history = History(root, Index(""))
    assert history.commits() == () and history.fault == ODD
