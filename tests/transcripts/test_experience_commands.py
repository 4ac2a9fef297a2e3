"""Transcripts of experience commands."""

from __future__ import annotations

from sandbox import Sandbox, expect, fields

ROW = "id text score category session timestamp record entities sources"


def test_record_becomes_an_experience_that_a_query_finds(sandbox: Sandbox) -> None:
    dark = "The user prefers dark mode in src/ui.py"
    sandbox.ok("memory", "add", "--category", "user-preference", dark)
    sandbox.ok("memory", "add", "The user prefers light mode in src/ui.py")
    secret = "the vault passphrase is SECRETPHRASE-77"
    sandbox.ok("memory", "add", "--sensitivity", "secret", secret)
    sandbox.ok("memory", "add", f"{dark} now")
    before = sandbox.bytes()
    planned = sandbox.answer("experience", "extract", "--dry-run")
    assert sandbox.bytes() == before
    results = [each["result"] for each in planned["outcomes"]]
    assert results == ["made", "made", "refused", "joined"]
    message = sandbox.ok("experience", "extract").out
    assert message.splitlines()[-1] == "2 made, 1 joined, 1 refused"
    assert "it is labelled secret" in message and "SECRETPHRASE" not in message
    again = sandbox.answer("experience", "extract")
    expect(again, looked_at=0, added=0, duplicates=0, evicted=0, outcomes=[])
    nothing = "there are no new records since the last extraction\n"
    assert sandbox.ok("experience", "extract").out.endswith(nothing)
    query = ("experience", "query", "dark mode", "--top", "5")
    first, second = sandbox.answer(*query)["results"]
    fields(first, ROW)
    expect(first, text=dark, entities=["src/ui.py"])
    assert first["score"] > second["score"] > 0
    answer = sandbox.ok("experience", "query", "user mode", "--by", "category").out
    for category in ("preferences", "notes"):
        assert f"Experiences about {category}:\n" in answer
    assert sandbox.ok("experience", "query", "vault").out == "no matching experiences\n"


def test_added_experience_is_listed_and_forgotten(sandbox: Sandbox) -> None:
    ran = sandbox.ok("experience add 'Ask Zoe' --category learned --session s1")
    identity = ran.out.strip()
    again = sandbox.run("experience", "add", "ask zoe!")
    assert (again.code, again.out.strip()) == (0, identity)
    assert again.err == "a similar experience exists: Ask Zoe\n"
    sandbox.ok("experience", "add", "Ask Bob")
    listed = sandbox.answer("experience", "list", "--category", "learned")
    (row,) = listed["experiences"]
    expect(row, id=identity, session="s1")
    assert sandbox.answer("experience list --session none")["experiences"] == []
    assert "Ask Zoe" in sandbox.ok("experience", "list").out.splitlines()[1]
    forgotten = sandbox.ok("experience", "forget", f"experience:{identity}").out
    assert forgotten == f"{identity}: forgotten\n"
    assert "Zoe" not in sandbox.place(".cuedeck/experiences.jsonl").read_text()
    error = sandbox.answer("experience", "forget", identity, code=1)["error"]
    assert error["code"] == 1001


def test_each_profile_has_its_own_experiences(sandbox: Sandbox) -> None:
    sandbox.write(
        ".cuedeck/config.toml", '[[profile]]\nid = "bot"\nroot = "bots/one"\n'
    )
    sandbox.ok("experience", "add", "--profile", "bot", "The bot likes tea")
    assert sandbox.place("bots/one/experiences.jsonl").exists()
    assert sandbox.ok("experience", "list").out == "no experiences\n"
    assert (
        len(sandbox.answer("experience", "query", "tea", "--profile", "bot")["results"])
        == 1
    )
    assert sandbox.answer("experience", "list", "--profile", "bto", code=1)["error"][
        "candidates"
    ] == ["bot"]
