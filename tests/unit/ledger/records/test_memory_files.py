"""Reading of the memory files of a profile."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from sandbox import Sandbox

from cuedeck.ledger.records.memory_files import MemoryFiles, memory_of
from cuedeck.model.errors import StorageError

RECORD = '- {"id":"one","text":"the quokka"}\n'


def make_entry(place: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        # The path of a socket has at most 107 bytes, so its name is relative.
        monkeypatch.chdir(place.parent)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(place.name)


@pytest.fixture
def memory(sandbox: Sandbox) -> MemoryFiles:
    sandbox.write(".cuedeck/memory/2026-11-20.md", RECORD)
    return memory_of(sandbox.workspace())


@pytest.mark.parametrize("target", ["notes.md", "../outside.md"])
@pytest.mark.parametrize(
    "name", ["USER.md", "MEMORY.md", "LONGMEMORY.md", "memory/2026-11-21.md"]
)
def test_a_file_that_is_a_link_is_not_read(
    sandbox: Sandbox, memory: MemoryFiles, name: str, target: str
) -> None:
    """The link appears after the memory was opened, as with `git pull`."""
    sandbox.write(target, RECORD)
    sandbox.place(f".cuedeck/{name}").symlink_to(sandbox.place(target))
    with pytest.raises(StorageError, match="is a symbolic link"):
        memory.text(name)
    with pytest.raises(StorageError, match="is a symbolic link"):
        memory.read(name)


def test_a_file_in_a_linked_folder_is_not_read(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    sandbox.write("../logs/2026-11-20.md", RECORD)
    folder = sandbox.place(".cuedeck/memory")
    folder.rename(sandbox.place("moved"))
    folder.symlink_to(sandbox.place("../logs"))
    with pytest.raises(StorageError, match="is a symbolic link"):
        memory.text("memory/2026-11-20.md")


def test_a_day_has_a_log_only_if_it_is_a_file(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    link = sandbox.place(".cuedeck/memory/2026-11-21.md")
    link.symlink_to(sandbox.place(".cuedeck/memory/2026-11-20.md"))
    days = ("2026-11-20", "2026-11-21", "2026-11-22")
    assert [memory.has_log(day) for day in days] == [True, False, False]
    assert memory.days() == ("2026-11-20",)


@pytest.mark.parametrize("kind", ["folder", "pipe", "socket"])
def test_a_log_that_is_no_file_is_ignored(
    sandbox: Sandbox, memory: MemoryFiles, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    make_entry(sandbox.place(".cuedeck/memory/2026-11-21.md"), kind, monkeypatch)
    assert memory.days() == ("2026-11-20",)
    assert not memory.has_log("2026-11-21")
    assert memory.notes() == ()
    assert memory.unread_days() == ("2026-11-21",)
