"""Session files that are broken: told, set aside, and replaced by their backup; nothing
is ever deleted.
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
from sandbox import Ran

READING = (
    ["session", "list", "--json"],
    ["doctor", "--json"],
    ["session", "status", "--json"],
    ["scene", "--json"],
    ["decide", "B", "--json"],
)
"""Commands that read the open session; the last one writes it too."""


class Bench(NamedTuple):
    """A workspace with a session: `a note` is in its backup, `a later note` in its file
    alone.
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

    def copy(self, name: str) -> Bench:
        shutil.copytree(self.root, self.root.with_name(name))
        return self._replace(root=self.root.with_name(name))

    def files(self) -> dict[str, bytes]:
        return {
            place.name: place.read_bytes()
            for place in self.folder.iterdir()
            if place.is_file()
        }

    def run(self, *commands: list[str]) -> tuple[Ran, ...]:
        """Run commands in one process; a fault of the program is never among the
        answers.
        """
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
def bench_made(
    tmp_path_factory: pytest.TempPathFactory, shared_runner: CrashRunner
) -> Bench:
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
    made = Bench(root, shared_runner, identity)
    kept = made.file.read_bytes()
    shared_runner.ok(root, ["session", "note", "a later note"])
    made.backup.write_bytes(kept)
    assert made.notes() == ["a note", "a later note"]
    return made


@pytest.fixture
def bench(bench_made: Bench, tmp_path: Path) -> Bench:
    shutil.copytree(bench_made.root, tmp_path / "work")
    return bench_made._replace(root=tmp_path / "work")


def falls_back(bench: Bench, broken: Path) -> None:
    """Check that looking tells of a broken file and changes none, and that resuming
    sets it aside.
    """
    before = bench.files()
    listed, doctor, status, scene = bench.run(*READING[:-1])
    path = broken.relative_to(bench.root).as_posix()
    assert path in [each["path"] for each in listed.json["faults"]]
    assert [each["session"] for each in listed.json["sessions"]] == [bench.identity]
    assert (path, "bad-session") in [
        (each["path"], each["code"]) for each in doctor.json["findings"]
    ]
    assert (status.code, status.json["session"], scene.code) == (0, bench.identity, 0)
    assert bench.files() == before
    (resumed,) = bench.run(["resume", "--json"])
    assert (resumed.code, resumed.json["session"]) == (0, bench.identity)
    assert f"{path}.corrupt" in resumed.json["set_aside"]
    assert Path(f"{broken}.corrupt").read_bytes() == before[broken.name]
    listed, doctor = bench.run(*READING[:2])
    assert listed.json["faults"] == []
    assert "bad-session" not in [each["code"] for each in doctor.json["findings"]]


def test_a_file_cut_anywhere_gives_way_to_its_backup(
    bench_made: Bench, tmp_path: Path
) -> None:
    whole = bench_made.file.read_bytes()
    for length in range(0, len(whole) - 1, 97):
        root = tmp_path / str(length)
        shutil.copytree(bench_made.root, root)
        bench = bench_made._replace(root=root)
        bench.file.write_bytes(whole[:length])
        falls_back(bench, bench.file)
        assert bench.notes() == ["a note"], length


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
def test_an_invalid_session_file_is_replaced_by_its_backup(
    bench: Bench, kind: str
) -> None:
    bench.file.write_bytes(BROKEN[kind](bench.file.read_bytes()))
    falls_back(bench, bench.file)
    assert bench.notes() == ["a note"]


def test_a_packed_file_cut_anywhere_gives_way_to_its_backup(
    bench_made: Bench, tmp_path: Path
) -> None:
    whole = lz4.frame.compress(bench_made.file.read_bytes(), content_checksum=True)
    for length in sorted({0, 3, 7, 15, *range(97, len(whole), 97), len(whole) - 1}):
        root = tmp_path / str(length)
        shutil.copytree(bench_made.root, root)
        bench = bench_made._replace(root=root)
        bench.file.unlink()
        packed = bench.file.with_suffix(".json.lz4")
        packed.write_bytes(whole[:length])
        falls_back(bench, packed)
        assert bench.notes() == ["a note"], length


@pytest.mark.parametrize("newer", [".json", ".json.lz4"])
def test_of_a_plain_and_a_packed_file_the_newer_counts(
    bench: Bench, newer: str
) -> None:
    """A crash between writing the one and removing the other leaves both."""
    old, new = bench.backup.read_bytes(), bench.file.read_bytes()
    bench.file.write_bytes(new if newer == ".json" else old)
    bench.file.with_suffix(".json.lz4").write_bytes(
        lz4.frame.compress(old if newer == ".json" else new)
    )
    assert bench.notes() == ["a note", "a later note"]
    bench.run(["session", "note", "the last"])
    assert bench.notes() == ["a note", "a later note", "the last"]
    assert not bench.file.with_suffix(".json.lz4").exists()


def test_where_the_newer_of_both_is_broken_the_newest_that_is_sound_counts(
    bench: Bench,
) -> None:
    old = (
        bench.backup.read_bytes()
        .replace(b'"a note"', b'"an old note"')
        .replace(b'"lastAccess": "2', b'"lastAccess": "1')
    )
    bench.file.with_suffix(".json.lz4").write_bytes(lz4.frame.compress(old))
    bench.file.write_bytes(b"{")
    falls_back(bench, bench.file)
    assert bench.notes() == ["a note"]


def test_a_session_without_a_valid_file_is_reported_and_kept(bench: Bench) -> None:
    bench.file.write_bytes(b"{")
    bench.backup.write_bytes(b"")
    listed, doctor, status, scene, decided = bench.run(*READING)
    paths = {f".cuedeck/sessions/{place.name}" for place in (bench.file, bench.backup)}
    assert {each["path"] for each in listed.json["faults"]} == paths
    assert paths <= {
        each["path"]
        for each in doctor.json["findings"]
        if each["code"] == "bad-session"
    }
    assert (status.code, status.json["error"]["message"]) == (1, "no session is open")
    assert (scene.code, decided.code) == (0, 0)
    before = bench.files()
    (resumed,) = bench.run(["resume", "--json"])
    assert resumed.code == 1
    after = bench.files()
    assert [after[f"{place.name}.corrupt"] for place in (bench.file, bench.backup)] == [
        b"{",
        b"",
    ]
    assert len(after) == len(before)
    (started,) = bench.run(["session", "start", "--json"])
    assert started.code == 0


def test_files_set_aside_before_are_kept(bench: Bench) -> None:
    for content in (b"{", b"[", b"]"):
        bench.file.write_bytes(content)
        bench.run(["resume"])
    found = {name: data for name, data in bench.files().items() if ".corrupt" in name}
    assert found == {
        f"{bench.file.name}.corrupt{end}": data
        for end, data in (("", b"{"), (".1", b"["), (".2", b"]"))
    }


def test_writing_on_a_broken_file_keeps_it_and_goes_on_from_the_backup(
    bench: Bench,
) -> None:
    bench.file.write_bytes(b"{")
    assert bench.run(["session", "note", "the last"])[0].code == 0
    assert bench.notes() == ["a note", "the last"]
    assert bench.file.with_name(f"{bench.file.name}.corrupt").read_bytes() == b"{"
    found = bench.run(["doctor", "--json"])[0].json["findings"]
    path = f".cuedeck/sessions/{bench.file.name}.corrupt"
    assert ("info", "set-aside", path) in [
        (each["level"], each["code"], each["path"]) for each in found
    ]


def test_files_of_a_killed_writer_are_reported_and_removed(bench: Bench) -> None:
    names = (
        f".{bench.file.name}.77.tmp",
        f"{bench.backup.name}.77.tmp",
        ".open.77.tmp",
    )
    for name in names:
        (bench.folder / name).write_text("half")
        os.utime(bench.folder / name, (0, 0))
    before = set(bench.files()) - set(names)
    doctor, _ = bench.run(["doctor", "--json"], ["doctor", "--repair"])
    found = {
        each["path"] for each in doctor.json["findings"] if each["code"] == "leftover"
    }
    assert found == {f".cuedeck/sessions/{name}" for name in names}
    assert set(bench.files()) == before


def test_cleaning_archives_the_backup_and_keeps_broken_files(bench: Bench) -> None:
    (bench.folder / "open").unlink()
    bench.backup.write_bytes(
        bench.backup.read_bytes().replace(b'"lastAccess": "2', b'"lastAccess": "1')
    )
    bench.file.write_bytes(b"{")
    assert bench.run(["session", "clean", "--json"])[0].json["removed"] == [
        bench.identity
    ]
    assert set(bench.files()) == {"archive.jsonl.lz4", f"{bench.file.name}.corrupt"}


POINTERS = (b"", b"nobody\n", b"../../x", b"a\0b", b"\xff\xfe", b"x" * 5000, b"\n\n")


@pytest.mark.parametrize("pointer", POINTERS)
def test_a_pointer_that_names_nothing_hides_no_session(
    bench: Bench, pointer: bytes
) -> None:
    (bench.folder / "open").write_bytes(pointer)
    assert bench.run(["scene", "--print"], ["scene"])[1].code == 0
    assert (bench.folder / "open").read_bytes() == pointer
    _, doctor, status, scene, decided = bench.run(*READING)
    assert (status.code, scene.code, decided.code) == (0, 0, 0)
    assert ("no-session" in [each["code"] for each in doctor.json["findings"]]) == bool(
        pointer.strip()
    )
    assert (bench.folder / "open").read_text() == f"{bench.identity}\n"
    (resumed,) = bench.run(["resume", "--json"])
    assert (resumed.code, resumed.json["session"]) == (0, bench.identity)


def test_a_link_in_the_place_of_a_session_gives_way_to_its_backup(
    bench: Bench, tmp_path: Path
) -> None:
    """The link comes with a repository; it stopped every command that looks at
    sessions, the doctor too.
    """
    victim = tmp_path / "victim"
    data = bench.file.read_bytes()
    victim.write_bytes(data)
    for place in (bench.file, bench.folder / "open"):
        place.unlink(missing_ok=True)
        place.symlink_to(victim)
    _, doctor, status, scene, decided = bench.run(*READING)
    assert (status.code, scene.code, decided.code) == (0, 0, 0)
    path = bench.file.relative_to(bench.root).as_posix()
    assert (path, "bad-session") in [
        (each["path"], each["code"]) for each in doctor.json["findings"]
    ]
    (resumed,) = bench.run(["resume", "--json"])
    assert (resumed.code, resumed.json["session"]) == (0, bench.identity)
    assert not (bench.folder / "open").is_symlink() and not bench.file.is_symlink()
    assert victim.read_bytes() == data
