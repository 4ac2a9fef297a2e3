"""Transcripts of scene commands."""

from __future__ import annotations

import os
import re
import stat
from typing import Any

import pytest
from sandbox import CommandOutcome, Sandbox, expect, fields

SCENE = (
    "schema path card budget tokens encoding receipt visits blocks left_out unresolved"
)
VISIT = "address path kind tier depth via edge why view tokens lines passages"


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    """A card with files at depth 1 and 2."""
    sandbox.card(
        "aaaaaa",
        "status: todo",
        "refs:",
        "  - docs/auth.md#Login",
        "  - src/auth.py",
        body="# Fix it",
    )
    sandbox.activate("aaaaaa")
    sandbox.write(
        "docs/auth.md",
        "# Auth\n\n## Login\n\nSee [[security]] and [gone](gone.md).\n\n## Logout\n\nEnd.\n",
    )
    sandbox.write(
        "docs/security.md", "# Security\n\n" + "Be careful with tokens. " * 40 + "\n"
    )
    sandbox.write("src/auth.py", 'def login():\n    """Log in."""\n    return 1\n')
    return sandbox


def linked_visits(answer: Any) -> list[Any]:
    """Return the visits of the explicit tier."""
    return [visit for visit in answer["visits"] if visit["tier"] == "explicit"]


def test_json_has_the_documented_shape(shop: Sandbox) -> None:
    answer = shop.answer("scene")
    assert answer.pop("written")
    fields(answer, f"{SCENE} title")
    expect(answer, path=".cuedeck/SCENE.md", card=".cuedeck/cards/aaaaaa.md")
    expect(answer, budget=8_000, encoding="o200k_base", left_out=[])
    (no_history,) = answer["blocks"]
    expect(no_history, name="precedents", entries=[])
    assert re.fullmatch(r"[0-9a-f]{64}", answer["receipt"])
    for visit in answer["visits"]:
        ranks = " ranks" if visit["tier"] == "related" else ""
        fields(visit, f"{VISIT}{ranks} title")
        assert (visit["title"] is None) == (visit["kind"] != "card")
    root, *others = linked_visits(answer)
    expect(root, via=None, edge=None, depth=0, tier="explicit")
    addresses = ["docs/auth.md#Login", "src/auth.py", "docs/security.md"]
    assert [each["address"] for each in others] == addresses
    expect(others[0], via=root["address"], edge="refs", view="full", lines=[3, 6])
    (missed,) = answer["unresolved"]
    expect(missed, ref="gone.md", line=5)
    assert {"suggestion", "candidates", "from"} <= missed.keys()


def test_omitted_files_are_listed_with_the_command_that_shows_them(
    shop: Sandbox,
) -> None:
    answer = shop.answer("scene", "--budget", "210")
    assert answer["tokens"] <= 210
    assert answer["left_out"]
    for each in answer["left_out"]:
        fields(each, ["address", "tier", "depth", "tokens", "reason", "show"])
        assert shop.ok(*each["show"].split()[1:]).out
    assert "[!WARNING] Truncated" in shop.scene.read_text()
    for block in answer["blocks"]:
        fields(block, ["name", "tokens", "cap", "entries"])


def test_print_gives_exactly_the_bytes_of_the_file(shop: Sandbox) -> None:
    """The original wrote no file at all, and its text contained the time."""
    shop.ok("scene")
    ran = shop.ok("scene", "--print")
    assert ran.out.encode() == shop.scene.read_bytes()
    assert ran.err == ""
    shop.scene.unlink()
    assert shop.ok("scene", "--print").out == ran.out
    assert not shop.scene.exists()


def test_second_run_writes_nothing(shop: Sandbox) -> None:
    assert shop.answer("scene")["written"]
    before = shop.scene.stat()
    assert not shop.answer("scene")["written"]
    after = shop.scene.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
    assert "(unchanged)" in shop.ok("scene").out


def test_out_and_dry_run_leave_scene_md_alone(shop: Sandbox) -> None:
    shop.ok("scene", "--dry-run")
    shop.ok("scene", "--dry-run", "--out", "never.md")
    assert not shop.scene.exists()
    assert not shop.place("never.md").exists()
    answer = shop.answer("scene", "--out", "made.md")
    assert (answer["path"], answer["written"]) == ("made.md", True)
    assert not shop.scene.exists()
    assert shop.ok("scene", "--print").out == shop.place("made.md").read_text()
    assert shop.run("scene", "--out", "docs").code == 1
    os.mkfifo(shop.place("pipe"))
    reader = os.open(shop.place("pipe"), os.O_RDONLY | os.O_NONBLOCK)
    shop.ok("scene", "--out", "pipe")
    assert os.read(reader, 100_000) == shop.place("made.md").read_bytes()
    os.close(reader)
    assert stat.S_ISFIFO(shop.place("pipe").stat().st_mode)


def test_missing_clipboard_is_one_warning(shop: Sandbox) -> None:
    """In the original it was fatal, on every server and in every container."""
    ran = shop.ok("scene", "--copy")
    assert ran.err == "warning: no clipboard was found; use --print or --out\n"
    assert shop.scene.exists()


def test_verify_reports_a_scene_that_differs_from_the_files(shop: Sandbox) -> None:
    assert "does not exist" in shop.run("scene", "--verify").err
    shop.ok("scene")
    verified = shop.answer("scene", "--verify")
    fields(verified, "schema path verified difference code")
    expect(verified, path=".cuedeck/SCENE.md", verified=True, difference="", code=None)
    text = shop.scene.read_text()
    shop.scene.write_text(text.replace("Log in", "Log out"))
    ran = shop.run("scene", "--verify")
    line = text[: text.index("Log in")].count("\n") + 1
    assert (ran.code, f"first on line {line};" in ran.err) == (1, True)
    expect(shop.answer("scene", "--verify", code=1), verified=False, code=1006)
    shop.card("bbbbbb", "refs: [src/auth.py]")
    options = ("scene", "--card", "bbbbbb", "--budget", "700")
    shop.ok(*options)
    shop.ok(*options, "--verify")
    other = shop.run("scene", "--verify")
    assert (other.code, "same options" in other.err) == (1, True)


def test_settings_and_options_apply(shop: Sandbox) -> None:
    """The original ignored its settings and its token limit."""
    shop.write(".cuedeck/config.toml", "[scene]\nbudget = 5000\ndepth = 1\n")

    def dry(*options: str, **environ: str) -> Any:
        return shop.answer("scene", "--dry-run", *options, environ=environ)

    assert (dry()["budget"], len(linked_visits(dry()))) == (5_000, 3)
    assert dry(CUEDECK_SCENE__BUDGET="700")["budget"] == 700
    assert dry("--budget", "900")["budget"] == 900
    shop.ok("card", "edit", "aaaaaa", "--budget", "800")
    assert dry()["budget"] == 800
    ignored = dry(CUEDECK_FILES__IGNORE="src/")
    assert "src/auth.py" not in {visit["path"] for visit in ignored["visits"]}
    assert "src/auth.py" in {visit["path"] for visit in linked_visits(dry())}


# --- which card


def test_card_option_selects_the_card(shop: Sandbox) -> None:
    path = ".cuedeck/cards/bbbbbb.md"
    shop.card("bbbbbb", "title: The other one")
    for name in ("bbb", "The other one", path):
        assert shop.answer("scene", "--dry-run", "--card", name)["card"] == path
    error = shop.answer("scene", "--card", "zzz", code=1)["error"]
    assert error["code"] == 1001
    assert not shop.scene.exists()


def test_only_card_with_status_active_needs_no_pointer(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "status: todo")
    sandbox.card("bbbbbb", "status: active")
    assert sandbox.answer("scene")["card"] == ".cuedeck/cards/bbbbbb.md"
    sandbox.activate("aaaaaa")
    assert sandbox.answer("scene")["card"] == ".cuedeck/cards/aaaaaa.md"
    assert [
        card["id"] for card in sandbox.answer("list")["cards"] if card["active"]
    ] == ["aaaaaa"]


@pytest.mark.parametrize(
    ("statuses", "pointer", "message"),
    [
        ("todo blocked done", "", "no card is active"),
        ("active active done", "", "2 cards have the status active"),
        ("todo todo done", "gone", "names the card `gone`"),
        ("", "", "no card is active"),
    ],
)
def test_missing_or_ambiguous_active_card_is_reported(
    sandbox: Sandbox, statuses: str, pointer: str, message: str
) -> None:
    named = ["aaaaaa", "bbbbbb"] if statuses else []
    for identity, status in zip((*named, "cccccc"), statuses.split(), strict=False):
        sandbox.card(identity, f"status: {status}")
    if pointer:
        sandbox.activate(pointer)
    ran = sandbox.run("scene")
    assert (ran.code, ran.out) == (1, "")
    assert message in ran.err
    assert "cuedeck card activate ID" in ran.err or "cuedeck card new" in ran.err
    error = sandbox.answer("scene", code=1)["error"]
    assert error["code"] == 1013
    assert [each.split()[0] for each in error["candidates"]] == named
    text = sandbox.scene.read_text()
    assert "no active card" in text
    assert all(f".cuedeck/cards/{identity}.md" in text for identity in named)
    assert ".cuedeck/cards/cccccc.md" not in text
    before = sandbox.bytes()
    for option in ("--print", "--dry-run", "--verify"):
        assert sandbox.run("scene", option).code == 1
    assert sandbox.bytes() == before


# --- the same bytes


def test_cleaning_changes_no_byte_of_the_scene(shop: Sandbox) -> None:
    """The original cleaned an unused folder and kept its real cache."""
    shop.ok("scene")
    before = shop.bytes()
    planned = shop.answer("clean", "--dry-run")
    assert (
        str(shop.private("index.sqlite").relative_to(shop.root)) in planned["removed"]
    )
    assert shop.private("index.sqlite").exists()
    cleaned = shop.answer("clean")
    fields(cleaned, ["schema", "removed", "bytes", "dry_run"])
    assert cleaned["removed"] == planned["removed"]
    left = [each.name for each in shop.place(".cuedeck/cache").rglob("index*")]
    # A process that has the lock open must keep the same file.
    assert left == ["index.sqlite.lock"]
    assert not shop.answer("scene")["written"]
    assert shop.bytes() == before
    assert shop.answer("clean")["removed"]
    assert shop.answer("clean")["removed"] == []
    assert shop.ok("clean").out == "nothing to delete\n"


def test_clean_keeps_backups_and_files_outside_its_folder(shop: Sandbox) -> None:
    shop.write(".cuedeck/cache/backup/a.md", "kept")
    shop.write(".cuedeck/cache/other/deep/x", "gone")
    shop.write("precious/x", "kept")
    shop.place(".cuedeck/cache/link").symlink_to("../../precious")
    shop.ok("clean")
    assert shop.place(".cuedeck/cache/backup/a.md").exists()
    assert shop.place("precious/x").exists()
    assert sorted(path.name for path in shop.place(".cuedeck/cache").iterdir()) == [
        "backup"
    ]
    shop.place(".cuedeck/cache").rename(shop.place("moved"))
    shop.place(".cuedeck/cache").symlink_to("../moved")
    assert shop.run("clean").code == 1
    assert shop.place("moved/backup/a.md").exists()


def test_unreadable_file_stops_no_scene(sandbox: Sandbox) -> None:
    """A linked one used to stop `scene`, `scene diff` and `why`; `read` treated it as a
    binary file.
    """
    sandbox.write("src/auth.py", "class Login:\n    pass\n").chmod(0)
    sandbox.card("aaaaaa", "refs: [src/auth.py#Login]")
    sandbox.activate("aaaaaa")

    def run(*command: str) -> CommandOutcome:
        return sandbox.run(*command, unprivileged=True)

    (missed,) = run("scene", "--json").json["unresolved"]
    expect(missed, ref="src/auth.py#Login", reason="unreadable", suggestion=None)
    shut = sandbox.scene.read_bytes()
    assert b"`src/auth.py#Login` (unreadable) on line" in shut
    assert run("scene", "--verify").code == 0
    why = "cannot be read: Permission denied"
    for command in ("read", "why"):
        ran = run(command, "src/auth.py")
        assert (ran.code, ran.err.splitlines()[0]) == (1, f"error: src/auth.py {why}")
    found = run("doctor", "--json").json["findings"][0]
    expect(found, code="unread-ref", message=f"`src/auth.py#Login` {why}")
    assert run("card", "ref", "add", "aaaaaa", "src/auth.py").code == 1
    sandbox.place("src/auth.py").chmod(0o644)
    assert run("scene", "--json").json["unresolved"] == []
    sandbox.place("src/auth.py").chmod(0)
    assert run("scene").code == 0
    assert sandbox.scene.read_bytes() == shut
    # To root nothing is unreadable.
    assert (sandbox.answer("scene")["unresolved"] == []) == (os.geteuid() == 0)


def test_pinned_ref_without_a_target_names_the_setting(sandbox: Sandbox) -> None:
    """A pinned ref of an environment variable used to be reported at line 0 of
    config.toml.
    """
    sandbox.card("aaaaaa", "status: active")
    sandbox.write(".cuedeck/config.toml", '[scene]\npinned = ["gone.md"]\n')
    assert "unresolved: gone.md in .cuedeck/config.toml" in sandbox.ok("scene").out
    variable = "CUEDECK_SCENE__PINNED"
    run = {"environ": {variable: "lost.md"}}
    assert f"unresolved: lost.md in {variable}" in sandbox.ok("scene", **run).out
    assert f"`lost.md` (missing) in {variable}" in sandbox.scene.read_text()
    found = sandbox.answer("doctor", code=1, **run)["findings"][0]
    expect(found, path=".", message=f"{variable}: `lost.md` has no target")


def test_cycles_are_walked_safely_and_refused_by_strict(shop: Sandbox) -> None:
    """In the original, a file that links to itself or a cycle ended the scene."""
    shop.write("docs/security.md", "# Security\n\n[[auth]] [[security]]\n")
    assert shop.answer("scene")["written"]
    error = shop.answer("scene", "--strict", code=1)["error"]
    assert error["code"] == 1002
    first, *_, last = error["candidates"]
    assert first == last
    paths = {each.partition("#")[0] for each in error["candidates"]}
    assert {"docs/auth.md", "docs/security.md"} <= paths
    shop.write("docs/security.md", "# Security\n\n[[security]]\n")
    shop.ok("scene", "--strict")
