"""Experiences on disk: made of records, asked, forgotten; nothing written when refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from desk import Desk

from cuedeck.app.experiences.add_experience import add_experience
from cuedeck.app.experiences.delete_experience import forget_experience, purge
from cuedeck.app.experiences.experience_repository import experiences_of
from cuedeck.app.experiences.extract_experiences import extract
from cuedeck.app.experiences.query_experiences import list_experiences, query_experiences
from cuedeck.app.memory.add_record import NewRecord, add_records
from cuedeck.app.memory.edit_record import supersede
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.scene.blocks.experiences_block import MOST, experiences_block
from cuedeck.model.errors import Ambiguous, Invalid, NotFound
from cuedeck.parse.record_file import format_record
from cuedeck.store.ledgers.experience_files import LOOKED_AT
from cuedeck.store.memory.memory_files import FOREIGN_EXPERIENCES
from cuedeck.store.memory.memory_writer import writing

TOKEN = f"ghp_{'a' * 36}"
PATH = ".cuedeck/experiences.jsonl"


def record(identity: str, text: str, **said: str) -> str:
    provenance = {"timestamp": "2026-01-01T00:00:00.000Z", "sensitivity": said.pop("sensitivity", "public")}
    return format_record({"id": identity, "category": "note", "text": text, **said, "provenance": provenance}) + "\n"


def lines(desk: Desk, path: str = PATH) -> list[dict[str, Any]]:
    place = desk.place(path)
    return [json.loads(line) for line in place.read_text().splitlines()] if place.exists() else []


def extracted(desk: Desk, profile: str = "") -> tuple[int, ...]:
    workspace = desk.workspace()
    return tuple(extract(workspace, memory_of(workspace, profile)))[:4]


def added(desk: Desk, text: str, **said: str) -> dict[str, Any]:
    workspace = desk.workspace()
    return add_experience(workspace, memory_of(workspace), text, **said)


def queried(desk: Desk, query: str, **said: Any) -> dict[str, Any]:
    workspace = desk.workspace()
    return query_experiences(workspace, memory_of(workspace), query, **said)


def test_case_16_adds_and_queries_experiences(desk: Desk) -> None:
    desk.write(".cuedeck/config.toml", "[experiences]\nuniqueness_threshold = 0.9\n")
    made = added(desk, "User prefers dark mode and keyboard shortcuts", category="user-preference")
    assert (made["added"], made["category"], made["session"]) == (True, "user-preference", "main")
    added(desk, "We fixed the login bug by validating the token")
    first = queried(desk, "user preferences dark mode")["results"][0]
    assert list(first) == ["id", "text", "score", "category", "session", "timestamp", "record", "entities", "sources"]
    assert (first["id"], first["text"]) == (made["id"], "User prefers dark mode and keyboard shortcuts")
    assert first["score"] > 0
    assert "login" in queried(desk, "login bug fix")["results"][0]["text"]


def test_case_17_what_is_known_is_not_added_again(desk: Desk) -> None:
    first = added(desk, "The user prefers to run tests before committing code")
    again = added(desk, "The user prefers to run tests before committing")
    assert (again["added"], again["id"], again["similarity"] >= 0.85) == (False, first["id"], True)
    assert len(lines(desk)) == 1


def test_case_18_what_is_different_is_added(desk: Desk) -> None:
    for text in ("User prefers dark mode", "We deployed the new API to production yesterday"):
        assert added(desk, text)["added"]


def test_case_19_persists_and_reloads(desk: Desk) -> None:
    added(desk, "The deployment needs a second signature")
    assert len(list_experiences(memory_of(desk.workspace()))["experiences"]) == 1
    assert len(queried(desk, "deployment")["results"]) == 1


def test_e16_other_scripts_are_kept_once_and_found(desk: Desk) -> None:
    texts = [
        "Пользователь предпочитает тёмную тему редактора",
        "利用者は毎回テストの前にコードを整形することを好みます",
    ]
    rows = (record(f"r{at}", texts[at % 2]) for at in range(10))
    desk.write(".cuedeck/MEMORY.md", "".join(rows))
    assert extracted(desk) == (10, 2, 8, 0)
    assert [queried(desk, query)["results"][0]["text"] for query in ("тёмная тема", "コードを整形")] == texts


def test_case_e7_a_secret_record_leaves_no_trace(desk: Desk) -> None:
    secret = "the master vault passphrase is SECRETPHRASE-77"
    desk.write(
        ".cuedeck/MEMORY.md", record("r1", secret, sensitivity="secret") + record("r2", f"The key is {TOKEN} now")
    )
    assert extracted(desk) == (2, 1, 0, 0)
    for path in (PATH, f".cuedeck/{LOOKED_AT}"):
        text = desk.place(path).read_text()
        assert "SECRETPHRASE" not in text and TOKEN not in text
    assert lines(desk)[0]["text"].startswith("The key is <secret:")
    assert queried(desk, "vault passphrase")["results"] == []


def test_e15_a_full_store_reloads_and_makes_room(desk: Desk) -> None:
    desk.write(".cuedeck/config.toml", "[experiences]\nmax_count = 300\n")
    rows = [record(f"r{at}", f"The answer to question number {at} of the survey") for at in range(400)]
    desk.write(".cuedeck/MEMORY.md", "".join(rows))
    assert extracted(desk) == (400, 400, 0, 100)
    assert len(lines(desk)) == 300
    made = added(desk, "One more that is added by hand")
    assert len(made["evicted"]) == 6
    assert len(list_experiences(memory_of(desk.workspace()))["experiences"]) == 295
    assert queried(desk, "added by hand")["results"][0]["id"] == made["id"]
    assert extracted(desk) == (0, 0, 0, 0)


def test_every_record_is_seen_wherever_it_went(desk: Desk) -> None:
    """What was trimmed between two runs stands in the log of its day; what was appended late stands first."""
    first = [record("r1", "The parser needs a second pass over imports")]
    desk.write(".cuedeck/MEMORY.md", "".join(first))
    assert extracted(desk)[1] == 1
    desk.write(".cuedeck/MEMORY.md", record("r0", "An older record that was written in by hand"))
    desk.write(
        ".cuedeck/memory/2026-01-01.md", "".join([*first, record("r2", "A record trimmed before anybody looked")])
    )
    desk.write(".cuedeck/memory/MEMORY-archive.md", record("r3", "A record that went straight to the archive"))
    assert extracted(desk) == (3, 3, 0, 0)
    assert [row["recordId"] for row in lines(desk)] == ["r1", "r0", "r2", "r3"]
    assert extracted(desk) == (0, 0, 0, 0)


def test_a_lost_cursor_brings_nothing_twice(desk: Desk) -> None:
    desk.write(".cuedeck/MEMORY.md", record("r1", "The parser needs a second pass over imports"))
    extracted(desk)
    before = desk.place(PATH).read_bytes()
    for text in ("", "broken", '{"seen":7}'):
        desk.write(f".cuedeck/{LOOKED_AT}", text)
        assert extracted(desk) == (1, 0, 0, 0)
        assert desk.place(PATH).read_bytes() == before


def test_extraction_is_the_same_every_time(desk: Desk) -> None:
    desk.write(".cuedeck/MEMORY.md", "".join(record(f"r{at}", f"This is the text of case {at}") for at in range(5)))
    extracted(desk)
    first = desk.place(PATH).read_bytes()
    for path in (PATH, f".cuedeck/{LOOKED_AT}"):
        desk.place(path).unlink()
    extracted(desk)
    assert desk.place(PATH).read_bytes() == first


def test_nothing_to_look_at_leaves_no_file(desk: Desk) -> None:
    before = desk.bytes()
    assert extracted(desk) == (0, 0, 0, 0)
    assert desk.bytes() == before


def test_what_the_original_kept_is_taken_over_once(desk: Desk) -> None:
    desk.write(".cuedeck/config.toml", '[[profile]]\nid = "old"\nroot = "old"\n')
    row = {
        "id": "exp_1795224699017_a2c6jasl",
        "text": "User prefers dark mode in src/ui.py",
        "category": "user-preference",
        "sessionId": "main",
        "recordId": "r1",
        "timestamp": "2026-11-21T01:31:39.017Z",
        "vector": [0.5] * 128,
    }
    desk.write(f"old/{FOREIGN_EXPERIENCES}", json.dumps({"version": 1, "experiences": [row]}, indent=2))
    assert extracted(desk, "old") == (1, 1, 0, 0)
    (made,) = lines(desk, "old/experiences.jsonl")
    assert (made["id"], made["recordId"], made["entities"]) == (row["id"], "r1", ["src/ui.py"])
    assert "vector" not in made
    workspace = desk.workspace()
    forget_experience(workspace, memory_of(workspace, "old"), "exp_")
    assert extracted(desk, "old") == (0, 0, 0, 0)
    assert lines(desk, "old/experiences.jsonl") == []
    assert not desk.place(PATH).exists()


def test_what_is_forgotten_is_gone_and_does_not_come_back(desk: Desk) -> None:
    desk.write(".cuedeck/MEMORY.md", record("r1", "Zoe keeps the keys of the cellar under the mat"))
    desk.card("aaaaaa", "title: The cellar keys")
    desk.activate("aaaaaa")
    extracted(desk)
    (row,) = lines(desk)
    workspace = desk.workspace()
    answer = forget_experience(workspace, memory_of(workspace), row["id"][:4])
    assert (answer["id"], answer["record"]) == (row["id"], "r1")
    assert desk.place(PATH).read_bytes() == b""
    assert extracted(desk) == (0, 0, 0, 0)
    assert queried(desk, "cellar keys")["results"] == []


def test_a_forgotten_record_takes_its_experience_with_it(desk: Desk) -> None:
    rows = [record("r1", "The cellar keys are under the mat"), record("r2", "The attic keys are on the hook")]
    desk.write(".cuedeck/MEMORY.md", "".join(rows))
    extracted(desk)
    torn = '{"id":"torn","recordId":"r1","text":"The cellar ke'
    desk.write(PATH, desk.place(PATH).read_text() + torn)
    memory = memory_of(desk.workspace())
    with writing(memory):
        assert purge(memory, ["r1"], True) == 1
        assert len(desk.place(PATH).read_text().splitlines()) == 3
        assert purge(memory, ["r1"], False) == 1
        assert purge(memory, ["r1"], False) == 0
    assert [row["recordId"] for row in lines(desk)] == ["r2"]
    assert "cellar" not in desk.place(PATH).read_text()


def test_broken_lines_stay_and_are_told(desk: Desk) -> None:
    desk.write(PATH, '{"id":"a","text":"One thing that is known","mine":1}\nnot json\n')
    added(desk, "Another thing that was learned")
    assert desk.place(PATH).read_text().startswith('{"id":"a","text":"One thing that is known","mine":1}\nnot json\n')
    answer = queried(desk, "known")
    assert [each["id"] for each in answer["results"]] == ["a"]
    assert [(each["path"], each["line"]) for each in answer["problems"]] == [(PATH, 2)]


def test_a_line_labelled_secret_is_never_shown(desk: Desk) -> None:
    desk.write(PATH, '{"id":"a","text":"The vault opens at nine","sensitivity":"secret"}\n')
    assert queried(desk, "vault opens")["results"] == []
    assert list_experiences(memory_of(desk.workspace()))["experiences"] == []
    assert added(desk, "The vault opens at nine")["added"]


def test_hash_vectors_compare_as_the_original_did(desk: Desk) -> None:
    desk.write(".cuedeck/config.toml", '[experiences]\nsimilarity = "hash128"\n')
    rows = [
        record("r1", "The user prefers to run tests first"),
        record("r2", "The user prefers NOT to run tests first"),
    ]
    desk.write(".cuedeck/MEMORY.md", "".join(rows))
    assert extracted(desk) == (2, 1, 1, 0)
    assert queried(desk, "run tests")["results"][0]["record"] == "r1"


@pytest.mark.parametrize("text", ["", " \n", "x" * 20_001])
def test_a_text_that_is_none_is_refused(desk: Desk, text: str) -> None:
    before = desk.bytes()
    with pytest.raises(Invalid):
        added(desk, text)
    assert desk.bytes() == before


def test_questions_and_ids_that_mean_nothing_are_refused(desk: Desk) -> None:
    desk.write(PATH, '{"id":"abc1","text":"One thing"}\n{"id":"abc2","text":"Another thing"}\n')
    workspace = desk.workspace()
    memory = memory_of(workspace)
    for query, said in ((" ", {}), ("x", {"top": 0}), ("x", {"top": 51}), ("x", {"by": "day"})):
        with pytest.raises(Invalid):
            query_experiences(workspace, memory, query, **said)  # type: ignore[arg-type]
    with pytest.raises(Ambiguous) as fault:
        forget_experience(workspace, memory, "abc")
    assert fault.value.candidates == ("abc1", "abc2")
    with pytest.raises(NotFound) as missing:
        forget_experience(workspace, memory, "abd1")
    assert missing.value.candidates[0] == "abc1"


def test_a_scene_tells_of_what_fits_its_card(desk: Desk) -> None:
    desk.write(".cuedeck/config.toml", "[experiences]\nenabled = true\n")
    for number in range(10):
        added(desk, f"The login failed for customer {number} with `code` {'and more ' * 60}")
    added(desk, "Pizza is the team lunch")
    workspace = desk.workspace()
    content = experiences_block(workspace, "Fix the login", "It fails for a customer.", workspace.mask())
    assert content is not None
    assert (content.name, content.head) == ("experiences", "## Relevant past experiences\n\n")
    assert len(content.rows) == MOST
    for row in content.rows:
        assert row.full.startswith("- “[note] The login failed for customer")
        assert row.full.endswith("`)\n") and "(`experience:" in row.full
        assert len(row.short) < len(row.full)
        assert row.full.count("`") == 2
    assert experiences_block(workspace, "Something else", "", workspace.mask()) is None


def test_a_scene_without_experiences_says_nothing_of_them(desk: Desk) -> None:
    workspace = desk.workspace()
    assert experiences_block(workspace, "Fix the login", "", workspace.mask()) is None
    added(desk, "The login is broken")
    for off in ("", "enabled = false", "enabled = true\nin_scene = false"):
        desk.write(".cuedeck/config.toml", f"[experiences]\n{off}\n")
        workspace = desk.workspace()
        assert experiences_block(workspace, "Fix the login", "", workspace.mask()) is None


def test_two_answers_in_one_process_see_what_changed_between(desk: Desk) -> None:
    workspace = desk.workspace()
    memory = memory_of(workspace)
    assert query_experiences(workspace, memory, "cellar")["results"] == []
    add_experience(workspace, memory, "The cellar is wet")
    assert len(query_experiences(workspace, memory, "cellar")["results"]) == 1
    place = Path(memory.place("experiences.jsonl"))
    place.write_text(place.read_text().replace("cellar", "attic"))
    assert query_experiences(workspace, memory, "cellar")["results"] == []


def test_what_was_superseded_is_no_experience_any_more(desk: Desk) -> None:
    workspace = desk.workspace()
    memory = memory_of(workspace)
    (old,) = add_records(workspace, memory, [NewRecord("Deploys go out on Tuesdays at noon", "learned")])
    extract(workspace, memory)
    supersede(workspace, memory, old, new_text="Deploys go out on Fridays at noon")
    extract(workspace, memory)
    assert [each.text for each in experiences_of(memory).read().experiences] == ["Deploys go out on Fridays at noon"]
