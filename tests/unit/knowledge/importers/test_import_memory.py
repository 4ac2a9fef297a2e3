"""Memory files of ClawCode and CursorClaw are merged into those of the workspace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from foreign_memory import (
    SECRET,
    import_twice,
    plant_clawcode,
    plant_cortex,
    plant_cursorclaw,
    put,
    record,
    rows_of,
)

from cuedeck.knowledge.importers.import_foreign import import_foreign
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.model.errors import Ambiguous, CueDeckError, NotFound

if TYPE_CHECKING:
    from sandbox import Sandbox


@pytest.fixture
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("foreign")


def text(sandbox: Sandbox, path: str) -> str:
    return sandbox.place(f".cuedeck/{path}").read_text()


def test_a_profile_of_cursorclaw_is_taken_over(sandbox: Sandbox, source: Path) -> None:
    done = import_twice(sandbox, plant_cursorclaw(source))
    assert done["kind"] == "cursorclaw"
    new = rows_of(done, "new")
    assert new["MEMORY.md"] == (".cuedeck/MEMORY.md", "2 records")
    assert new["memory/2026-04-02.md"][0] == ".cuedeck/memory/2026-04-02.md"
    assert new["memory/MEMORY-archive.md"][0] == ".cuedeck/memory/MEMORY-archive.md"
    assert new["tmp/experience-store.json"][1] == "1 experience"
    refused = [each for each in done["rows"] if each["action"] == "refused"]
    assert [(each["source"], each["reason"]) for each in refused] == [
        ("MEMORY.md#L11", "broken JSON"),
        ("memory/2026-02-30.md", "2026-02-30 is not a date"),
    ]
    assert set(rows_of(done, "left out")) == {"USER.md", "tmp/memory-embeddings.json"}
    records = memory_of(sandbox.workspace()).primary.records
    assert [each.id for each in records] == ["r-1", "r-2"]
    assert records[0].timestamp == "2026-04-02T01:31:39.005Z"
    assert (records[1].category, "<secret:" in records[1].text) == ("learned", True)
    assert "Curated memories" not in text(sandbox, "MEMORY.md")
    assert "## Summary (2026-03-30)" in text(sandbox, "LONGMEMORY.md")
    (experience,) = text(sandbox, "experiences.jsonl").splitlines()
    assert json.loads(experience)["id"] == "exp_1_aaaaaaaa"
    assert SECRET.encode() not in b"".join(sandbox.bytes().values())


def test_a_memory_folder_of_clawcode_is_taken_over(
    sandbox: Sandbox, source: Path
) -> None:
    done = import_twice(sandbox, plant_clawcode(source))
    assert done["kind"] == "clawcode"
    assert "- Cookie is our dog\n" in text(sandbox, "MEMORY.md")
    assert "- shrimp for lunch\n" in text(sandbox, "memory/2026-04-02.md")
    assert "## Deep Sleep — 2026-04-02" in text(sandbox, "DREAMS.md")
    assert rows_of(done, "new")["2026-04-02-standup.md"][0] == (
        "cortex://resources/imported/clawcode/2026-04-02-standup.md"
    )
    assert "counts of chunks" in rows_of(done, "left out")[".dreams"][1]


def test_files_that_exist_are_merged_by_line(sandbox: Sandbox, source: Path) -> None:
    plant_cursorclaw(source)
    mine = f"My notes\n{record('r-1', 'Something else')}\n{record('m', 'mine')}\n"
    sandbox.write(".cuedeck/MEMORY.md", mine)
    log = "## Session (10:15)\n- shrimp for lunch\n"
    sandbox.write(".cuedeck/memory/2026-04-02.md", log)
    done = import_twice(sandbox, source)
    merged = text(sandbox, "MEMORY.md")
    assert merged.startswith(mine)
    assert merged.count("\n") == mine.count("\n") + 1
    assert rows_of(done, "refused")["MEMORY.md#L9"][1] == (
        "record r-1 has other content here"
    )
    assert text(sandbox, "memory/2026-04-02.md").startswith(log)


def test_a_log_is_appended_once(sandbox: Sandbox, source: Path) -> None:
    import_twice(sandbox, plant_clawcode(source))
    before = text(sandbox, "memory/2026-04-02.md")
    put(source, "2026-04-02.md", (source / "2026-04-02.md").read_text() + "- nap\n")
    done = import_twice(sandbox, source)
    assert rows_of(done, "merged")["2026-04-02.md"][1] == "1 line added"
    added = text(sandbox, "memory/2026-04-02.md").removeprefix(before)
    assert added == "- nap\n"


def test_only_memory_files_of_a_project_are_read(
    sandbox: Sandbox, source: Path
) -> None:
    put(source, "MEMORY.md", "- Cookie is our dog\n")
    put(source, "docs/guide.md", "not memory\n")
    done = import_twice(sandbox, source)
    assert [each["source"] for each in done["rows"]] == ["MEMORY.md"]


def test_a_forgotten_record_does_not_come_back(sandbox: Sandbox, source: Path) -> None:
    import_twice(sandbox, plant_cursorclaw(source))
    sandbox.ok("memory", "forget", "r-1")
    done = import_foreign(sandbox.workspace(), str(source))
    assert (
        rows_of(done, "refused")["MEMORY.md#L9"][1] == "record r-1 was forgotten here"
    )
    assert "The parser is fixed" not in text(sandbox, "MEMORY.md")
    assert text(sandbox, "experiences.jsonl") == ""


def test_bad_files_are_refused_one_by_one(sandbox: Sandbox, source: Path) -> None:
    plant_cursorclaw(source)
    put(source, "LONGMEMORY.md", b"# x\n\xff\n")
    put(source, "tmp/experience-store.json", "{")
    put(source, "memory/sub/2026-04-03.md", "nested\n")
    (source / "memory/2026-04-04.md").symlink_to(source / "USER.md")
    done = import_twice(sandbox, source)
    refused = rows_of(done, "refused")
    assert refused["LONGMEMORY.md"][1] == "byte 5 is not valid UTF-8"
    assert "not an experience store" in refused["tmp/experience-store.json"][1]
    assert refused["memory/2026-04-04.md"][1] == "a link is not followed"
    assert rows_of(done, "new")["memory/sub/2026-04-03.md"][0] == (
        "cortex://resources/imported/cursorclaw/sub/2026-04-03.md"
    )
    assert not sandbox.place(".cuedeck/LONGMEMORY.md").exists()


def test_the_kind_is_found_or_asked_for(sandbox: Sandbox, source: Path) -> None:
    workspace = sandbox.workspace()
    with pytest.raises(NotFound, match="no memory of a known program"):
        import_foreign(workspace, str(source))
    with pytest.raises(NotFound, match="is not a folder"):
        import_foreign(workspace, str(source / "missing"))
    plant_cursorclaw(source)
    plant_cortex(source)
    with pytest.raises(Ambiguous) as error:
        import_foreign(workspace, str(source))
    assert error.value.candidates == ("cortex", "cursorclaw")
    with pytest.raises(CueDeckError, match="not a kind"):
        import_foreign(workspace, str(source), "openclaw")
    assert import_twice(sandbox, source, "cursorclaw")["kind"] == "cursorclaw"


def test_a_profile_of_the_workspace_is_used_in_place(sandbox: Sandbox) -> None:
    plant_cursorclaw(sandbox.place("bot"))
    sandbox.write(".cuedeck/config.toml", '[[profile]]\nid = "bot"\nroot = "bot"\n')
    with pytest.raises(CueDeckError) as error:
        import_foreign(sandbox.workspace(), str(sandbox.place("bot")))
    assert error.value.hint == "cuedeck memory list --profile bot"
