"""Writing the files of a memory."""

from __future__ import annotations

import os

import pytest
from sandbox import Sandbox

from cuedeck.ledger.records.memory_files import HEADER, MemoryFiles, memory_of
from cuedeck.model.errors import StorageError

DAY = "2026-11-21"


def value(text: str) -> dict[str, object]:
    return {
        "id": text,
        "sessionId": "s",
        "category": "note",
        "text": text,
        "provenance": {"sensitivity": "public"},
    }


def append(memory: MemoryFiles, *texts: str) -> None:
    memory.add_records([value(text) for text in texts], DAY)


def ids(memory: MemoryFiles, name: str = "MEMORY.md") -> list[str]:
    return [record.id for record in memory.read(name).records]


@pytest.fixture
def memory(sandbox: Sandbox) -> MemoryFiles:
    return memory_of(sandbox.workspace())


def test_the_first_append_makes_both_files_private(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    append(memory, "a")
    assert len(HEADER) <= 250
    assert sandbox.place(".cuedeck/MEMORY.md").read_text().startswith(HEADER)
    assert ids(memory) == ids(memory, f"memory/{DAY}.md") == ["a"]
    for name in ("MEMORY.md", f"memory/{DAY}.md"):
        assert sandbox.place(f".cuedeck/{name}").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("blank", ["", "\n", "  \n\n"])
def test_a_blank_memory_gets_its_header_again(
    sandbox: Sandbox, memory: MemoryFiles, blank: str
) -> None:
    sandbox.write(".cuedeck/MEMORY.md", blank)
    append(memory, "a")
    assert sandbox.place(".cuedeck/MEMORY.md").read_text().startswith(HEADER + "- ")


def test_e9_a_last_line_without_a_newline_is_not_joined_with_the_next(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    sandbox.write(".cuedeck/MEMORY.md", '- {"id":"x","text":"by hand"}')
    append(memory, "a")
    assert ids(memory) == ["x", "a"]


def test_e1_existing_content_stays_byte_for_byte(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    old = b'# Mine\r\n\r\nprose \xff\xfe\n- {"id":"x","text":"y"}\n'
    sandbox.write(".cuedeck/MEMORY.md", old)
    append(memory, "a")
    assert sandbox.place(".cuedeck/MEMORY.md").read_bytes().startswith(old + b"- {")


def test_when_the_log_cannot_be_written_memory_is_as_it_was(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    append(memory, "a")
    before = sandbox.place(".cuedeck/MEMORY.md").read_bytes()
    sandbox.place(f".cuedeck/memory/{DAY}.md").unlink()
    sandbox.place(f".cuedeck/memory/{DAY}.md").mkdir()
    with pytest.raises(StorageError):
        append(memory, "b")
    assert sandbox.place(".cuedeck/MEMORY.md").read_bytes() == before


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_a_log_that_is_no_file_refuses_a_record(
    sandbox: Sandbox, memory: MemoryFiles, kind: str
) -> None:
    log = sandbox.place(f".cuedeck/memory/{DAY}.md")
    log.parent.mkdir(exist_ok=True)
    if kind == "folder":
        log.mkdir()
    else:
        os.mkfifo(log)
    with pytest.raises(StorageError) as caught:
        append(memory, "a")
    assert caught.value.hint.startswith("rename or remove")
    assert memory.primary.records == ()


def test_nothing_is_written_through_a_link(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    outside = sandbox.root.parent / "outside.md"
    outside.write_text("theirs\n")
    os.symlink(outside, sandbox.root / ".cuedeck/MEMORY.md")
    with pytest.raises(StorageError):
        append(memory, "a")
    assert outside.read_text() == "theirs\n"


def test_size_is_that_of_the_file(sandbox: Sandbox, memory: MemoryFiles) -> None:
    assert memory.size() == (0, 0)
    for text in ("a", "é", "c"):
        append(memory, text)
    place = sandbox.place(".cuedeck/MEMORY.md")
    assert memory.size() == (3, len(place.read_text()))


def test_lines_added_without_a_lock_during_a_rewrite_are_kept(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    append(memory, "a", "b")
    place = sandbox.place(".cuedeck/MEMORY.md")

    def make(text: str) -> str:
        with place.open("a") as file:  # as the original appends
            file.write('- {"id":"theirs","text":"x"}\n')
        return "".join(
            line for line in text.splitlines(keepends=True) if '"id":"a"' not in line
        )

    assert memory.rewrite("MEMORY.md", make)
    assert ids(memory) == ["b", "theirs"]


def test_a_failed_rewrite_changes_nothing(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    append(memory, "a")
    before = sandbox.bytes()

    def fail(text: str) -> str:
        raise StorageError("no")

    with pytest.raises(StorageError):
        memory.rewrite("MEMORY.md", fail)
    assert sandbox.bytes() == before


def test_lines_that_are_in_the_archive_already_are_not_added_again(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    memory.archive_lines(["- one", "- two"])
    memory.archive_lines(["- two", "- three"])
    assert (
        sandbox.place(".cuedeck/memory/MEMORY-archive.md").read_text()
        == "- one\n- two\n- three\n"
    )


def test_a_full_disk_leaves_old_files_and_is_reported(
    sandbox: Sandbox, memory: MemoryFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(memory, "a")
    before = sandbox.bytes()

    def short(handle: int, data: bytes) -> int:
        os.pwrite(handle, data[:10], os.fstat(handle).st_size)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cuedeck.store.files.append.os.write", short)
    with pytest.raises(StorageError, match="No space left"):
        append(memory, "b")
    monkeypatch.undo()
    assert sandbox.bytes() == before


def test_a_reader_sees_an_edit_of_the_same_size_made_at_once(
    sandbox: Sandbox, memory: MemoryFiles
) -> None:
    place = sandbox.write(".cuedeck/MEMORY.md", '- {"id":"a","text":"x"}\n')
    assert ids(memory) == ["a"]
    place.write_text('- {"id":"b","text":"x"}\n')
    assert ids(memory) == ["b"]


def test_days_are_those_of_the_calendar(sandbox: Sandbox, memory: MemoryFiles) -> None:
    for name in ("2026-02-28", "2026-02-30", "9999-99-99", "notes"):
        sandbox.write(f".cuedeck/memory/{name}.md")
    assert memory.days() == ("2026-02-28",)
