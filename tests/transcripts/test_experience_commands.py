"""Transcripts of experience commands."""

from __future__ import annotations

import pytest
from sandbox import Sandbox, fields

ROW = (
    "id",
    "text",
    "score",
    "category",
    "session",
    "timestamp",
    "record",
    "entities",
    "sources",
)


def test_record_becomes_an_experience_that_a_query_finds(sandbox: Sandbox) -> None:
    sandbox.ok(
        "memory",
        "add",
        "--category",
        "user-preference",
        "The user prefers dark mode in src/ui.py",
    )
    sandbox.ok("memory", "add", "The user prefers light mode in src/ui.py")
    sandbox.ok(
        "memory",
        "add",
        "--sensitivity",
        "secret",
        "the vault passphrase is SECRETPHRASE-77",
    )
    sandbox.ok("memory", "add", "The user prefers dark mode in src/ui.py now")
    before = sandbox.bytes()
    planned = sandbox.answer("experience", "extract", "--dry-run")
    assert sandbox.bytes() == before
    assert [each["result"] for each in planned["outcomes"]] == [
        "made",
        "made",
        "refused",
        "joined",
    ]
    message = sandbox.ok("experience", "extract").out
    assert message.splitlines()[-1] == "2 made, 1 joined, 1 refused"
    assert "it is labelled secret" in message and "SECRETPHRASE" not in message
    again = sandbox.answer("experience", "extract")
    assert again == {
        "schema": 1, "looked_at": 0, "added": 0, "duplicates": 0, "evicted": 0, "outcomes": [], "dry_run": False,
    }  # fmt: skip
    nothing = "no experience was extracted: there are no new records since the last extraction\n"
    assert sandbox.ok("experience", "extract").out == nothing
    first, second = sandbox.answer("experience", "query", "dark mode", "--top", "5")[
        "results"
    ]
    fields(first, ROW)
    assert (first["text"], first["entities"]) == (
        "The user prefers dark mode in src/ui.py",
        ["src/ui.py"],
    )
    assert first["score"] > second["score"] > 0
    answer = sandbox.ok("experience", "query", "user mode", "--by", "category").out
    assert (
        "Experiences about preferences:\n" in answer
        and "Experiences about notes:\n" in answer
    )
    grouped = sandbox.answer("experience", "query", "user mode", "--by", "session")[
        "groups"
    ]
    assert [each["title"] for each in grouped] == ["Experiences of session main"]
    assert sandbox.ok("experience", "query", "vault").out == "no matching experiences\n"


def test_added_experience_is_listed_and_forgotten(sandbox: Sandbox) -> None:
    ran = sandbox.ok(
        "experience", "add", "Ask Zoe", "--category", "learned", "--session", "s1"
    )
    identity = ran.out.strip()
    again = sandbox.run("experience", "add", "ask zoe!")
    assert (again.code, again.out.strip(), again.err) == (
        0,
        identity,
        "a similar experience exists: Ask Zoe\n",
    )
    sandbox.ok("experience", "add", "Ask Bob")
    (row,) = sandbox.answer("experience", "list", "--category", "learned")[
        "experiences"
    ]
    assert (row["id"], row["session"]) == (identity, "s1")
    assert (
        sandbox.answer("experience", "list", "--session", "none")["experiences"] == []
    )
    assert sandbox.ok("experience", "list").out.splitlines()[1].split()[-2:] == [
        "Ask",
        "Zoe",
    ]
    assert (
        sandbox.ok("experience", "forget", f"experience:{identity}").out
        == f"{identity}: forgotten\n"
    )
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


def test_concurrent_additions_are_all_kept(sandbox: Sandbox) -> None:
    texts = [
        f"The answer to question {number} of the survey is known" for number in range(4)
    ]
    for text in texts[:2]:
        sandbox.ok("memory", "add", text)
    running = [
        sandbox.start("experience", *each)
        for each in (["add", texts[2]], ["extract"], ["extract"], ["add", texts[3]])
    ]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    for process in running:
        process.communicate()
    assert (
        sorted(
            each["text"] for each in sandbox.answer("experience", "list")["experiences"]
        )
        == texts
    )


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
def test_refused_input_leaves_no_trace(
    sandbox: Sandbox, arguments: list[str], code: int
) -> None:
    before = sandbox.bytes()
    ran = sandbox.run("experience", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: ")
    assert sandbox.bytes() == before
