"""Doctor findings about the git history: missing, incomplete or unreadable."""

from __future__ import annotations

import os

import pytest
from sandbox import Sandbox

from cuedeck.doctor.examine import examine
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.engine.workspace import Workspace


def findings_of(workspace: Workspace) -> list[tuple[str, str]]:
    return [
        (each.level, each.code)
        for each in examine(workspace).findings
        if each.check == "history"
    ]


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.git("init", "-q")
    for at in range(3):
        sandbox.write("src/a.py", f"# Line {at} of a\n")
        sandbox.git("add", "-A")
        sandbox.git("commit", "-q", "-m", f"Commit {at}")
    return sandbox


def clone_of(sandbox: Sandbox, *options: str) -> Workspace:
    place = sandbox.root.parent / "clone"
    sandbox.git("clone", "-q", *options, sandbox.root.as_uri(), str(place))
    (place / ".cuedeck/cards").mkdir(parents=True, exist_ok=True)
    return open_workspace(str(place), {})


def test_a_shallow_clone_is_information(shop: Sandbox) -> None:
    assert findings_of(clone_of(shop, "--depth", "2")) == [("info", "shallow-clone")]


def test_a_missing_git_is_a_warning(
    shop: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(shop.root / "nowhere"))
    (only,) = [
        each for each in examine(shop.workspace()).findings if each.check == "history"
    ]
    assert (only.level, only.path, only.line, only.code) == (
        "warning",
        ".git",
        0,
        "no-git",
    )
    assert "git could not be started" in only.message
    assert "PATH" in only.hint


@pytest.mark.skipif(os.name == "nt", reason="needs permissions")
@pytest.mark.parametrize(
    "place", [".git", ".git/HEAD", ".git/objects", ".git/refs/heads"]
)
def test_an_unreadable_repository_is_a_warning(shop: Sandbox, place: str) -> None:
    """An unreadable `.git` was treated as a missing one, and the doctor reported
    nothing.
    """
    shop.place(place).chmod(0)
    try:
        found = shop.answer("doctor", unprivileged=True)["findings"]
    finally:
        shop.place(place).chmod(0o700)
    assert [
        (each["level"], each["code"]) for each in found if each["check"] == "history"
    ] == [("warning", "git-failed")]


def test_tracked_files_are_unknown_if_git_cannot_read_its_index(
    shop: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tracked files that an ignore rule covers were missing from scenes, and the doctor
    reported nothing.
    """

    def codes() -> list[str]:
        return [
            each.code
            for each in examine(shop.workspace()).findings
            if each.check == "git-index"
        ]

    assert codes() == []
    shop.write(".git/index", "no index")
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(shop.root / "nowhere"))
        assert codes() == ["no-git"]
    assert codes() == ["git-failed"]
