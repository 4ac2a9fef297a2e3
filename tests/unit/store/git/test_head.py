"""HEAD, read without a process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from repo import Repo

from cuedeck.store.git.checkout import Checkout
from cuedeck.store.git.head import find_repository, foreign_part, read_head


def head(repo: Repo, folder: str = "") -> str:
    return read_head(str(repo.root / folder))


def test_a_branch_is_followed(repo: Repo) -> None:
    assert head(repo) == repo.git("rev-parse", "HEAD")


def test_a_detached_head_is_read(repo: Repo) -> None:
    repo.git("checkout", "-q", "--detach")
    assert head(repo) == repo.git("rev-parse", "HEAD")


def test_packed_refs_are_read(repo: Repo) -> None:
    repo.git("branch", "a/main")
    repo.git("tag", "-a", "-m", "A tag", "v1")
    repo.git("pack-refs", "--all", "--prune")
    assert not (repo.root / ".git/refs/heads/main").exists()
    assert head(repo) == repo.git("rev-parse", "HEAD")


def test_a_branch_named_in_odd_characters_is_followed(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "für/main")
    new = repo.commit("More")
    assert head(repo) == new
    repo.git("pack-refs", "--all", "--prune")
    assert head(repo) == new


def test_a_ref_may_point_at_a_ref(repo: Repo) -> None:
    repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    repo.git("symbolic-ref", "HEAD", "refs/heads/alias")
    assert head(repo) == repo.git("rev-parse", "HEAD")


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_a_head_that_is_a_link_is_followed(repo: Repo) -> None:
    repo.git("pack-refs", "--all", "--prune")
    place = repo.root / ".git/HEAD"
    place.unlink()
    place.symlink_to("refs/heads/main")
    assert head(repo) == repo.git("rev-parse", "main")


def test_a_folder_below_the_top_is_in_the_repository(repo: Repo) -> None:
    repo.write("a/b/x.txt", "")
    assert head(repo, "a/b") == repo.git("rev-parse", "HEAD")
    found = find_repository(str(repo.root / "a/b"))
    assert found is not None and found.prefix == "a/b/"


def test_a_worktree_has_a_head_of_its_own(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"))
    new = repo.commit("Not in the worktree")
    assert read_head(str(tmp_path / "tree")) == repo.git("rev-parse", "other") != new
    repo.git("pack-refs", "--all", "--prune")
    assert read_head(str(tmp_path / "tree")) == repo.git("rev-parse", "other")


def test_a_separate_folder_of_git_is_used_when_it_names_the_checkout(
    tmp_path: Path,
) -> None:
    repo = Repo(tmp_path / "tree", "--separate-git-dir", str(tmp_path / "apart"))
    repo.commit("One")
    assert head(repo) == ""
    assert foreign_part(str(repo.root)) == str(tmp_path / "apart")
    repo.git("config", "core.worktree", str(repo.root))
    assert head(repo) == repo.git("rev-parse", "HEAD")
    assert foreign_part(str(repo.root)) == ""


def lend(repo: Repo, other: Repo) -> None:
    (repo.root / ".git/objects/info").mkdir(exist_ok=True)
    repo.write(".git/objects/info/alternates", f"{other.root}/.git/objects\n")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "objects",
        "refs",
        "refs/heads",
        "refs/heads/main",
        "packed-refs",
        "index",
        "HEAD",
        "commondir",
    ],
)
def test_a_part_of_another_repository_is_not_used(
    repo: Repo, tmp_path: Path, name: str
) -> None:
    """Names of files and messages of another repository once came into scenes and
    sessions.
    """
    other = repo.copy(tmp_path / "other")
    other.commit("Not for others", {"plan.txt": ""})
    other.git("pack-refs", "--all", "--no-prune")
    repo.commit("One", {"a.txt": ""})
    lend(repo, other)
    place = repo.root / ".git" / name
    if name == "commondir":
        place.write_text("../../other/.git\n")
    else:
        if place.exists():
            place.rename(tmp_path / "old")
        place.symlink_to(other.root / ".git" / name)
    assert head(repo) == ""
    assert foreign_part(str(repo.root)).startswith(str(other.root / ".git"))
    (repo.root / "sub").mkdir()
    assert head(repo, "sub") == ""
    assert list(Checkout(str(repo.root)).dirty()) == []


def test_a_file_that_leads_to_another_repository_is_not_used(
    repo: Repo, tmp_path: Path
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / ".git").write_text("gitdir: ../repo/.git\n")
    assert read_head(str(tree)) == ""
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"))
    (tree / ".git").write_text((tmp_path / "linked/.git").read_text())
    assert read_head(str(tree)) == ""
    assert read_head(str(tmp_path / "linked")) != ""


def test_a_repository_without_a_commit_has_no_head(tmp_path: Path) -> None:
    assert head(Repo(tmp_path / "empty")) == ""


def test_outside_a_repository_there_is_no_head(tmp_path: Path) -> None:
    assert read_head(str(tmp_path)) == ""


def test_a_folder_that_only_looks_like_a_repository_is_passed_by(repo: Repo) -> None:
    (repo.root / "a/.git").mkdir(parents=True)
    repo.write("b/.git", "no pointer\n")
    repo.write("c/.git", "gitdir: ../nowhere\n")
    assert {head(repo, folder) for folder in "abc"} == {repo.git("rev-parse", "HEAD")}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nonsense\n",
        b"ref: ../../x\n",
        b"ref: refs/../../x\n",
        b"\xff\n",
        b"ref:\n",
    ],
)
def test_an_invalid_head_is_left_to_git(repo: Repo, content: bytes) -> None:
    (repo.root / ".git/HEAD").write_bytes(content)
    assert head(repo) == "unknown"


def test_refs_in_a_circle_are_left_to_git(repo: Repo) -> None:
    (repo.root / ".git/refs/heads/a").write_text("ref: refs/heads/a\n")
    (repo.root / ".git/HEAD").write_text("ref: refs/heads/a\n")
    assert head(repo) == "unknown"


def test_refs_in_tables_are_left_to_git(repo: Repo) -> None:
    (repo.root / ".git/reftable").mkdir()
    (repo.root / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    assert head(repo) == "unknown"


def test_git_variables_of_a_hook_are_ignored(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repo(tmp_path / "other")
    other.commit("Elsewhere")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(repo.root))
    repo.write("a/x.txt", "")
    assert head(repo, "a") == repo.git("rev-parse", "HEAD")
