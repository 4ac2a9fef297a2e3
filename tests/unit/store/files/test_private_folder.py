"""A repository cannot choose the cache folder: its files there are never read, and the
user's folder stays in use.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sandbox import SOURCE, Sandbox

from cuedeck.model.errors import StorageError
from cuedeck.store.files import private_folder
from cuedeck.store.files.private_folder import private_name
from cuedeck.store.workspace_paths import WorkspacePaths

NAME = "import sys; from cuedeck.store.files.private_folder import private_name; print(private_name(sys.argv[1]))"


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point every place of the key below a folder of the test."""
    for name in ("home", "user", "tmp", "state", "work"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(private_folder, "_home_of_user", lambda: str(tmp_path / "user"))
    return tmp_path


def name_of(homes: Path) -> str:
    return private_name(str(homes / "work"))


def test_the_name_belongs_to_a_workspace_and_a_user(
    homes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = name_of(homes)
    assert name == name_of(homes) and len(name) == 32
    key = homes / "home/.local/state/cuedeck/index-key"
    assert (key.stat().st_mode & 0o777, key.stat().st_size) == (0o600, 32)
    assert key.parent.stat().st_mode & 0o777 == 0o700
    (homes / "work").rename(homes / "moved")
    assert private_name(str(homes / "moved")) != name
    (homes / "link").symlink_to(homes / "work")
    assert private_name(str(homes / "link")) == name
    key.unlink()
    assert name_of(homes) not in ("", name)
    (homes / "elsewhere").mkdir()
    monkeypatch.setenv("HOME", str(homes / "elsewhere"))
    monkeypatch.setattr(private_folder, "_home_of_user", lambda: "")
    assert name_of(homes) != name


def test_processes_with_and_without_variables_agree(homes: Path) -> None:
    env = {"PYTHONPATH": str(SOURCE), "HOME": str(homes / "home")}
    found = {
        subprocess.run(
            [sys.executable, "-c", NAME, str(homes / "work")],
            env=each,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for each in (
            env,
            {**env, "LC_ALL": "C"},
            {**env, "XDG_STATE_HOME": str(homes / "state")},
        )
    }
    assert len(found) == 1


def test_without_a_home_the_key_is_in_a_private_temporary_folder(
    homes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(homes / "nowhere"))
    monkeypatch.setattr(private_folder, "_home_of_user", lambda: "")
    assert name_of(homes) == name_of(homes)
    assert not (homes / "nowhere").exists()
    (folder,) = (homes / "tmp").iterdir()

    def refuse() -> None:
        with pytest.raises(StorageError, match="no folder for the key"):
            name_of(homes)
        assert WorkspacePaths(str(homes / "work")).index == ""

    folder.chmod(0o777)
    refuse()
    folder.chmod(0o700)
    (folder / "index-key").chmod(0o644)
    refuse()
    (folder / "index-key").unlink()
    (folder / "index-key").symlink_to("/dev/zero")
    refuse()


def attacked(sandbox: Sandbox, path: str, data: bytes) -> None:
    """Let git bring a file to a workspace that has a cache, under every name that its
    author can know.
    """
    foreign = WorkspacePaths("/home/author/work").private.rsplit(os.sep, 1)[1]
    for place in (path, f"{foreign}/{path}", f"{'0' * 32}/{path}"):
        sandbox.write(f".cuedeck/cache/{place}", data)


@pytest.mark.parametrize("ending", ["", "-wal", "-journal"])
def test_a_committed_index_or_its_log_does_not_break_the_budget(
    sandbox: Sandbox, ending: str
) -> None:
    sandbox.write("docs/a.md", "# A\n\n" + "many words of a long document\n" * 400)
    sandbox.card("aaaaaa", "status: active", "refs: [docs/a.md]")
    first = sandbox.answer("scene", "--budget", "400")
    place = sandbox.private("index.sqlite")
    database = sqlite3.connect(place, isolation_level=None)
    database.execute("PRAGMA wal_autocheckpoint = 0")
    database.execute("BEGIN")
    database.execute("DELETE FROM cache WHERE kind = 'scenes'")
    database.execute("UPDATE cache SET value = 1 WHERE kind = 'o200k_base'")
    database.execute("COMMIT")
    source = place if ending == "" else Path(f"{place}-wal")
    data = source.read_bytes()
    database.close()
    shutil.rmtree(sandbox.place(".cuedeck/cache"))
    sandbox.answer("scene", "--budget", "400")
    attacked(sandbox, f"index.sqlite{ending}", data)
    assert (
        abs(sandbox.answer("scene", "--budget", "401")["tokens"] - first["tokens"]) < 50
    )
    sandbox.ok("scene", "--budget", "401", "--verify")
    sandbox.ok("clean")
    assert {
        place.name
        for place in sandbox.place(".cuedeck/cache").rglob("*")
        if place.is_file()
    } <= {place.name for place in sandbox.place(".cuedeck/cache").rglob("*.lock")}


def test_a_committed_token_or_state_is_not_used(sandbox: Sandbox) -> None:
    from cuedeck.store.cache.job_state import Run, Runs
    from cuedeck.store.files.access_token import keep_token

    token = "chosen-by-somebody-else-0123456789"
    attacked(sandbox, "mcp-token", token.encode())
    attacked(
        sandbox,
        "memory-default.schedule.json",
        b'{"tick": {"last": "2999-01-01T00:00:00+00:00", "failures": 0}}',
    )
    workspace = WorkspacePaths(str(sandbox.root))
    assert keep_token(workspace)[0] != token
    assert Runs(workspace, "memory-default").read("tick") == Run()


def test_threads_that_make_the_key_together_get_the_same_name(homes: Path) -> None:
    barrier = threading.Barrier(8)

    def name(_: int) -> str:
        barrier.wait()
        return name_of(homes)

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(name, range(8)))) == 1
