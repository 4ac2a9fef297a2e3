"""Transcripts of decision and attempt commands."""

from __future__ import annotations

import re
import shlex

import pytest
from sandbox import Sandbox, expect, fields

ROW = (
    "id timestamp decision subject rationale alternatives affects impact card session"
    " status supersedes superseded_by freshness mark line"
)


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.write("src/auth.py", "def hash_password(text):\n    return bcrypt(text)\n")
    sandbox.card("aaaaaa", "title: Passwords")
    sandbox.activate("aaaaaa")
    return sandbox


def decision_texts(sandbox: Sandbox, *arguments: str) -> str:
    return str(sandbox.answer("decide", *arguments)["id"])


def test_decision_is_made_and_superseded(shop: Sandbox) -> None:
    ran = shop.ok(
        "decide 'Use bcrypt for password hashing' --because "
"'Industry standard, proven secure' --alternative 'argon2 (slower)' "
"--alternative 'simple hash (insecure)' --file src/auth.py --impact "
"'user model' --impact 'password reset flow'",
    )  # fmt: skip
    assert re.fullmatch(r"[a-z0-9]{6}  Use bcrypt for password hashing\n", ran.out)
    assert ran.err == ""
    (row,) = shop.answer("decision", "list")["decisions"]
    fields(row, ROW)
    expect(row, status="accepted", card="aaaaaa", affects=["src/auth.py"])
    assert row["alternatives"] == ["argon2 (slower)", "simple hash (insecure)"]
    assert row["freshness"] == [{"address": "src/auth.py", "state": "fresh"}]
    assert row["line"] == (
        "Remember: We chose bcrypt for password hashing because industry standard, proven secure. "
        "This affects user model and password reset flow."
    )
    old = row["id"]
    made = shop.answer("decide", "Use", "argon2", "--supersedes", f"decision:{old[:4]}")
    expect(made, decision="Use argon2", supersedes=old, warnings=[])
    assert [each["id"] for each in shop.answer("decision", "list")["decisions"]] == [
        made["id"]
    ]
    both = shop.answer("decision", "list", "--all")["decisions"]
    assert [(each["id"], each["status"], each["superseded_by"]) for each in both] == [
        (old, "superseded", made["id"]),
        (made["id"], "accepted", None),
    ]
    error = shop.answer("decide", "Use scrypt", "--supersedes", old, code=1)["error"]
    assert (error["code"], error["candidates"]) == (1010, [made["id"]])
    shown = shop.answer("decision", "show", old)["decision"]
    assert (shown["replacement"], shown["history"][0]["change"]) == (
        made["id"],
        "decided",
    )


def test_small_scene_reports_its_decisions_as_omitted(shop: Sandbox) -> None:
    decision_texts(shop, "Use bcrypt for password hashing")
    (block,) = [
        each
        for each in shop.answer("scene", "--budget", "300")["blocks"]
        if each["name"] == "decisions"
    ]
    assert (block["tokens"], block["cap"]) == (0, 15)
    assert "\nno room for: decisions\n" in shop.ok("scene", "--budget", "300").out
    text = shop.scene.read_text()
    assert "> Cut to fit: no room for: decisions.\n" in text
    assert shop.ok("scene", "--budget", "300", "--verify")
    assert shop.ok("scene", "--budget", "300", "--print").out == text


def test_unknown_address_is_a_warning(shop: Sandbox) -> None:
    ran = shop.ok("decide 'Use x' --affects src/auht.py --affects src/auth.py")
    warning = "warning: not found: `src/auht.py`; it is kept as written"
    assert ran.err.startswith(warning)
    made = shop.answer("decide", "Use y", "--affects", "src/none.py")
    assert len(made["warnings"]) == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("decide", 2),
        ("decide 'Use x' --supersedes zzzzzz", 1),
        ("decide 'Use x' --card zzzzzz", 1),
        ("decide 'Use x' --status superseded", 2),
        ("decision confirm zzzzzz", 1),
        ("attempt add --on src/auth.py --tried x", 2),
        ("attempt add --on src/auth.py --tried x --failed x --error none.txt", 2),
    ],
)
def test_refused_input_leaves_no_trace(shop: Sandbox, line: str, code: int) -> None:
    before = shop.bytes()
    ran = shop.run(*shlex.split(line))
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: ")
    assert shop.bytes() == before


def test_decision_is_superseded_by_another_or_dropped(shop: Sandbox) -> None:
    a, b = decision_texts(shop, "Use a"), decision_texts(shop, "Use b")
    assert (
        shop.ok("decision", "supersede", a, "--by", b, "--because", "slow").out
        == f"{a}: superseded by {b}\n"
    )
    assert "superseded" in shop.run("decision", "supersede", a).err
    assert shop.answer("decision", "supersede", b, "--by", a, code=1)["error"][
        "candidates"
    ] == [b]
    assert shop.ok("decision", "supersede", b).out == f"{b}: superseded\n"
    assert shop.answer("decision", "list")["decisions"] == []


def test_decisions_are_exported_as_records(shop: Sandbox) -> None:
    decision_texts(shop, "Use bcrypt for password hashing")
    name = "0001-use-bcrypt-for-password-hashing.md"
    assert shop.ok("decision", "export").out == f"docs/adr/{name}\n"
    assert shop.ok("decision", "export").out == "docs/adr is up to date\n"
    answer = shop.answer("decision", "export", "records", cwd=shop.place("src"))
    assert answer["written"] == [f"src/records/{name}"]


def test_failed_attempts_are_shown_for_their_files(shop: Sandbox) -> None:
    ran = shop.run(
        "attempt add --on 'src/auth.py#hash_password' --tried 'a retry loop' "
"--failed 'a deadlock' --error -", text="Traceback\n  E\n",
    )  # fmt: skip
    assert (ran.code, ran.err) == (0, "")
    shop.write("error.txt", "from a file\n")
    shop.ok("attempt", "add", "--on", ".", "--tried", "b", "--failed", "c", "--error", "../error.txt",
            cwd=shop.place("src"))  # fmt: skip
    (row,) = shop.answer("attempt", "list", "--on", "src/auth.py")["attempts"]
    expect(row, tried="a retry loop", failed="a deadlock", error="Traceback\n  E\n")
    assert (row["card"], row["freshness"][0]["state"]) == ("aaaaaa", "fresh")
    assert (
        row["line"]
        == "Tried on `src/auth.py#hash_password`: a retry loop. It failed: a deadlock."
    )
    assert [each["error"] for each in shop.answer("attempt", "list")["attempts"]][
        1
    ] == "from a file\n"
    assert (
        shop.ok("attempt", "list", "--on", "src/other.py").out
        == "no failed attempts there\n"
    )
