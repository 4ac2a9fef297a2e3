"""An index that another checkout, machine or person made is rebuilt; the user's own stays in use."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from desk import SOURCE, Desk

from cuedeck.store.index import origin_seal
from cuedeck.store.index.origin_seal import seals
from cuedeck.store.index.schema import VERSION, open_index

SEALS = "import sys; from cuedeck.store.index.origin_seal import seals; print(*seals(sys.argv[1]))"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "index.sqlite").touch()
    return tmp_path / "index.sqlite"


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point every place of the key below a folder of the test."""
    for name in ("home", "user", "tmp", "state"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setattr(origin_seal, "_home_of_user", lambda: str(tmp_path / "user"))
    return tmp_path


def is_kept(place: Path) -> bool:
    """Return whether an index is still in use, when it is opened, that had a mark."""
    database = open_index(str(place))
    try:
        rows = database.execute("SELECT 1 FROM meta WHERE key = 'mark'").fetchall()
        database.execute("REPLACE INTO meta VALUES ('mark', '')")
        return bool(rows)
    finally:
        database.close()


def test_an_index_of_this_workspace_is_kept(place: Path, homes: Path) -> None:
    assert [is_kept(place) for _ in range(3)] == [False, True, True]
    key = homes / "home/.local/state/cuedeck/index-key"
    assert (key.stat().st_mode & 0o777, key.stat().st_size) == (0o600, 32)
    assert key.parent.stat().st_mode & 0o777 == 0o700


def test_an_index_that_was_copied_or_replaced_is_rebuilt(place: Path, homes: Path) -> None:
    is_kept(place)
    other = homes / "other.sqlite"
    shutil.copy(place, other)
    assert not is_kept(other)
    is_kept(place)
    again = homes / "again.sqlite"
    shutil.copy(place, again)
    again.replace(place)  # as git replaces a file
    assert not is_kept(place)


def test_an_index_with_the_key_of_another_user_is_rebuilt(
    place: Path, homes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_kept(place)
    (homes / "elsewhere").mkdir()
    monkeypatch.setenv("HOME", str(homes / "elsewhere"))
    assert not is_kept(place)


def test_an_index_that_names_no_seal_is_rebuilt(place: Path, homes: Path) -> None:
    is_kept(place)
    database = sqlite3.connect(place)
    database.execute("UPDATE meta SET value = ? WHERE key = 'version'", (VERSION,))
    database.commit()
    database.close()
    assert not is_kept(place)


def test_an_empty_environment_keeps_the_index_warm(place: Path, homes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(homes / "state"))
    assert not is_kept(place)
    turns = []
    for _ in range(3):
        with monkeypatch.context() as empty:
            empty.delenv("XDG_STATE_HOME")
            empty.delenv("TMPDIR")
            empty.setenv("HOME", str(homes / "user"))
            turns.append(is_kept(place))
        turns.append(is_kept(place))
    assert turns == [False, True, True, True, True, True]


def test_two_processes_with_and_without_variables_agree(place: Path, homes: Path) -> None:
    env = {"PYTHONPATH": str(SOURCE), "HOME": str(homes / "home")}
    asked = [
        subprocess.run([sys.executable, "-c", SEALS, str(place)], env=each, capture_output=True, text=True, check=True)
        for each in (env, env, {**env, "XDG_STATE_HOME": str(homes / "state")})
    ]
    found = [ran.stdout.split() for ran in asked]
    assert found[0] == found[1]
    assert set(found[0]) <= set(found[2])


def test_without_a_home_the_key_is_in_a_private_temporary_folder(
    place: Path, homes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(homes / "nowhere"))
    monkeypatch.setattr(origin_seal, "_home_of_user", lambda: "")
    assert [is_kept(place) for _ in range(2)] == [False, True]
    assert not (homes / "nowhere").exists()
    (folder,) = (homes / "tmp").iterdir()
    folder.chmod(0o777)
    assert seals(str(place)) == []
    assert not is_kept(place)
    folder.chmod(0o700)
    (folder / "index-key").chmod(0o644)
    assert seals(str(place)) == []
    (folder / "index-key").unlink()
    (folder / "index-key").symlink_to("/dev/zero")
    assert seals(str(place)) == []


def test_the_log_that_lies_beside_a_new_index_is_not_replayed(place: Path, homes: Path) -> None:
    database = open_index(str(place))
    database.execute("REPLACE INTO meta VALUES ('mark', '')")
    shutil.copy(f"{place}-wal", f"{place}-kept")
    database.close()
    place.unlink()
    os.replace(f"{place}-kept", f"{place}-wal")
    assert not is_kept(place)


def test_a_committed_index_does_not_break_the_budget(desk: Desk) -> None:
    desk.write("docs/a.md", "# A\n\n" + "many words of a long document\n" * 400)
    desk.card("aaaaaa", "status: active", "refs: [docs/a.md]")
    first = desk.answer("scene", "--budget", "400")
    place = desk.place(".cuedeck/cache/index.sqlite")
    database = sqlite3.connect(place)
    database.execute("DELETE FROM scenes")
    database.execute("UPDATE counts SET tokens = 1")
    database.commit()
    database.close()
    desk.git("init", "-q")
    desk.git("add", "-Af")
    desk.git("commit", "-qm", "poison")
    desk.git("clone", "-q", str(desk.root), str(desk.root.parent / "clone"))
    clone = Desk(desk.root.parent / "clone", desk.environ)
    assert abs(clone.answer("scene", "--budget", "400")["tokens"] - first["tokens"]) < 50
    clone.ok("scene", "--budget", "400", "--verify")
    found = clone.run("doctor", "--json").json["findings"]
    tracked = [each for each in found if each["code"] == "tracked" and each["path"].startswith(".cuedeck/cache/")]
    assert [each["path"] for each in tracked] == [".cuedeck/cache/index.sqlite"]
    assert "git rm" in tracked[0]["hint"]
