"""Broken session files are reported, set aside and replaced by their backup; none is
ever deleted.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import lz4.frame
import pytest
from crash_runner import CrashRunner
from sandbox import CommandOutcome

READING = (
    ["session", "list", "--json"],
    ["doctor", "--json"],
    ["session", "status", "--json"],
    ["scene", "--json"],
    ["decide", "B", "--json"],
)
"""Commands that read the open session; the last one writes it too."""


class SessionWorkspace(NamedTuple):
    """A workspace with a session: its backup has `a note`, and only its file has `a
    later note`.
    """

    root: Path
    shared_runner: CrashRunner
    identity: str

    @property
    def folder(self) -> Path:
        return self.root / ".cuedeck/sessions"

    @property
    def file(self) -> Path:
        return self.folder / f"{self.identity}.json"

    @property
    def backup(self) -> Path:
        return self.folder / f"{self.identity}.backup.json"

    def copy(self, name: str) -> SessionWorkspace:
        shutil.copytree(self.root, self.root.with_name(name))
        return self._replace(root=self.root.with_name(name))

    def files(self) -> dict[str, bytes]:
        return {
            place.name: place.read_bytes()
            for place in self.folder.iterdir()
            if place.is_file()
        }

    def run(self, *commands: list[str]) -> tuple[CommandOutcome, ...]:
        """Run commands in one process, and check that none has an internal error."""
        ended = self.shared_runner.run(self.root, *commands)
        assert ended.signal == 0 and len(ended.ran) == len(commands), ended
        assert not [
            ran
            for ran in ended.ran
            if "internal error" in ran.out + ran.err or ran.code not in (0, 1)
        ], ended
        return ended.ran

    def notes(self) -> list[str]:
        return [
            each["text"]
            for each in self.run(["session", "show", self.identity, "--json"])[0].json[
                "notes"
            ]
        ]


@pytest.fixture(scope="session")
def session_template(
    tmp_path_factory: pytest.TempPathFactory, shared_runner: CrashRunner
) -> SessionWorkspace:
    root = tmp_path_factory.mktemp("bench").resolve() / "made"
    (root / ".cuedeck/cards").mkdir(parents=True)
    (root / ".cuedeck/cards/aaaaaa.md").write_text(
        "---\ntitle: Fix login\nstatus: active\n---\n"
    )
    shared_runner.ok(
        root,
        ["init"],
        ["session", "start"],
        ["session", "note", "a note"],
        ["session", "touch", "--write", "README.md"],
    )
    identity = (root / ".cuedeck/sessions/open").read_text().strip()
    made = SessionWorkspace(root, shared_runner, identity)
    kept = made.file.read_bytes()
    shared_runner.ok(root, ["session", "note", "a later note"])
    made.backup.write_bytes(kept)
    assert made.notes() == ["a note", "a later note"]
    return made


@pytest.fixture
def workspace(session_template: SessionWorkspace, tmp_path: Path) -> SessionWorkspace:
    shutil.copytree(session_template.root, tmp_path / "work")
    return session_template._replace(root=tmp_path / "work")


def assert_falls_back(workspace: SessionWorkspace, broken: Path) -> None:
    """Check that reading commands report a broken file without a change, and that
    `resume` sets it aside.
    """
    before = workspace.files()
    listed, doctor, status, scene = workspace.run(*READING[:-1])
    path = broken.relative_to(workspace.root).as_posix()
    assert path in [each["path"] for each in listed.json["faults"]]
    assert [each["session"] for each in listed.json["sessions"]] == [workspace.identity]
    assert (path, "bad-session") in [
        (each["path"], each["code"]) for each in doctor.json["findings"]
    ]
    assert (status.code, status.json["session"], scene.code) == (
        0,
        workspace.identity,
        0,
    )
    assert workspace.files() == before
    (resumed,) = workspace.run(["resume", "--json"])
    assert (resumed.code, resumed.json["session"]) == (0, workspace.identity)
    assert f"{path}.corrupt" in resumed.json["set_aside"]
    assert Path(f"{broken}.corrupt").read_bytes() == before[broken.name]
    listed, doctor = workspace.run(*READING[:2])
    assert listed.json["faults"] == []
    assert "bad-session" not in [each["code"] for each in doctor.json["findings"]]


def test_file_cut_anywhere_is_replaced_by_its_backup(
    session_template: SessionWorkspace, tmp_path: Path
) -> None:
    whole = session_template.file.read_bytes()
    for length in range(0, len(whole) - 1, 97):
        root = tmp_path / str(length)
        shutil.copytree(session_template.root, root)
        workspace = session_template._replace(root=root)
        workspace.file.write_bytes(whole[:length])
        assert_falls_back(workspace, workspace.file)
        assert workspace.notes() == ["a note"], length


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "NUL bytes": lambda data: bytes(len(data)),
    "NUL bytes at its end": lambda data: data[:300] + bytes(len(data) - 300),
    "no UTF-8": lambda data: b"\xff\xfe" + data,
    "a list": lambda data: b"[]",
    "a text": lambda data: b'"session"',
    "a number": lambda data: b"1e999",
    "nothing": lambda data: b"null",
    "no id": lambda data: b"{}",
    "an id of the wrong type": lambda data: b'{"sessionId": 1}',
    "very deep": lambda data: b"[" * 100_000,
    "twice": lambda data: data + data,
}


@pytest.mark.parametrize("kind", BROKEN)
def test_invalid_session_file_is_replaced_by_its_backup(
    workspace: SessionWorkspace, kind: str
) -> None:
    workspace.file.write_bytes(BROKEN[kind](workspace.file.read_bytes()))
    assert_falls_back(workspace, workspace.file)
    assert workspace.notes() == ["a note"]


def test_compressed_file_cut_anywhere_is_replaced_by_its_backup(
    session_template: SessionWorkspace, tmp_path: Path
) -> None:
    whole = lz4.frame.compress(
        session_template.file.read_bytes(), content_checksum=True
    )
    for length in sorted({0, 3, 7, 15, *range(97, len(whole), 97), len(whole) - 1}):
        root = tmp_path / str(length)
        shutil.copytree(session_template.root, root)
        workspace = session_template._replace(root=root)
        workspace.file.unlink()
        packed = workspace.file.with_suffix(".json.lz4")
        packed.write_bytes(whole[:length])
        assert_falls_back(workspace, packed)
        assert workspace.notes() == ["a note"], length


@pytest.mark.parametrize("newer", [".json", ".json.lz4"])
def test_newer_of_a_plain_and_a_compressed_file_counts(
    workspace: SessionWorkspace, newer: str
) -> None:
    """A crash between the write of one and the removal of the other leaves both."""
    old, new = workspace.backup.read_bytes(), workspace.file.read_bytes()
    workspace.file.write_bytes(new if newer == ".json" else old)
    workspace.file.with_suffix(".json.lz4").write_bytes(
        lz4.frame.compress(old if newer == ".json" else new)
    )
    assert workspace.notes() == ["a note", "a later note"]
    workspace.run(["session", "note", "the last"])
    assert workspace.notes() == ["a note", "a later note", "the last"]
    assert not workspace.file.with_suffix(".json.lz4").exists()


def test_newest_valid_file_counts_if_the_newer_one_is_broken(
    workspace: SessionWorkspace,
) -> None:
    old = (
        workspace.backup.read_bytes()
        .replace(b'"a note"', b'"an old note"')
        .replace(b'"lastAccess": "2', b'"lastAccess": "1')
    )
    workspace.file.with_suffix(".json.lz4").write_bytes(lz4.frame.compress(old))
    workspace.file.write_bytes(b"{")
    assert_falls_back(workspace, workspace.file)
    assert workspace.notes() == ["a note"]


def test_session_without_a_valid_file_is_reported_and_preserved(
    workspace: SessionWorkspace,
) -> None:
    workspace.file.write_bytes(b"{")
    workspace.backup.write_bytes(b"")
    listed, doctor, status, scene, decided = workspace.run(*READING)
    paths = {
        f".cuedeck/sessions/{place.name}"
        for place in (workspace.file, workspace.backup)
    }
    assert {each["path"] for each in listed.json["faults"]} == paths
    assert paths <= {
        each["path"]
        for each in doctor.json["findings"]
        if each["code"] == "bad-session"
    }
    assert (status.code, status.json["error"]["message"]) == (1, "no session is open")
    assert (scene.code, decided.code) == (0, 0)
    before = workspace.files()
    (resumed,) = workspace.run(["resume", "--json"])
    assert resumed.code == 1
    after = workspace.files()
    assert [
        after[f"{place.name}.corrupt"] for place in (workspace.file, workspace.backup)
    ] == [
        b"{",
        b"",
    ]
    assert len(after) == len(before)
    (started,) = workspace.run(["session", "start", "--json"])
    assert started.code == 0


def test_files_set_aside_earlier_are_preserved(workspace: SessionWorkspace) -> None:
    for content in (b"{", b"[", b"]"):
        workspace.file.write_bytes(content)
        workspace.run(["resume"])
    found = {
        name: data for name, data in workspace.files().items() if ".corrupt" in name
    }
    assert found == {
        f"{workspace.file.name}.corrupt{end}": data
        for end, data in (("", b"{"), (".1", b"["), (".2", b"]"))
    }


def test_write_to_a_broken_file_preserves_it_and_continues_from_the_backup(
    workspace: SessionWorkspace,
) -> None:
    workspace.file.write_bytes(b"{")
    assert workspace.run(["session", "note", "the last"])[0].code == 0
    assert workspace.notes() == ["a note", "the last"]
    assert (
        workspace.file.with_name(f"{workspace.file.name}.corrupt").read_bytes() == b"{"
    )
    found = workspace.run(["doctor", "--json"])[0].json["findings"]
    path = f".cuedeck/sessions/{workspace.file.name}.corrupt"
    assert ("info", "set-aside", path) in [
        (each["level"], each["code"], each["path"]) for each in found
    ]


def test_files_of_a_killed_writer_are_reported_and_removed(
    workspace: SessionWorkspace,
) -> None:
    names = (
        f".{workspace.file.name}.77.tmp",
        f"{workspace.backup.name}.77.tmp",
        ".open.77.tmp",
    )
    for name in names:
        (workspace.folder / name).write_text("half")
        os.utime(workspace.folder / name, (0, 0))
    before = set(workspace.files()) - set(names)
    doctor, _ = workspace.run(["doctor", "--json"], ["doctor", "--repair"])
    found = {
        each["path"] for each in doctor.json["findings"] if each["code"] == "leftover"
    }
    assert found == {f".cuedeck/sessions/{name}" for name in names}
    assert set(workspace.files()) == before


def test_clean_archives_the_backup_and_preserves_broken_files(
    workspace: SessionWorkspace,
) -> None:
    (workspace.folder / "open").unlink()
    workspace.backup.write_bytes(
        workspace.backup.read_bytes().replace(b'"lastAccess": "2', b'"lastAccess": "1')
    )
    workspace.file.write_bytes(b"{")
    assert workspace.run(["session", "clean", "--json"])[0].json["removed"] == [
        workspace.identity
    ]
    assert set(workspace.files()) == {
        "archive.jsonl.lz4",
        f"{workspace.file.name}.corrupt",
    }


POINTERS = (b"", b"nobody\n", b"../../x", b"a\0b", b"\xff\xfe", b"x" * 5000, b"\n\n")


@pytest.mark.parametrize("pointer", POINTERS)
def test_pointer_without_a_target_hides_no_session(
    workspace: SessionWorkspace, pointer: bytes
) -> None:
    (workspace.folder / "open").write_bytes(pointer)
    assert workspace.run(["scene", "--print"], ["scene"])[1].code == 0
    assert (workspace.folder / "open").read_bytes() == pointer
    _, doctor, status, scene, decided = workspace.run(*READING)
    assert (status.code, scene.code, decided.code) == (0, 0, 0)
    assert ("no-session" in [each["code"] for each in doctor.json["findings"]]) == bool(
        pointer.strip()
    )
    assert (workspace.folder / "open").read_text() == f"{workspace.identity}\n"
    (resumed,) = workspace.run(["resume", "--json"])
    assert (resumed.code, resumed.json["session"]) == (0, workspace.identity)


def test_link_in_place_of_a_session_file_is_replaced_by_its_backup(
    workspace: SessionWorkspace, tmp_path: Path
) -> None:
    """A link comes with a repository; it used to stop every command that reads
    sessions, including the doctor.
    """
    victim = tmp_path / "victim"
    data = workspace.file.read_bytes()
    victim.write_bytes(data)
    for place in (workspace.file, workspace.folder / "open"):
        place.unlink(missing_ok=True)
        place.symlink_to(victim)
    _, doctor, status, scene, decided = workspace.run(*READING)
    assert (status.code, scene.code, decided.code) == (0, 0, 0)
    path = workspace.file.relative_to(workspace.root).as_posix()
    assert (path, "bad-session") in [
        (each["path"], each["code"]) for each in doctor.json["findings"]
    ]
    (resumed,) = workspace.run(["resume", "--json"])
    assert (resumed.code, resumed.json["session"]) == (0, workspace.identity)
    assert (
        not (workspace.folder / "open").is_symlink() and not workspace.file.is_symlink()
    )
    assert victim.read_bytes() == data
