"""`cuedeck experience`: add, ask, list, forget, extract."""

from __future__ import annotations

import pytest
from desk import Desk, fields

ROW = ("id", "text", "score", "category", "session", "timestamp", "record", "entities", "sources")


def test_from_a_record_to_an_answer(desk: Desk) -> None:
    desk.ok("memory", "add", "--category", "user-preference", "The user prefers dark mode in src/ui.py")
    desk.ok("memory", "add", "The user prefers light mode in src/ui.py")
    desk.ok("memory", "add", "--sensitivity", "secret", "the vault passphrase is SECRETPHRASE-77")
    desk.ok("memory", "add", "the user prefers dark mode in src/ui.py!")
    before = desk.bytes()
    planned = desk.answer("experience", "extract", "--dry-run")
    assert desk.bytes() == before
    assert [each["result"] for each in planned["outcomes"]] == ["made", "made", "refused", "joined"]
    said = desk.ok("experience", "extract").out
    assert said.splitlines()[-1] == "2 made, 1 joined, 1 refused"
    assert "it is labelled secret" in said and "SECRETPHRASE" not in said
    again = desk.answer("experience", "extract")
    assert again == {
        "schema": 1, "looked_at": 0, "added": 0, "duplicates": 0, "evicted": 0, "outcomes": [], "dry_run": False,
    }  # fmt: skip
    nothing = "nothing was distilled: no record is new since the last extraction\n"
    assert desk.ok("experience", "extract").out == nothing
    first, second = desk.answer("experience", "query", "dark mode", "--top", "5")["results"]
    fields(first, ROW)
    assert (first["text"], first["entities"]) == ("The user prefers dark mode in src/ui.py", ["src/ui.py"])
    assert first["score"] > second["score"] > 0
    told = desk.ok("experience", "query", "user mode", "--by", "category").out
    assert "Experiences about preferences:\n" in told and "Experiences about notes:\n" in told
    grouped = desk.answer("experience", "query", "user mode", "--by", "session")["groups"]
    assert [each["title"] for each in grouped] == ["Experiences of session main"]
    assert desk.ok("experience", "query", "vault").out == "nothing like that\n"


def test_what_is_added_by_hand_is_listed_and_forgotten(desk: Desk) -> None:
    ran = desk.ok("experience", "add", "Ask Zoe", "--category", "learned", "--session", "s1")
    identity = ran.out.strip()
    again = desk.run("experience", "add", "ask zoe!")
    assert (again.code, again.out.strip(), again.err) == (0, identity, "a similar experience exists: Ask Zoe\n")
    desk.ok("experience", "add", "Ask Bob")
    (row,) = desk.answer("experience", "list", "--category", "learned")["experiences"]
    assert (row["id"], row["session"]) == (identity, "s1")
    assert desk.answer("experience", "list", "--session", "none")["experiences"] == []
    assert desk.ok("experience", "list").out.splitlines()[1].split()[-2:] == ["Ask", "Zoe"]
    assert desk.ok("experience", "forget", f"experience:{identity}").out == f"{identity}: forgotten\n"
    assert "Zoe" not in desk.place(".cuedeck/experiences.jsonl").read_text()
    error = desk.answer("experience", "forget", identity, code=1)["error"]
    assert error["code"] == 1001


def test_each_profile_has_its_own(desk: Desk) -> None:
    desk.write(".cuedeck/config.toml", '[[profile]]\nid = "bot"\nroot = "bots/one"\n')
    desk.ok("experience", "add", "--profile", "bot", "The bot likes tea")
    assert desk.place("bots/one/experiences.jsonl").exists()
    assert desk.ok("experience", "list").out == "no experiences\n"
    assert len(desk.answer("experience", "query", "tea", "--profile", "bot")["results"]) == 1
    assert desk.answer("experience", "list", "--profile", "bto", code=1)["error"]["candidates"] == ["bot"]


def test_what_several_do_at_once_is_all_there(desk: Desk) -> None:
    texts = [f"The answer to question {number} of the survey is known" for number in range(4)]
    for text in texts[:2]:
        desk.ok("memory", "add", text)
    running = [
        desk.start("experience", *each) for each in (["add", texts[2]], ["extract"], ["extract"], ["add", texts[3]])
    ]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    for process in running:
        process.communicate()
    assert sorted(each["text"] for each in desk.answer("experience", "list")["experiences"]) == texts


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["add", " "], 1),
        (["query", " "], 1),
        (["query", "x", "--top", "51"], 2),
        (["query", "x", "--by", "day"], 2),
        (["forget", "zzz"], 1),
        (["forget", ""], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_refused_leaves_no_trace(desk: Desk, arguments: list[str], code: int) -> None:
    before = desk.bytes()
    ran = desk.run("experience", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: ")
    assert desk.bytes() == before


def test_a_forgotten_source_leaves_no_trace(desk: Desk) -> None:
    kept = desk.answer("memory", "add", "Deploys of the shop go out on Tuesdays")["id"]
    gone = desk.answer("memory", "add", "deploys of the shop go out on Tuesdays!")["id"]
    desk.ok("experience", "extract")
    (row,) = desk.answer("experience", "list")["experiences"]
    assert {row["record"], *row["sources"]} == {kept, gone}
    (other,) = row["sources"]
    desk.ok("memory", "forget", other)
    (row,) = desk.answer("experience", "list")["experiences"]
    assert row["sources"] == []
    assert other not in desk.place(".cuedeck/experiences.jsonl").read_text()
