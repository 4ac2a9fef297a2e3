"""Files that are kept for sessions of hosts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cuedeck.ledger.sessions.agent_sessions import HostSessionFiles
from cuedeck.model.hook_event import HookEvent, file_name
from cuedeck.store.files.disk import read_tail
from cuedeck.store.workspace_paths import WorkspacePaths


def test_of_many_sessions_the_last_are_kept(tmp_path: Path) -> None:
    (tmp_path / ".cuedeck").mkdir()
    files = HostSessionFiles(WorkspacePaths(str(tmp_path)))
    folder = Path(WorkspacePaths(str(tmp_path)).private) / "hooks"
    for number in range(70):
        files.write(f"s{number:02}.json", b"{}")
        os.utime(folder / f"s{number:02}.json", (number, number))
    assert len(list(folder.iterdir())) == 64
    assert not (folder / "s00.json").exists() and files.read("s69.json") == b"{}"
    assert files.read("none.json") == b""


def test_a_session_is_alive_while_it_sends_events(tmp_path: Path) -> None:
    (tmp_path / ".cuedeck").mkdir()
    files = HostSessionFiles(WorkspacePaths(str(tmp_path)))
    for name in ("now.json", "long-ago.json"):
        files.write(name, b"{}")
    os.utime(
        Path(WorkspacePaths(str(tmp_path)).private) / "hooks/long-ago.json", (1, 1)
    )
    assert files.alive() == ["now.json"]


@pytest.mark.parametrize(
    ("session", "agent", "name"),
    [
        ("5f0c-2f0e", "", "5f0c-2f0e.json"),
        ("", "", "claude.json"),
        ("../../etc/passwd", "", "------etc-passwd-08c6dbb3.json"),
        ("a", "b", "a-b-6b47b9ab.json"),
    ],
)
def test_a_name_is_plain_whatever_the_id_is(
    session: str, agent: str, name: str
) -> None:
    found = file_name(HookEvent("prompt", "claude", session=session, agent=agent))
    assert (
        found.rpartition("-")[0] == name.rpartition("-")[0]
        and found.endswith(".json")
        and "/" not in found
    )


def test_ids_that_differ_have_names_that_differ() -> None:
    ids = ["a/b", "a-b", "a\\b", "x" * 100, "x" * 101, "\ud800", "é", "e"]
    assert len(
        {file_name(HookEvent("prompt", "claude", session=each)) for each in ids}
    ) == len(ids)


def test_the_end_of_a_file_is_read_and_of_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(b"x" * 50 + b"end")
    assert read_tail(str(tmp_path / "long"), 5) == b"xxend"
    assert read_tail(str(tmp_path / "long"), 500) == b"x" * 50 + b"end"
    assert (
        read_tail(str(tmp_path), 5)
        == read_tail(str(tmp_path / "none"), 5)
        == read_tail("/dev/zero", 5)
        == b""
    )
    assert read_tail("a\0b", 5) == b""
