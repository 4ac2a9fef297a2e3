"""Forgetting a record: only a tombstone remains."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import lz4.frame
import pytest
from sandbox import Sandbox

from cuedeck.agents.hooks.session_brief import make_brief
from cuedeck.context.scene.build_scene import Request, make_scene, write_scene
from cuedeck.engine.workspace import Workspace
from cuedeck.knowledge.memory import forget_record as forget_module
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.knowledge.memory.forget_record import (
    finish_forgetting,
    forget_record,
    tombstones,
)
from cuedeck.knowledge.memory.list_records import Wanted, list_records
from cuedeck.knowledge.memory.run_maintenance import tick
from cuedeck.knowledge.memory.session_context import memory_context
from cuedeck.ledger.records.memory_files import MemoryFiles, memory_of
from cuedeck.model.errors import Invalid, StorageError
from cuedeck.store.files.file_lock import is_held

PHRASE = "the landlord is called Zebedee"
OTHER = "src/auth.py compares signatures"


@pytest.fixture
def opened(sandbox: Sandbox) -> tuple[Workspace, MemoryFiles]:
    workspace = sandbox.workspace()
    return workspace, memory_of(workspace)


def add(workspace: Workspace, memory: MemoryFiles, text: str) -> str:
    return add_records(workspace, memory, [NewRecord(text)])[0]


def files_containing(root: Path, text: str) -> Iterator[str]:
    """Yield the files that contain a text, in any of the formats in use."""
    for place in sorted(root.rglob("*")):
        data = place.read_bytes() if place.is_file() else b""
        if text.encode() in data:
            yield place.relative_to(root).as_posix()


def cached_scenes(workspace: Workspace) -> list[str]:
    rows = workspace.index.ask("SELECT value FROM cache WHERE kind = 'scenes'")
    return [lz4.frame.decompress(row[0]).decode() for row in rows]


def test_deletion_ends_after_the_scene_is_rebuilt(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    # A process that ended between the two left the words in SCENE.md, and nothing took
    # them out.
    workspace, memory = opened
    identity = add(workspace, memory, PHRASE)
    scene = sandbox.place(".cuedeck/SCENE.md")
    scene.mkdir()
    with pytest.raises(StorageError):
        forget_record(workspace, memory, identity)
    assert tombstones(memory) == {identity: "begun"}
    scene.rmdir()
    scene.write_text(f"- {PHRASE}\n")
    assert finish_forgetting(workspace, memory) == 1
    assert tombstones(memory) == {identity: "done"} and not list(
        files_containing(sandbox.root, PHRASE)
    )


def test_second_deletion_waits_for_the_first(
    opened: tuple[Workspace, MemoryFiles], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A tick during the rewrite of the scene took the deletion for an interrupted one
    # and repeated all of it.
    workspace, memory = opened
    identity, stored = add(workspace, memory, PHRASE), []
    remake = forget_module.remake_scenes

    def look_and_remake(ours: Workspace) -> tuple[str, ...]:
        held = is_held(ours.paths, memory.lock)
        stored.append((tombstones(memory)[identity], held))
        return remake(ours)

    monkeypatch.setattr(forget_module, "remake_scenes", look_and_remake)
    forget_record(workspace, memory, identity)
    assert stored == [("begun", True)]


def test_only_the_id_of_a_forgotten_record_remains(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    workspace, memory = opened
    identity, other = add(workspace, memory, PHRASE), add(workspace, memory, OTHER)
    sandbox.write(
        ".cuedeck/MEMORY.md.compaction-backup",
        sandbox.place(".cuedeck/MEMORY.md").read_bytes(),
    )
    sandbox.write(
        ".cuedeck/memory/undo/MEMORY.md",
        sandbox.place(".cuedeck/MEMORY.md").read_bytes(),
    )
    sandbox.write(
        ".cuedeck/memory/MEMORY-archive.md",
        sandbox.place(".cuedeck/MEMORY.md").read_bytes(),
    )
    vectors = {
        "version": 1,
        "chunks": [
            {"recordId": identity, "text": PHRASE},
            {"recordId": "x", "text": "y"},
        ],
    }
    sandbox.write(".cuedeck/tmp/memory-embeddings.json", json.dumps(vectors))
    answer = forget_record(workspace, memory, identity[:8])
    assert answer["id"] == identity
    assert len(answer["places"]) == 5
    assert list(files_containing(sandbox.root, PHRASE)) == []
    assert list(files_containing(sandbox.root, identity)) == [
        ".cuedeck/memory/tombstones.jsonl"
    ]
    assert tombstones(memory) == {identity: "done"}
    assert [
        row["id"] for row in list_records(memory, Wanted(where="all"))["records"]
    ] == [other]
    assert (
        json.loads(sandbox.place(".cuedeck/tmp/memory-embeddings.json").read_text())[
            "chunks"
        ]
        == vectors["chunks"][1:]
    )


def test_dry_run_names_the_places_and_changes_nothing(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    workspace, memory = opened
    identity = add(workspace, memory, PHRASE)
    before = sandbox.bytes()
    answer = forget_record(workspace, memory, identity, dry_run=True)
    assert [each["path"] for each in answer["places"]][-1] == ".cuedeck/MEMORY.md"
    assert sandbox.bytes() == before


def test_merged_fact_is_cut_out_alone(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    workspace, memory = opened
    first, second = (
        "f1df838f-fcfe-480d-b07c-1331ba8e2f3c",
        "0aab9c1d-fcfe-480d-b07c-1331ba8e2f3c",
    )
    facts = f"2026-11-01 to 2026-11-02, main: parser\n- {PHRASE} [f1df838f]\n- {OTHER} [0aab9c1d]"
    lines = [
        {"id": "m", "category": "compaction", "text": facts},
        {"id": first, "text": PHRASE},
    ]
    rows = [
        f"- {json.dumps(line)}\n"
        for line in (lines[0], {"id": "k", "text": "kept", "mood": "fine"})
    ]
    sandbox.write(".cuedeck/MEMORY.md", "# Mine\n\nprose\n" + "".join(rows))
    sandbox.write(".cuedeck/memory/MEMORY-archive.md", f"- {json.dumps(lines[1])}\n")
    sandbox.write(
        ".cuedeck/LONGMEMORY.md",
        f"# Long\n\n## Summary (2026-11-01)\n\n- {PHRASE} [f1df838f]\n- {OTHER} [0aab9c1d]\n",
    )
    forget_record(workspace, memory, first)
    assert list(files_containing(sandbox.root, PHRASE)) == []
    assert OTHER in sandbox.place(".cuedeck/LONGMEMORY.md").read_text()
    merged, kept = memory.primary.records
    assert OTHER in merged.text
    assert kept.value["mood"] == "fine"
    assert (
        sandbox.place(".cuedeck/MEMORY.md")
        .read_text()
        .startswith("# Mine\n\nprose\n- ")
    )
    assert second not in tombstones(memory)


def test_scenes_with_the_record_are_rebuilt(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    workspace, memory = opened
    sandbox.card("aaaaaa", "refs: [src/auth.py]")
    sandbox.activate("aaaaaa")
    sandbox.write("src/auth.py", "def verify() -> None: ...\n")
    identity = add(workspace, memory, f"{PHRASE}; see src/auth.py")
    write_scene(workspace, make_scene(workspace, Request()).text)
    assert PHRASE in sandbox.scene.read_text()
    assert any(PHRASE in scene for scene in cached_scenes(workspace))
    forget_record(workspace, memory, identity)
    assert PHRASE not in sandbox.scene.read_text()
    assert not any(PHRASE in scene for scene in cached_scenes(workspace))


def test_a_brief_leaves_no_text_of_a_record(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    workspace, memory = opened
    identity = add(workspace, memory, PHRASE)
    make_brief(workspace)
    forget_record(workspace, memory, identity)
    assert list(files_containing(sandbox.root, PHRASE)) == []


def test_interrupted_deletion_is_resumed(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    workspace, memory = opened
    identity = add(workspace, memory, PHRASE)
    sandbox.write(
        ".cuedeck/memory/tombstones.jsonl",
        f'{{"id":"{identity}","timestamp":"t","state":"begun"}}\n',
    )
    sandbox.place(".cuedeck/MEMORY.md").unlink()
    forget_record(workspace, memory, identity)
    assert list(files_containing(sandbox.root, PHRASE)) == []
    assert tombstones(memory) == {identity: "done"}
    forget_record(workspace, memory, identity)


def test_records_with_the_same_text_are_listed(
    opened: tuple[Workspace, MemoryFiles],
) -> None:
    workspace, memory = opened
    one, other = add(workspace, memory, PHRASE), add(workspace, memory, PHRASE)
    assert forget_record(workspace, memory, one)["same_text"] == [other]


def test_forgotten_record_does_not_return_with_an_old_file(
    sandbox: Sandbox, opened: tuple[Workspace, MemoryFiles]
) -> None:
    workspace, memory = opened
    identity = add(workspace, memory, PHRASE)
    old = sandbox.place(".cuedeck/MEMORY.md").read_bytes()
    forget_record(workspace, memory, identity)
    sandbox.write(".cuedeck/MEMORY.md", old)
    assert list_records(memory, Wanted(where="all"))["records"] == []
    assert memory_context(workspace, memory).text == ""
    assert [line.fault for line in memory.primary.lines if line.fault] == [
        "a deleted record"
    ]
    forget_record(workspace, memory, identity)
    assert list(files_containing(sandbox.root, PHRASE)) == []


def test_short_prefix_does_not_select_a_record_to_delete(
    opened: tuple[Workspace, MemoryFiles],
) -> None:
    workspace, memory = opened
    identity = add(workspace, memory, PHRASE)
    with pytest.raises(Invalid, match="too short"):
        forget_record(workspace, memory, identity[:3])


def write_unfinished_tombstone(sandbox: Sandbox, root: str, identity: str) -> None:
    line = json.dumps({"id": identity, "timestamp": "t", "state": "begun"})
    sandbox.write(f"{root}/memory/tombstones.jsonl", f"{line}\n")


def test_tick_completes_an_interrupted_deletion_with_all_jobs_disabled(
    sandbox: Sandbox,
) -> None:
    sandbox.write(".cuedeck/config.toml", '[[profile]]\nid = "a"\nroot = "a"\n')
    workspace = sandbox.workspace()
    ids = {}
    for name, root in (("default", ".cuedeck"), ("a", "a")):
        ids[name] = add(workspace, memory_of(workspace, name), PHRASE)
        write_unfinished_tombstone(sandbox, root, ids[name])
    done = tick(sandbox.workspace())
    assert (done.ran, done.failed) == (True, False)
    assert done.reason.startswith("completed an interrupted deletion: 2 records")
    assert not [
        each for each in files_containing(sandbox.root, PHRASE) if "cache" not in each
    ]
    assert [tombstones(memory_of(workspace, name)) for name in ids] == [
        {each: "done"} for each in ids.values()
    ]
    assert not tick(sandbox.workspace()).ran


def test_tick_reports_a_failed_deletion_and_continues(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", '[[profile]]\nid = "a"\nroot = "a"\n')
    workspace = sandbox.workspace()
    other = add(workspace, memory_of(workspace, "a"), PHRASE)
    write_unfinished_tombstone(sandbox, ".cuedeck", "gone")
    sandbox.place(".cuedeck/MEMORY.md").mkdir()
    write_unfinished_tombstone(sandbox, "a", other)
    done = tick(sandbox.workspace())
    assert (done.ran, done.failed) == (True, True)
    assert "default: an interrupted deletion is still unfinished" in done.reason
    assert tombstones(memory_of(workspace, "a")) == {other: "done"}
