"""The root of a folder without a workspace, and where its index lies."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from sandbox import Sandbox

from cuedeck.engine.open_workspace import open_workspace
from cuedeck.model.errors import WorkspaceMissing
from cuedeck.store.files.user_cache import find_workspace_or_folder

on_posix = pytest.mark.skipif(
    os.name == "nt", reason="Windows has no owner and mode to check"
)


@pytest.fixture
def project(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository without a workspace, and a cache folder that no other test
    uses.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    root = Path(os.path.realpath(tmp_path)) / "project"
    (root / "src").mkdir(parents=True)
    (root / "src/auth.py").write_text("def login():\n    return 1\n")
    sandbox.git("init", "-q", str(root))
    return root


def index_of(start: Path) -> Path:
    workspace = open_workspace(str(start), {}, or_folder=True)
    workspace.refresh()
    workspace.close()
    return Path(workspace.paths.index)


def test_the_root_is_the_top_of_the_checkout(project: Path) -> None:
    assert find_workspace_or_folder(str(project / "src")).root == str(project)


def test_a_workspace_above_goes_first(project: Path) -> None:
    (project.parent / ".cuedeck").mkdir()
    paths = find_workspace_or_folder(str(project / "src"))
    assert (paths.root, paths.is_initialised) == (str(project.parent), True)


@pytest.mark.parametrize("above", ["", ".."])
def test_the_home_folder_is_no_project(
    project: Path, monkeypatch: pytest.MonkeyPatch, above: str
) -> None:
    home = project.parent / "user/me"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    with pytest.raises(WorkspaceMissing) as caught:
        find_workspace_or_folder(str(home / above))
    assert "home folder" in caught.value.message and "-C DIR" in caught.value.hint
    with pytest.raises(WorkspaceMissing):
        find_workspace_or_folder("/")


def test_a_checkout_of_the_home_folder_does_not_include_folders_below_it(
    project: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = project.parent / "me"
    (home / "notes").mkdir(parents=True)
    sandbox.git("init", "-q", str(home))
    monkeypatch.setenv("HOME", str(home))
    assert find_workspace_or_folder(str(home)).root == str(home)
    assert find_workspace_or_folder(str(home / "notes")).root == str(home / "notes")


def test_the_index_is_private_and_in_the_cache_folder(project: Path) -> None:
    index = index_of(project)
    assert index.parent.parent == Path(
        os.path.realpath(project.parent / "caches/cuedeck")
    )
    assert index.exists() and not (project / ".cuedeck").exists()
    if os.name != "nt":
        assert {
            stat.S_IMODE(os.stat(each).st_mode)
            for each in (index.parent, index.parent.parent)
        } == {0o700}
        assert stat.S_IMODE(index.stat().st_mode) == 0o600


@on_posix
def test_a_cache_folder_that_others_write_is_made_private(project: Path) -> None:
    folder = project.parent / "caches/cuedeck"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    assert index_of(project).exists()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@on_posix
def test_a_cache_folder_of_another_user_is_not_used(project: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    folder = project.parent / "caches/cuedeck"
    folder.mkdir(parents=True)
    os.chown(folder, 65_534, 65_534)
    workspace = open_workspace(str(project), {}, or_folder=True)
    workspace.refresh()
    assert workspace.index.is_in_memory and list(folder.iterdir()) == []
    assert workspace.index.file("src/auth.py") is not None


def test_a_cache_folder_inside_the_project_is_not_used(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(project / ".cache"))
    workspace = open_workspace(str(project), {}, or_folder=True)
    workspace.refresh()
    assert workspace.index.is_in_memory and not (project / ".cache").exists()


@on_posix
def test_a_link_in_the_place_of_the_index_is_not_followed(project: Path) -> None:
    index = index_of(project)
    index.unlink()
    index.symlink_to(project / "src/auth.py")
    workspace = open_workspace(str(project), {}, or_folder=True)
    workspace.refresh()
    assert workspace.index.is_in_memory
    assert (project / "src/auth.py").read_text().startswith("def login")


def test_a_folder_has_an_identity_until_it_becomes_a_workspace(project: Path) -> None:
    paths = find_workspace_or_folder(str(project))
    assert paths.identity is not None
    (project / ".cuedeck").mkdir()
    assert paths.identity is None
