"""Deleting experiences, directly and with the record they come from."""

from __future__ import annotations

import pytest
from experience_sandbox import PATH, extracted, lines, queried, record
from sandbox import Sandbox

from cuedeck.knowledge.experiences.delete_experience import forget_experience, purge
from cuedeck.knowledge.experiences.query_experiences import query_experiences
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.memory_writer import writing
from cuedeck.model.errors import Ambiguous, Invalid, NotFound


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
    with writing(memory):
        assert purge(memory, ["r1"], True) == 1
        assert len(sandbox.place(PATH).read_text().splitlines()) == 3
        assert purge(memory, ["r1"], False) == 1
        assert purge(memory, ["r1"], False) == 0
    assert [row["recordId"] for row in lines(sandbox)] == ["r2"]
    assert "cellar" not in sandbox.place(PATH).read_text()


def test_questions_and_ids_that_mean_nothing_are_refused(sandbox: Sandbox) -> None:
    sandbox.write(
        PATH, '{"id":"abc1","text":"One thing"}\n{"id":"abc2","text":"Another thing"}\n'
    )
    workspace = sandbox.workspace()
    memory = memory_of(workspace)
    for query, message in (
        (" ", {}),
        ("x", {"top": 0}),
        ("x", {"top": 51}),
        ("x", {"by": "day"}),
    ):
        with pytest.raises(Invalid):
            query_experiences(workspace, memory, query, **message)  # type: ignore[arg-type]
    with pytest.raises(Ambiguous) as fault:
        forget_experience(workspace, memory, "abc")
    assert fault.value.candidates == ("abc1", "abc2")
    with pytest.raises(NotFound) as missing:
        forget_experience(workspace, memory, "abd1")
    assert missing.value.candidates[0] == "abc1"
