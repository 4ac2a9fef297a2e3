"""Files that a person names, known to the index or not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sandbox import Sandbox

from cuedeck.engine.workspace import Workspace
from cuedeck.model.errors import Invalid, Stale
from cuedeck.store.files.named_files import NamedFiles


def files(sandbox: Sandbox) -> NamedFiles:
    return _files(sandbox.workspace())


def _files(workspace: Workspace) -> NamedFiles:
    workspace.refresh()
    return NamedFiles(workspace.paths.root, workspace.index, workspace.texts)


def test_known_and_ignored_files_are_read(sandbox: Sandbox) -> None:
    sandbox.write(".gitignore", "local.toml\n")
    sandbox.write("local.toml", "a = 1\r\n")
    sandbox.write("src/a.py", "x\r\n")
    named = files(sandbox)
    assert named.text("local.toml") == "a = 1\n"
    assert named.text("./src//a.py") == "x\n"
    assert named.text("no.py") is None
    assert named.text("src/a.py/b") is None


def test_nothing_outside_is_looked_at(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("secret")
    sandbox.place("way").symlink_to(tmp_path)
    sandbox.place("link.txt").symlink_to(tmp_path / "out.txt")
    named = files(sandbox)
    for path in (
        "../out.txt",
        "/etc/passwd",
        "way/out.txt",
        "link.txt",
        "src/../../out.txt",
        str(sandbox.place("a")),
    ):
        for ask in (named.exists, named.text):
            with pytest.raises(Invalid, match="is outside the workspace"):
                ask(path)


@pytest.mark.parametrize("data", [b"\0\1", b" " * 200_000])
def test_a_binary_file_is_an_error(sandbox: Sandbox, data: bytes) -> None:
    sandbox.write(".gitignore", "hidden.bin\n")
    sandbox.write("seen.bin", data)
    sandbox.write("hidden.bin", data)
    named = files(sandbox)
    for path in ("seen.bin", "hidden.bin"):
        with pytest.raises(Invalid, match="is not a text file"):
            named.text(path)


def test_folders_and_pipes_are_no_text(sandbox: Sandbox) -> None:
    sandbox.place("src").mkdir()
    os.mkfifo(sandbox.place("pipe"))
    named = files(sandbox)
    with pytest.raises(Invalid, match="is a folder"):
        named.text("src")
    with pytest.raises(Invalid, match="is not a text file"):
        named.text("pipe")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_an_error(sandbox: Sandbox) -> None:
    sandbox.write(".gitignore", "local\n")
    sandbox.write("local", "x").chmod(0)
    with pytest.raises(Invalid, match="cannot be read"):
        files(sandbox).text("local")


def test_of_variables_only_the_names_leave(sandbox: Sandbox) -> None:
    sandbox.write(".gitignore", ".env\n")
    sandbox.write(".env", "A=secret\nB=more\n")
    sandbox.write(".env.example", "A=secret\n")
    sandbox.place("plain.txt").symlink_to(".env")
    named = files(sandbox)
    assert named.text(".env") == named.text("plain.txt") == "A=\nB=\n"
    assert named.text(".env.example") == "A=\n"


def test_project_files_are_found_wherever_they_are(sandbox: Sandbox) -> None:
    wanted = [
        "Cargo.toml", "api/go.mod", "package.json", "requirements-dev.txt", "requirements/base.txt",
        "requirements_x.txt", "web/pyproject.toml",
    ]  # fmt: skip
    for path in [
        *wanted,
        "docs/requirements.md",
        "node_modules/x/package.json",
        "setup.py",
    ]:
        sandbox.write(path)
    assert files(sandbox).manifests() == wanted


def test_a_file_that_changed_since_indexing_is_an_error(sandbox: Sandbox) -> None:
    place = sandbox.write("src/a.py", "one")
    named = files(sandbox)
    place.write_text("other")
    with pytest.raises(Stale):
        named.text("src/a.py")
