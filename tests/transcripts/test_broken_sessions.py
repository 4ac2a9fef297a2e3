"""Broken session files are reported; none is ever overwritten or deleted."""

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
    """A workspace with a session that has two notes."""

    root: Path
    shared_runner: CrashRunner
    identity: str

    @property
    def folder(self) -> Path:
        return self.root / ".cuedeck/sessions"

    @property
    def file(self) -> Path:
        return self.folder / f"{self.identity}.json"

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
    shared_runner.ok(root, ["session", "note", "a later note"])
    assert made.notes() == ["a note", "a later note"]
    return made


@pytest.fixture
def workspace(session_template: SessionWorkspace, tmp_path: Path) -> SessionWorkspace:
    shutil.copytree(session_template.root, tmp_path / "work")
    return session_template._replace(root=tmp_path / "work")


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
    "cut": lambda data: data[:97],
    "a broken frame": lambda data: b"\x04\x22\x4d\x18" + data,
}


@pytest.mark.parametrize("kind", BROKEN)
def test_invalid_session_file_is_reported_and_never_changed(
    workspace: SessionWorkspace, kind: str
) -> None:
    broken = BROKEN[kind](workspace.file.read_bytes())
    workspace.file.write_bytes(broken)
    listed, doctor, status, scene, decided = workspace.run(*READING)
    path = workspace.file.relative_to(workspace.root).as_posix()
    assert [each["path"] for each in listed.json["faults"]] == [path]
    assert (path, "bad-session") in [
        (each["path"], each["code"]) for each in doctor.json["findings"]
    ]
    assert (status.code, status.json["error"]["message"]) == (1, "no session is open")
    assert (scene.code, decided.code) == (0, 0)
    resumed, started = workspace.run(
        ["resume", "--json"], ["session", "start", "--json"]
    )
    assert (resumed.code, started.code) == (1, 0)
    assert workspace.file.read_bytes() == broken


@pytest.mark.parametrize("newer", [".json", ".json.lz4"])
def test_newer_of_a_plain_and_a_compressed_file_counts(
    workspace: SessionWorkspace, newer: str
) -> None:
    """A crash between the write of one and the removal of the other leaves both."""
    new = workspace.file.read_bytes()
    old = new.replace(b'"lastAccess": "2', b'"lastAccess": "1')
    workspace.file.write_bytes(new if newer == ".json" else old)
    workspace.file.with_suffix(".json.lz4").write_bytes(
        lz4.frame.compress(old if newer == ".json" else new)
    )
    workspace.run(["session", "note", "the last"])
    assert workspace.notes() == ["a note", "a later note", "the last"]
    assert not workspace.file.with_suffix(".json.lz4").exists()


def test_files_of_a_killed_writer_are_reported_and_removed(
    workspace: SessionWorkspace,
) -> None:
    names = (f".{workspace.file.name}.77.tmp", ".open.77.tmp")
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


def test_link_in_place_of_a_session_file_is_not_followed(
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
    assert (status.code, scene.code, decided.code) == (1, 0, 0)
    path = workspace.file.relative_to(workspace.root).as_posix()
    assert (path, "bad-session") in [
        (each["path"], each["code"]) for each in doctor.json["findings"]
    ]
    (started,) = workspace.run(["session", "start", "--json"])
    assert started.code == 0 and not (workspace.folder / "open").is_symlink()
    assert victim.read_bytes() == data
