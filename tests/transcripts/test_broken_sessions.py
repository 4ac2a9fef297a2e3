"""Broken session files are reported; none is ever overwritten or deleted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import lz4.frame
import pytest
from sandbox import CommandOutcome, Sandbox


class SessionWorkspace(NamedTuple):
    """A workspace with a session that has two notes."""

    sandbox: Sandbox
    identity: str

    @property
    def folder(self) -> Path:
        return self.sandbox.place(".cuedeck/sessions")

    @property
    def file(self) -> Path:
        return self.folder / f"{self.identity}.json"

    def run(self, line: str) -> CommandOutcome:
        """Run a command, and check that it has no internal error."""
        ran = self.sandbox.run(f"{line} --json")
        assert "internal error" not in ran.out + ran.err, ran
        return ran

    def faults(self) -> tuple[list[str], list[tuple[str, str]]]:
        """Return the paths that the list reports, and the findings of the doctor."""
        findings = self.run("doctor").json["findings"]
        listed = self.run("session list").json["faults"]
        paths = [each["path"] for each in listed]
        return paths, [(each["path"], each["code"]) for each in findings]

    def codes(self, *lines: str) -> list[int]:
        return [self.run(line).code for line in lines]


@pytest.fixture
def workspace(sandbox: Sandbox) -> SessionWorkspace:
    sandbox.card("aaaaaa", "status: active")
    identity = sandbox.answer("session start")["session"]
    for note in ("a note", "a later note"):
        sandbox.ok("session", "note", note)
    return SessionWorkspace(sandbox, identity)


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "NUL bytes at its end": lambda data: data[:300] + bytes(len(data) - 300),
    "no UTF-8": lambda data: b"\xff\xfe" + data,
    "a list": lambda data: b"[]",
    "no id": lambda data: b"{}",
    "an id of the wrong type": lambda data: b'{"sessionId": 1}',
    "very deep": lambda data: b"[" * 100_000,
    "cut": lambda data: data[:97],
    "a broken frame": lambda data: b"\x04\x22\x4d\x18" + data,
}


@pytest.mark.parametrize("kind", BROKEN)
def test_invalid_session_file_is_reported_and_never_changed(
    workspace: SessionWorkspace, kind: str
) -> None:
    broken = BROKEN[kind](workspace.file.read_bytes())
    workspace.file.write_bytes(broken)
    path = f".cuedeck/sessions/{workspace.file.name}"
    listed, findings = workspace.faults()
    assert listed == [path] and (path, "bad-session") in findings
    status = workspace.run("session status")
    assert (status.code, status.json["error"]["message"]) == (1, "no session is open")
    lines = ("scene", "decide B", "resume", "session start")
    assert workspace.codes(*lines) == [0, 0, 1, 0]
    assert workspace.file.read_bytes() == broken


@pytest.mark.parametrize("newer", [".json", ".json.lz4"])
def test_newer_of_a_plain_and_a_compressed_file_counts(
    workspace: SessionWorkspace, newer: str
) -> None:
    """A crash between the write of one and the removal of the other leaves both."""
    new = workspace.file.read_bytes()
    old = new.replace(b'"lastAccess": "2', b'"lastAccess": "1')
    plain, other = (new, old) if newer == ".json" else (old, new)
    workspace.file.write_bytes(plain)
    packed = workspace.file.with_suffix(".json.lz4")
    packed.write_bytes(lz4.frame.compress(other))
    workspace.run("session note 'the last'")
    notes = workspace.run(f"session show {workspace.identity}").json["notes"]
    texts = [each["text"] for each in notes]
    assert texts == ["a note", "a later note", "the last"]
    assert not packed.exists()


POINTERS = (b"", b"nobody\n", b"../../x", b"a\0\xff")


@pytest.mark.parametrize("pointer", POINTERS)
def test_pointer_without_a_target_hides_no_session(
    workspace: SessionWorkspace, pointer: bytes
) -> None:
    place = workspace.folder / "open"
    place.write_bytes(pointer)
    assert workspace.run("scene").code == 0
    assert place.read_bytes() == pointer
    codes = [code for _, code in workspace.faults()[1]]
    assert ("no-session" in codes) == bool(pointer.strip())
    assert workspace.codes("session status", "decide B") == [0, 0]
    assert place.read_text() == f"{workspace.identity}\n"
    assert workspace.run("resume").json["session"] == workspace.identity


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
    path = f".cuedeck/sessions/{workspace.file.name}"
    assert (path, "bad-session") in workspace.faults()[1]
    lines = ("session status", "scene", "decide B", "session start")
    assert workspace.codes(*lines) == [1, 0, 0, 0]
    assert not (workspace.folder / "open").is_symlink()
    assert victim.read_bytes() == data
