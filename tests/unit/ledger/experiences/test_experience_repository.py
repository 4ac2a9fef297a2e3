"""The file of experiences."""

from __future__ import annotations

from experience_sandbox import PATH, added, queried
from sandbox import Sandbox

from cuedeck.knowledge.experiences.query_experiences import list_experiences
from cuedeck.ledger.records.memory_profiles import memory_of


def test_case_19_persists_and_reloads(sandbox: Sandbox) -> None:
    added(sandbox, "The deployment needs a second signature")
    assert len(list_experiences(memory_of(sandbox.workspace()))["experiences"]) == 1
    assert len(queried(sandbox, "deployment")["results"]) == 1


def test_broken_lines_stay_and_are_reported(sandbox: Sandbox) -> None:
    sandbox.write(
        PATH, '{"id":"a","text":"One thing that is known","mine":1}\nnot json\n'
    )
    added(sandbox, "Another thing that was learned")
    assert (
        sandbox.place(PATH)
        .read_text()
        .startswith('{"id":"a","text":"One thing that is known","mine":1}\nnot json\n')
    )
    answer = queried(sandbox, "known")
    assert [each["id"] for each in answer["results"]] == ["a"]
    assert [(each["path"], each["line"]) for each in answer["problems"]] == [(PATH, 2)]
