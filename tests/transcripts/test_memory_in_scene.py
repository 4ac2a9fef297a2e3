"""Records of MEMORY.md in scenes, and the commands about them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from sandbox import Sandbox

MEMORY = ".cuedeck/MEMORY.md"
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


def line(
    identity: str,
    text: str,
    category: str = "note",
    label: str = "private-user",
    **more: Any,
) -> str:
    provenance = {
        "sourceChannel": "cli",
        "timestamp": "2026-05-03T12:00:00.000Z",
        "sensitivity": label,
    }
    value = {
        "id": identity,
        "sessionId": "main",
        "category": category,
        "text": text,
        "provenance": provenance,
    }
    return f"- {json.dumps({**value, **more}, separators=(',', ':'))}\n"


LINES = (
    line("0a1b2c3d-1111", "src/auth.py must stay free of I/O", "learned"),
    line("1a1b2c3d-1111", f"the key of Login.verify is {AWS}"),
    line("2a1b2c3d-1111", "hash_password() of src/auth.py is bcrypt", label="secret"),
    line("3a1b2c3d-1111", "the build is slow"),
)


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.write(
        "src/auth.py",
        "class Login:\n    def verify(self):\n        pass\n\n\ndef hash_password(text):\n    pass\n",
    )
    sandbox.card("aaaaaa", "title: Passwords", "refs: [src/auth.py]")
    sandbox.activate("aaaaaa")
    sandbox.write(MEMORY, "# MEMORY.md — Long-term memory\n\n---\n\n" + "".join(LINES))
    return sandbox


def memory_rows(sandbox: Sandbox) -> list[str]:
    """Return the memory rows of a printed scene."""
    text = sandbox.ok("scene", "--print").out
    found = re.search(r"^## Memory\n\n((?:- .*\n)+)", text, re.MULTILINE)
    return found[1].splitlines() if found else []


def test_scene_shows_records_about_visited_files(shop: Sandbox) -> None:
    assert memory_rows(shop) == [
        "- “[learned] src/auth.py must stay free of I/O” (`record:0a1b2c3d`)",
        "- “[note] the key of Login.verify is <secret:aws-key:1>” (`record:1a1b2c3d`)",
    ]
    (block,) = [
        each
        for each in shop.answer("scene", "--dry-run")["blocks"]
        if each["name"] == "memory"
    ]
    assert 0 < block["tokens"] <= block["cap"] == 400
    shop.ok("scene")
    shop.ok("scene", "--verify")


def test_scene_follows_the_memory_and_depends_only_on_its_text(shop: Sandbox) -> None:
    first = shop.ok("scene", "--print").out
    shop.write(
        MEMORY,
        (
            shop.place(MEMORY).read_bytes()
            + line("4a1b2c3d", "see src/auth.py").encode()
        ),
    )
    assert "- “[note] see src/auth.py” (`record:4a1b2c3d`)" in memory_rows(shop)
    shop.write(MEMORY, "# MEMORY.md — Long-term memory\n\n---\n\n" + "".join(LINES))
    assert shop.ok("scene", "--print").out == first
    shop.ok("clean")
    assert shop.ok("scene", "--print").out == first
    shop.place(MEMORY).unlink()
    assert memory_rows(shop) == []


def test_user_file_is_not_in_the_scene(shop: Sandbox) -> None:
    shop.write(
        ".cuedeck/USER.md", "# USER.md\n\nLikes src/auth.py and Login.verify best.\n"
    )
    assert "Likes" not in shop.ok("scene", "--print").out


def test_records_are_addressable(shop: Sandbox) -> None:
    read = shop.answer("read", "record:0a1b")
    assert (read["address"], read["kind"], read["path"], read["lines"]) == (
        "record:0a1b2c3d-1111",
        "record",
        MEMORY,
        [5, 5],
    )
    assert "text: src/auth.py must stay free of I/O\n" in read["text"]
    assert AWS not in shop.ok("read", "record:1a1b").out
    refused = shop.run("read", "record:2a1b")
    assert (refused.code, refused.out) == (1, "")
    assert "cuedeck memory show 2a1b2c3d-1111 --allow-secret" in refused.err
    assert shop.answer("why", "record:0a1b")["in_scene"]
    assert not shop.answer("why", "record:2a1b", code=1)["in_scene"]


def test_card_may_link_a_record(shop: Sandbox) -> None:
    shop.card("aaaaaa", "title: Passwords", "refs: ['record:3a1b', 'record:gone']")
    assert memory_rows(shop) == []  # it is a visit, which its block does not repeat
    answer = shop.answer("scene", "--dry-run")
    (dead,) = answer["unresolved"]
    assert dead["ref"] == "record:gone"
    assert [each["address"] for each in answer["visits"]][1] == "record:3a1b2c3d-1111"
    assert "text: the build is slow\n" in shop.ok("scene", "--print").out


def test_drawings_and_the_doctor_include_records(shop: Sandbox) -> None:
    edges = shop.answer("graph", "--format", "json", "--code", "none")["edges"]
    assert {
        "source": "record:0a1b2c3d-1111",
        "target": "src/auth.py",
        "edge": "mentions",
    } in edges
    assert "2a1b2c3d" not in json.dumps(edges)
    shop.write(MEMORY, "- {}\n" + line("a", f"{AWS}", label=f"{AWS}"))
    ran = shop.run("doctor")
    assert "not read as a record (no text): line 1" in ran.out
    assert AWS not in ran.out


def test_unknown_category_is_refused_but_read_from_other_programs(
    shop: Sandbox,
) -> None:
    with shop.place(MEMORY).open("a") as file:
        file.write(line("4a1b2c3d-1111", "kept by another program", "anecdote"))
    before = shop.bytes()
    for command in (
        ("memory", "add", "x", "--category", "foo"),
        ("memory", "edit", "3a1b2c3d", "--category", "foo"),
        ("experience", "add", "Deploys go out on Tuesdays", "--category", "foo"),
    ):
        error = shop.answer(*command, code=1)["error"]
        assert (error["code"], error["message"]) == (
            1010,
            "`foo` is not a record category",
        )
        assert {
            "note",
            "learned",
            "user-preference",
            "decision",
            "profile",
            "heartbeat",
        } < set(error["candidates"])
    assert shop.bytes() == before
    assert (
        "did you mean `learned`?"
        in shop.run("memory", "add", "x", "--category", "Learnt").err
    )
    rows = shop.answer("memory", "list", "--category", "anecdote")["records"]
    assert [row["text"] for row in rows] == ["kept by another program"]
    shop.ok("memory", "supersede", "4a1b2c3d", "told by another program")
    rows = shop.answer("memory", "list", "--category", "anecdote")["records"]
    assert "told by another program" in [row["text"] for row in rows]
