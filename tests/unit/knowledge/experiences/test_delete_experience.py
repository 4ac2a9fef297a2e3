"""Deleting experiences, directly and with the record they come from."""

from __future__ import annotations

from experience_sandbox import PATH, extracted, lines, queried, record
from sandbox import Sandbox

from cuedeck.knowledge.experiences.delete_experience import (
    count_experiences,
    forget_experience,
    purge,
)
from cuedeck.ledger.records.memory_files import memory_of


def test_a_deleted_experience_does_not_come_back(sandbox: Sandbox) -> None:
    sandbox.write(
        ".cuedeck/MEMORY.md",
        record("r1", "Zoe keeps the keys of the cellar under the mat"),
    )
    sandbox.card("aaaaaa", "title: The cellar keys")
    sandbox.activate("aaaaaa")
    extracted(sandbox)
    (row,) = lines(sandbox)
    workspace = sandbox.workspace()
    answer = forget_experience(workspace, memory_of(workspace), row["id"][:4])
    assert (answer["id"], answer["record"]) == (row["id"], "r1")
    assert sandbox.place(PATH).read_bytes() == b""
    assert extracted(sandbox) == (0, 0, 0, 0)
    assert queried(sandbox, "cellar keys")["results"] == []


def test_a_forgotten_record_takes_its_experience_with_it(sandbox: Sandbox) -> None:
    rows = [
        record("r1", "The cellar keys are under the mat"),
        record("r2", "The attic keys are on the hook"),
    ]
    sandbox.write(".cuedeck/MEMORY.md", "".join(rows))
    extracted(sandbox)
    torn = '{"id":"torn","recordId":"r1","text":"The cellar ke'
    sandbox.write(PATH, sandbox.place(PATH).read_text() + torn)
    memory = memory_of(sandbox.workspace())
    assert count_experiences(memory, ["r1"]) == 1
    purge(memory, ["r1"])
    assert count_experiences(memory, ["r1"]) == 0
    assert [row["recordId"] for row in lines(sandbox)] == ["r2"]
    assert "cellar" not in sandbox.place(PATH).read_text()
