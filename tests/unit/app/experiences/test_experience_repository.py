"""The file of experiences."""

from __future__ import annotations

from desk import Desk
from experience_desk import PATH, added, queried

from cuedeck.app.experiences.query_experiences import list_experiences
from cuedeck.app.memory.memory_profiles import memory_of


def test_case_19_persists_and_reloads(desk: Desk) -> None:
    added(desk, "The deployment needs a second signature")
    assert len(list_experiences(memory_of(desk.workspace()))["experiences"]) == 1
    assert len(queried(desk, "deployment")["results"]) == 1


def test_broken_lines_stay_and_are_told(desk: Desk) -> None:
    desk.write(PATH, '{"id":"a","text":"One thing that is known","mine":1}\nnot json\n')
    added(desk, "Another thing that was learned")
    assert desk.place(PATH).read_text().startswith('{"id":"a","text":"One thing that is known","mine":1}\nnot json\n')
    answer = queried(desk, "known")
    assert [each["id"] for each in answer["results"]] == ["a"]
    assert [(each["path"], each["line"]) for each in answer["problems"]] == [(PATH, 2)]
