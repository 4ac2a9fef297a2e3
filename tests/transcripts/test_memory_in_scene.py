"""Records of MEMORY.md in scenes, and the commands about them."""

from __future__ import annotations

import json
import re

import pytest
from sandbox import Sandbox, expect

MEMORY = ".cuedeck/MEMORY.md"
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


def line(
    identity: str, text: str, category: str = "note", label: str = "private-user"
) -> str:
    value = {"id": identity, "sessionId": "main", "category": category, "text": text}
    provenance = {"sourceChannel": "cli", "sensitivity": label}
    provenance["timestamp"] = "2026-05-03T12:00:00.000Z"
    return f"- {json.dumps({**value, 'provenance': provenance})}\n"


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
    blocks = shop.answer("scene", "--dry-run")["blocks"]
    (block,) = [each for each in blocks if each["name"] == "memory"]
    assert 0 < block["tokens"] <= block["cap"] == 400
    shop.write(".cuedeck/USER.md", "# USER.md\n\nLikes src/auth.py best.\n")
    shop.ok("scene")
    assert "Likes" not in shop.scene.read_text()
    shop.ok("scene", "--verify")


def test_records_are_addressable(shop: Sandbox) -> None:
    read = shop.answer("read", "record:0a1b")
    expect(read, address="record:0a1b2c3d-1111", kind="record", path=MEMORY)
    assert read["lines"] == [5, 5]
    assert "text: src/auth.py must stay free of I/O\n" in read["text"]
    assert AWS not in shop.ok("read", "record:1a1b").out
    refused = shop.run("read", "record:2a1b")
    assert (refused.code, refused.out) == (1, "")
    assert "cuedeck memory show 2a1b2c3d-1111 --allow-secret" in refused.err
    assert shop.answer("why", "record:0a1b")["in_scene"]
    assert not shop.answer("why", "record:2a1b", code=1)["in_scene"]


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
        expect(error, code=1010, message="`foo` is not a record category")
        assert {"note", "learned", "profile"} < set(error["candidates"])
    assert shop.bytes() == before
    ran = shop.run("memory", "add", "x", "--category", "Learnt")
    assert "did you mean `learned`?" in ran.err
    shop.ok("memory", "supersede", "4a1b2c3d", "told by another program")
    rows = shop.answer("memory", "list", "--category", "anecdote")["records"]
    assert "told by another program" in [row["text"] for row in rows]
