"""Files that git ignores and tracks, computed without git and compared with the output
of git.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cuedeck.store.git.exposure import git_hides, git_tracks

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="compares with git")
PATHS = (
    ".cuedeck/SCENE.md",
    ".cuedeck/active",
    ".cuedeck/cards/a.md",
    ".cuedeck/cache/index.sqlite",
)


def git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environ = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
    }
    return subprocess.run(
        ("git", *arguments), cwd=root, env=environ, capture_output=True, check=False
    )


@pytest.fixture
def top(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    return tmp_path


def workspace(root: Path) -> Path:
    for path in PATHS:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x\n")
    return root


@pytest.mark.parametrize("below", ["", "packages/one"])
@pytest.mark.parametrize(
    ("place", "rules"),
    [
        (".cuedeck/.gitignore", "SCENE.md\nactive\ncache/\n"),
        (".cuedeck/.gitignore", "/SCENE.md\n"),
        (".cuedeck/.gitignore", "*\n!.gitignore\n!cards/\n!cards/*\n"),
        (".cuedeck/.gitignore", "SCENE.md\n!SCENE.md\n"),
        (".gitignore", ".cuedeck/\n"),
        (".gitignore", ".cuedeck/cache\n"),
        (".gitignore", "active\n"),
        (".gitignore", "# nothing\n\n"),
    ],
)
def test_hides_the_same_files_as_git(
    top: Path, below: str, place: str, rules: str
) -> None:
    root = workspace(top / below)
    (root / place).write_text(rules)
    for path in PATHS:
        ignored = git(root, "check-ignore", "-q", path).returncode == 0
        assert git_hides(str(root), path) is ignored, path


@pytest.mark.parametrize(
    "place",
    [".gitignore", "one/.gitignore", "one/.cuedeck/.gitignore", ".git/info/exclude"],
)
def test_a_link_is_followed_where_git_follows_it(top: Path, place: str) -> None:
    """Files named in a linked ignore file used to count as hidden, although git showed
    them.
    """
    root = workspace(top / "one")
    (top / "rules").write_text("SCENE.md\n")
    (top / place).unlink(missing_ok=True)
    (top / place).symlink_to(top / "rules")
    ignored = git(root, "check-ignore", "-q", PATHS[0]).returncode == 0
    assert git_hides(str(root), PATHS[0]) is ignored is (place == ".git/info/exclude")


def test_without_git_the_rules_of_the_workspace_count(tmp_path: Path) -> None:
    root = workspace(tmp_path)
    (root / ".cuedeck/.gitignore").write_text("cache/\n")
    assert git_hides(str(root), ".cuedeck/cache", is_folder=True)
    assert not git_hides(str(root), ".cuedeck/active")


@pytest.mark.parametrize("below", ["", "packages/one"])
def test_tracks_the_same_files_as_git(top: Path, below: str) -> None:
    root = workspace(top / below)
    git(root, "add", "-f", PATHS[0])
    assert git_tracks(str(root), PATHS[0])
    assert not git_tracks(str(root), PATHS[1])
    git(root, "rm", "-q", "--cached", PATHS[0])
    assert not git_tracks(str(root), PATHS[0])


def test_tracks_in_a_worktree(top: Path) -> None:
    workspace(top)
    git(top, "add", "-f", PATHS[0])
    git(
        top,
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
        "commit",
        "-qm",
        "one",
    )
    git(top, "worktree", "add", "-q", "tree")
    assert git_tracks(str(top / "tree"), PATHS[0])


def test_a_workspace_may_be_the_root_of_the_file_system(tmp_path: Path) -> None:
    """The way up from a file to the workspace had no end where the workspace was
    `/`.
    """
    (tmp_path / ".gitignore").write_text("*.key\n")
    top, path = tmp_path.anchor, tmp_path.relative_to(tmp_path.anchor).as_posix()
    assert git_hides(top, f"{path}/x.key")
    assert not git_hides(top, f"{path}/x.lock")


def test_an_empty_git_folder_is_not_a_repository(top: Path) -> None:
    """An empty `.git/` was taken for a repository with an empty index."""
    root = workspace(top / "ws")
    (root / ".git").mkdir()
    git(root, "add", "-f", PATHS[0])
    (top / ".gitignore").write_text("SCENE.md\n")
    assert git_tracks(str(root), PATHS[0])
    assert git_hides(str(root), PATHS[0])
