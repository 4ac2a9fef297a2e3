"""Scenes of a task text without a card, inside and outside a workspace."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox, expect

TEXT = "Fix login for expired tokens"


def write_login_files(sandbox: Sandbox) -> None:
    """Write code and docs about logins."""
    verify = "    def verify(self, token):\n        return token.expired\n"
    sandbox.write("src/auth.py", f"class Login:\n{verify}")
    sandbox.write("src/mail.py", "def send_mail(message):\n    return message\n")
    text = "# Auth\n\n## Login\n\nA token is expired after an hour.\n"
    sandbox.write("docs/auth.md", text)


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A workspace with an active card about something else."""
    write_login_files(sandbox)
    sandbox.card(
        "aaaaaa", "status: active", "refs: [src/mail.py]", body="Send mail twice"
    )
    return sandbox


@pytest.fixture
def plain(sandbox: Sandbox, tmp_path: Path) -> Sandbox:
    """A git repository without a workspace."""
    made = Sandbox(
        Path(os.path.realpath(tmp_path)) / "plain",
        {**sandbox.environ, "XDG_CACHE_HOME": str(tmp_path / "c")},
    )
    write_login_files(made)
    made.git("init", "-q")
    made.git("add", ".")
    made.git("commit", "-qm", "Add login with tokens")
    return made


def linked_addresses(answer: Any) -> list[str]:
    return [
        visit["address"] for visit in answer["visits"] if visit["tier"] == "explicit"
    ]


def test_scene_of_a_text_is_printed_and_nothing_is_written(shop: Sandbox) -> None:
    shop.ok("scene")
    shop.ok("session", "start")
    before = shop.bytes()
    ran = shop.ok("scene", TEXT)
    assert (
        ran.out.startswith(f"# Scene: “{TEXT}”\n") and "return token.expired" in ran.out
    )
    assert "Send mail twice" not in ran.out
    assert shop.ok("scene", "--print", TEXT).out == ran.out
    assert shop.bytes() == before


def test_folder_without_a_workspace_is_unchanged(plain: Sandbox) -> None:
    before = plain.bytes()
    ran = plain.ok("scene", TEXT, cwd=plain.place("src"))
    assert (
        ran.out.startswith(f"# Scene: “{TEXT}”\n") and "return token.expired" in ran.out
    )
    assert plain.bytes() == before
    assert plain.git("status", "--short") == ""
    assert plain.ok("scene", TEXT).out == ran.out
    assert plain.ok("scene", TEXT, "--verify").err == "the scene matches the files\n"
    assert plain.ok("scene", "--print", "--", TEXT).out == ran.out


def test_workspace_and_plain_folder_give_equal_bytes(plain: Sandbox) -> None:
    cold = plain.ok("scene", TEXT).out
    plain.write(
        "src/auth.py",
        plain.place("src/auth.py").read_text() + "\n\ndef other():\n    pass\n",
    )
    assert plain.ok("scene", TEXT).out != cold
    plain.git("checkout", "-q", "src/auth.py")
    assert plain.ok("scene", TEXT).out == cold
    plain.ok("clean")
    assert plain.ok("scene", TEXT).out == cold


def test_json_has_the_text_and_no_card(shop: Sandbox) -> None:
    answer = shop.answer("scene", TEXT, "--budget", "3000")
    expect(answer, path=None, card=None, title=TEXT, written=False)
    root = answer["visits"][0]
    expect(root, address="task:", path=None, kind="task", via=None)
    assert answer["text"] == shop.ok("scene", TEXT, "--budget", "3000").out
    assert answer["budget"] == 3000 >= answer["tokens"]
    assert "text" not in shop.answer("scene", TEXT, "--dry-run")


def test_files_and_definitions_named_in_the_text_are_linked(shop: Sandbox) -> None:
    shop.write("lib/util.py", "x = 1\n")
    shop.write("lib/deep/util.py", "x = 2\n")
    text = "Let send_mail() and Login.verify() use [[auth]], src/nothing.py, util.py, lib/util.py:3, docs/auth.md#Login"
    answer = shop.answer("scene", text, "--no-related")
    assert linked_addresses(answer) == [
        "task:", "docs/auth.md", "src/mail.py#send_mail", "src/auth.py#Login.verify", "lib/util.py",
    ]  # fmt: skip
    assert answer["unresolved"] == []
    assert answer["visits"][2]["via"] == "task:"
    assert answer["visits"][2]["why"] == "named on line 1 of the task"


def test_missing_anchor_of_a_named_file_is_reported(shop: Sandbox) -> None:
    (ref,) = shop.answer("scene", "Fix src/auth.py#Login.verfy")["unresolved"]
    assert (ref["ref"], ref["from"], ref["suggestion"]) == (
        "src/auth.py#Login.verfy", "task:", "src/auth.py#Login.verify",
    )  # fmt: skip


def test_pinned_refs_and_decisions_are_included(shop: Sandbox) -> None:
    shop.write(".cuedeck/config.toml", '[scene]\npinned = ["docs/auth.md"]\n')
    shop.ok(
        "decide 'Verify tokens twice' --because 'clocks differ' --affects src/auth.py"
    )
    out = shop.ok("scene", "Fix src/auth.py", "--no-related").out
    assert "A token is expired after an hour." in out and "Verify tokens twice" in out


def test_options_may_precede_and_follow_the_text(shop: Sandbox) -> None:
    place = shop.place("out.md")
    limit = ("--budget", "900")
    assert shop.ok("scene", TEXT, *limit).out == shop.ok("scene", *limit, TEXT).out
    ran = shop.ok("scene", TEXT, "--out", str(place))
    assert "out.md" in ran.out and place.read_text().startswith(f"# Scene: “{TEXT}”")
    assert "would be" in shop.ok("scene", TEXT, "--dry-run").out
    assert shop.ok("scene", TEXT, "--copy").out == shop.ok("scene", TEXT).out
    shop.ok("scene", TEXT, "--strict")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scene", ""], "TEXT is empty"),
        (["scene", " \n "], "TEXT is empty"),
        (["scene", "…!"], "contains no word"),
        (["scene", "Fix", "login"], "cuedeck scene 'Fix login'"),
        (["scene", TEXT, "--card", "aaaaaa"], "--card"),
        (["scene", "aaaaaa"], "cuedeck scene --card aaaaaa"),
        (["scene", "-x"], "No such option"),
        (["scene", "a" * 110_000, "--budget", "10"], "--budget"),
    ],
)
def test_invalid_call_names_the_correct_form(
    shop: Sandbox, arguments: list[str], message: str
) -> None:
    ran = shop.run(*arguments)
    assert ran.code in (1, 2) and message in ran.err and not ran.out, ran


def test_text_on_stdin_may_be_long(shop: Sandbox) -> None:
    text = "# Fix login\n\n" + "It fails in src/auth.py for Login.verify. \n" * 4_000
    out = shop.ok("scene", "-", text=text).out
    assert out.startswith("# Scene: “Fix login”\n") and "src/auth.py" in out
    assert "characters" in shop.run("scene", "-", text="a" * 200_001).err
    assert "NUL" in shop.run("scene", "-", text="Fix\0login").err


def test_later_workspace_has_its_own_index_and_the_first_can_be_deleted(
    plain: Sandbox,
) -> None:
    plain.ok("scene", TEXT)
    caches = Path(plain.environ["XDG_CACHE_HOME"], "cuedeck").iterdir()
    (place,) = (each for each in caches if each.is_dir())
    index = (place / "index.sqlite").read_bytes()
    assert plain.answer("clean", "--dry-run")["removed"] == [str(place)]
    plain.ok("init")
    plain.ok("scene", TEXT)
    assert (place / "index.sqlite").read_bytes() == index
    findings = plain.run("doctor", "--json").json["findings"]
    (unused,) = (each for each in findings if each["code"] == "unused-index")
    expect(unused, path=str(place), level="info")
    assert str(place) in plain.answer("clean")["removed"]
    assert not place.exists()


def test_command_that_needs_a_workspace_explains_how_to_create_one(
    plain: Sandbox,
) -> None:
    for arguments in (["scene"], ["doctor"], ["card", "list"], ["scene", "diff"]):
        ran = plain.run(*arguments)
        assert (ran.code, "cuedeck init" in ran.err) == (3, True), arguments
    assert "cuedeck scene" in plain.run("scene").err


def test_address_is_read_without_a_workspace(plain: Sandbox) -> None:
    source = "return token.expired"
    assert source in plain.ok("read", "src/auth.py#Login.verify").out
    assert source in plain.ok("read", "./auth.py", cwd=plain.place("src")).out
    assert "src/auth.py" in plain.run("read", "src/auht.py").err
    assert "docs/auth.md" in plain.ok("find", "token").out
    assert not plain.place(".cuedeck").exists()


@pytest.mark.parametrize("text", ["asdf qwer", "zzyzx"])
def test_task_without_a_match_says_so(shop: Sandbox, text: str) -> None:
    """The answer was an empty scene with the progress of another card, and exit code
    0.
    """
    shop.ok("session", "start")
    shop.ok("progress", "doing", "Send the mail once")
    error = shop.answer("scene", text, code=1)["error"]
    assert error["message"] == "no file of the workspace matches the task"
    assert "cuedeck find TEXT" in error["hint"]
    found = shop.ok("scene", TEXT).out
    assert "src/auth.py" in found and "Send the mail once" not in found
    assert "Send the mail once" in shop.ok("scene", "--print").out
