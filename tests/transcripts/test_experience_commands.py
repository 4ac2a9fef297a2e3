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
