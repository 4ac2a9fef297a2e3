"""Extraction of experiences from records."""

from __future__ import annotations

import json

from experience_sandbox import PATH, extracted, lines, queried, record
from sandbox import Sandbox

from cuedeck.knowledge.experiences.delete_experience import forget_experience
from cuedeck.knowledge.experiences.extract_experiences import extract
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.knowledge.memory.edit_record import supersede
from cuedeck.ledger.kinds.experience_kind import EXPERIENCE
from cuedeck.ledger.records.memory_files import FOREIGN_EXPERIENCES, memory_of


def test_every_record_is_seen_wherever_it_went(sandbox: Sandbox) -> None:
    """Records trimmed between two runs are in the log of their day; records appended
    late come first.
    """
    first = [record("r1", "The parser needs a second pass over imports")]
    sandbox.write(".cuedeck/MEMORY.md", "".join(first))
    assert extracted(sandbox)[1] == 1
    sandbox.write(
        ".cuedeck/MEMORY.md",
        record("r0", "An older record that was written in by hand"),
    )
    sandbox.write(
        ".cuedeck/memory/2026-01-01.md",
        "".join([*first, record("r2", "A record trimmed before anybody looked")]),
    )
    sandbox.write(
        ".cuedeck/memory/MEMORY-archive.md",
        record("r3", "A record that went straight to the archive"),
    )
    assert extracted(sandbox) == (3, 3, 0, 0)
    assert [row["recordId"] for row in lines(sandbox)] == ["r1", "r0", "r2", "r3"]
    assert extracted(sandbox) == (0, 0, 0, 0)


def test_nothing_to_look_at_leaves_no_file(sandbox: Sandbox) -> None:
    before = sandbox.bytes()
    assert extracted(sandbox) == (0, 0, 0, 0)
    assert sandbox.bytes() == before


def test_experiences_in_the_foreign_format_are_imported_once(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", '[[profile]]\nid = "old"\nroot = "old"\n')
    row = {
        "id": "exp_1795224699017_a2c6jasl",
        "text": "User prefers dark mode in src/ui.py",
        "category": "user-preference",
        "sessionId": "main",
        "recordId": "r1",
        "timestamp": "2026-11-21T01:31:39.017Z",
        "vector": [0.5] * 128,
    }
    sandbox.write(
        f"old/{FOREIGN_EXPERIENCES}",
        json.dumps({"version": 1, "experiences": [row]}, indent=2),
    )
    assert extracted(sandbox, "old") == (1, 1, 0, 0)
    (made,) = lines(sandbox, "old/experiences.jsonl")
    assert (made["id"], made["recordId"], made["entities"]) == (
        row["id"],
        "r1",
        ["src/ui.py"],
    )
    assert "vector" not in made
    workspace = sandbox.workspace()
    forget_experience(workspace, memory_of(workspace, "old"), "exp_")
    assert extracted(sandbox, "old") == (0, 0, 0, 0)
    assert lines(sandbox, "old/experiences.jsonl") == []
    assert not sandbox.place(PATH).exists()


def test_hash_vectors_compare_as_the_original_did(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", '[experiences]\nsimilarity = "hash128"\n')
    rows = [
        record("r1", "The user prefers to run tests first"),
        record("r2", "The user prefers NOT to run tests first"),
    ]
    sandbox.write(".cuedeck/MEMORY.md", "".join(rows))
    assert extracted(sandbox) == (2, 1, 1, 0)
    assert queried(sandbox, "run tests")["results"][0]["record"] == "r1"


def test_a_superseded_record_is_no_longer_an_experience(sandbox: Sandbox) -> None:
    workspace = sandbox.workspace()
    memory = memory_of(workspace)
    (old,) = add_records(
        workspace, memory, [NewRecord("Deploys go out on Tuesdays at noon", "learned")]
    )
    extract(workspace, memory)
    supersede(workspace, memory, old, new_text="Deploys go out on Fridays at noon")
    extract(workspace, memory)
    assert [each.text for each in memory.entries(EXPERIENCE)] == [
        "Deploys go out on Fridays at noon"
    ]
