"""Extraction of experiences from records."""

from __future__ import annotations

import json

from experience_sandbox import PATH, TOKEN, added, extracted, lines, queried, record
from sandbox import Sandbox

from cuedeck.knowledge.experiences.delete_experience import forget_experience
from cuedeck.knowledge.experiences.extract_experiences import extract
from cuedeck.knowledge.experiences.query_experiences import list_experiences
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.knowledge.memory.edit_record import supersede
from cuedeck.ledger.experiences.experience_files import LOOKED_AT
from cuedeck.ledger.experiences.experience_repository import experiences_of
from cuedeck.ledger.records.memory_files import FOREIGN_EXPERIENCES
from cuedeck.ledger.records.memory_profiles import memory_of


def test_case_e7_a_secret_record_leaves_no_trace(sandbox: Sandbox) -> None:
    secret = "the master vault passphrase is SECRETPHRASE-77"
    sandbox.write(
        ".cuedeck/MEMORY.md",
        record("r1", secret, sensitivity="secret")
        + record("r2", f"The key is {TOKEN} now"),
    )
    assert extracted(sandbox) == (2, 1, 0, 0)
    for path in (PATH, f".cuedeck/{LOOKED_AT}"):
        text = sandbox.place(path).read_text()
        assert "SECRETPHRASE" not in text and TOKEN not in text
    assert lines(sandbox)[0]["text"].startswith("The key is <secret:")
    assert queried(sandbox, "vault passphrase")["results"] == []


def test_e15_a_full_store_reloads_and_makes_room(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", "[experiences]\nmax_count = 300\n")
    rows = [
        record(f"r{at}", f"The answer to question number {at} of the survey")
        for at in range(400)
    ]
    sandbox.write(".cuedeck/MEMORY.md", "".join(rows))
    assert extracted(sandbox) == (400, 400, 0, 100)
    assert len(lines(sandbox)) == 300
    made = added(sandbox, "One more that is added by hand")
    assert len(made["evicted"]) == 6
    assert len(list_experiences(memory_of(sandbox.workspace()))["experiences"]) == 295
    assert queried(sandbox, "added by hand")["results"][0]["id"] == made["id"]
    assert extracted(sandbox) == (0, 0, 0, 0)


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


def test_a_lost_cursor_brings_nothing_twice(sandbox: Sandbox) -> None:
    sandbox.write(
        ".cuedeck/MEMORY.md",
        record("r1", "The parser needs a second pass over imports"),
    )
    extracted(sandbox)
    before = sandbox.place(PATH).read_bytes()
    for text in ("", "broken", '{"seen":7}'):
        sandbox.write(f".cuedeck/{LOOKED_AT}", text)
        assert extracted(sandbox) == (1, 0, 0, 0)
        assert sandbox.place(PATH).read_bytes() == before


def test_extraction_is_the_same_every_time(sandbox: Sandbox) -> None:
    sandbox.write(
        ".cuedeck/MEMORY.md",
        "".join(record(f"r{at}", f"This is the text of case {at}") for at in range(5)),
    )
    extracted(sandbox)
    first = sandbox.place(PATH).read_bytes()
    for path in (PATH, f".cuedeck/{LOOKED_AT}"):
        sandbox.place(path).unlink()
    extracted(sandbox)
    assert sandbox.place(PATH).read_bytes() == first


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
    assert [each.text for each in experiences_of(memory).read().experiences] == [
        "Deploys go out on Fridays at noon"
    ]
