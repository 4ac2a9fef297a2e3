"""Clones and their checkouts."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_history import History

from benchmarks.scenes.clones import UnfitClones, find_clones
from benchmarks.scenes.replay import choose_line
from benchmarks.scenes.repository import git
from benchmarks.scenes.worktree import Worktree


def test_clone_is_found_by_owner_and_name(history: History) -> None:
    assert find_clones([history.case], str(history.root.parent)) == {
        "some+shop": str(history.root)
    }


@pytest.mark.parametrize("folder", [None, "", "nowhere"])
def test_missing_clones_are_reported_with_commands(
    history: History, folder: str | None, tmp_path: Path
) -> None:
    with pytest.raises(UnfitClones) as answer:
        find_clones([history.case], folder and str(tmp_path / folder))
    assert (
        'git clone https://github.com/some/shop "$SCENEBENCH_REPOS/some+shop"'
        in str(answer.value)
    )


def test_shallow_clone_is_reported(history: History) -> None:
    with pytest.raises(
        UnfitClones, match=r"lacks 1 of 1 commits(.|\n)*fetch --unshallow"
    ):
        find_clones([history.case._replace(parent="1" * 40)], str(history.root.parent))


def test_folder_that_is_not_a_clone_is_reported(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    (tmp_path / "some+shop").mkdir()
    with pytest.raises(UnfitClones, match="no clone that git can read"):
        find_clones([history.case], str(tmp_path))


def test_checkout_contains_nothing_later_than_its_commit(
    history: History, tmp_path: Path
) -> None:
    worktree = Worktree(str(history.root), str(tmp_path / "tree"))
    worktree.check_out(history.before)
    assert git(worktree.root, "log", "--all", "--format=%s").split("\n") == [
        "Round prices",
        "Begin",
        "",
    ]
    assert git(worktree.root, "for-each-ref") == ""
    assert "Two." not in Path(worktree.path("docs/guide.md")).read_text("utf-8")


def test_next_case_starts_from_a_clean_checkout(
    history: History, tmp_path: Path
) -> None:
    worktree = Worktree(str(history.root), str(tmp_path / "tree"))
    worktree.check_out(history.before)
    Path(worktree.path(".cuedeck")).mkdir()
    Path(worktree.path("shop/main.py")).write_text("changed", "utf-8")
    worktree.move(history.case.parent)
    assert Path(worktree.path(".cuedeck")).exists()
    worktree.check_out(history.case.parent)
    assert not Path(worktree.path(".cuedeck")).exists()
    assert git(worktree.root, "status", "--porcelain") == ""


def test_replay_ends_at_a_case_with_enough_earlier_commits(history: History) -> None:
    case, line = choose_line(str(history.root), [history.case], 2)
    assert (case.id, len(line), line[1:]) == (
        "shop-1",
        3,
        [history.before, history.case.parent],
    )
    with pytest.raises(RuntimeError, match="no case"):
        choose_line(str(history.root), [history.case], 3)
