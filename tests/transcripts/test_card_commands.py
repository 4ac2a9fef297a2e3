"""Transcripts of card commands."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from sandbox import CommandOutcome, Sandbox, expect, fields


def card_text(sandbox: Sandbox, identity: str) -> str:
    return sandbox.place(f".cuedeck/cards/{identity}.md").read_text()


def listed_ids(sandbox: Sandbox, *arguments: str) -> list[str]:
    return [card["id"] for card in sandbox.answer("list", *arguments)["cards"]]


def test_card_goes_from_a_title_to_done(sandbox: Sandbox) -> None:
    sandbox.write("docs/auth.md", "# Auth\n\n## Login Flow\n")
    made = sandbox.answer(
        "card new --ref 'docs/auth.md#Login Flow' --tag auth --tag web --priority high"
        " --assignee @alice --body 'Do it.' --activate -- Fix login"
    )
    fields(made, "schema id path")
    identity = made["id"]
    assert re.fullmatch(r"[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{5}", identity)
    assert made["path"] == f".cuedeck/cards/{identity}.md"
    assert sandbox.place(".cuedeck/active").read_text() == f"{identity}\n"
    (card,) = sandbox.answer("card", "list")["cards"]
    known = "id title status priority tags assignee path refs depends_on"
    assert " ".join(card).startswith(known)
    expect(card, title="Fix login", status="active", priority="high", active=True)
    expect(card, tags=["auth", "web"], assignee="@alice", depends_on=[])
    expect(card, refs=["docs/auth.md#Login Flow"])
    shown = sandbox.answer("card", "show", identity[:3])["card"]
    assert shown["body"].strip() == "# Fix login\n\nDo it."
    assert sandbox.ok("card", "done", identity).out.splitlines() == [
        f".cuedeck/cards/{identity}.md: done",
        'no card is active; create one: `cuedeck card new --activate -- "TITLE"`',
    ]
    assert sandbox.place(".cuedeck/active").read_text() == ""
    assert listed_ids(sandbox) == []
    assert listed_ids(sandbox, "--status", "done") == [identity]
    sandbox.ok("card", "reopen", identity)
    assert listed_ids(sandbox, "--status", "todo") == [identity]
    assert sandbox.ok("card", "archive", identity).out.startswith(made["path"])
    assert "cuedeck card new" in sandbox.ok("list").out


def test_title_needs_no_quotes_and_a_body_may_come_through_a_pipe(
    sandbox: Sandbox,
) -> None:
    body = "First line.\n\n---\nnot a header\n"
    ran = sandbox.ok("card new --json --body - Fix the login", text=body)
    assert card_text(sandbox, ran.json["id"]).endswith(f"# Fix the login\n\n{body}")


SEARCH = "`cuedeck find TEXT` searches names and texts"


@pytest.mark.parametrize(
    ("ref", "message", "hint"),
    [
        ("docs/ahut.md", "`docs/ahut.md` has no target", "did you mean `docs/auth.md`?"),
        ("nope.py", "`nope.py` has no target", SEARCH),
        ("Login", "no file or section is called `Login`", "did you mean `src/auth.py#Login`?"),
        ("guide", "`guide` matches several addresses", "give one of the candidates"),
    ],
)  # fmt: skip
def test_a_ref_without_one_target_is_refused_by_new_and_by_ref_add(
    sandbox: Sandbox, ref: str, message: str, hint: str
) -> None:
    """`card new` wrote the card with a warning where `card ref add` refused."""
    for path in ("docs/auth.md", "docs/a/guide.md", "docs/b/guide.md"):
        sandbox.write(path, "# A\n")
    sandbox.write("src/auth.py", "class Login:\n    pass\n")
    sandbox.card("2a9f1x")
    before = sandbox.bytes()
    for command in (("new", "--ref", ref, "--", "x"), ("ref", "add", "2a9f1x", ref)):
        error = sandbox.answer("card", *command, code=1)["error"]
        expect(error, message=message, hint=hint)
    assert sandbox.bytes() == before


def test_a_title_of_an_open_card_is_noticed(sandbox: Sandbox) -> None:
    first = sandbox.answer("card", "new", "--", "Fix login")["id"]
    ran = sandbox.ok("card", "new", "--", "fix  LOGIN")
    assert f".cuedeck/cards/{first}.md is an open card with the same title" in ran.err
    for card in listed_ids(sandbox):
        sandbox.ok("card", "done", card)
    assert sandbox.ok("card", "new", "--", "Fix login").err == ""


def test_refs_and_citations_accept_places_as_programs_print_them(
    sandbox: Sandbox,
) -> None:
    sandbox.write("src/auth.py", "class Login:\n    pass\n")
    sandbox.card("2a9f1x")
    for given, address in (
        ("src/auth.py:1-2", "src/auth.py#L1-L2"),
        ("src/auth.py:2:7", "src/auth.py#L2"),
        ("src/auth.py::Login", "src/auth.py#Login"),
        (f"{sandbox.root}/src/auth.py", "src/auth.py"),
        (f"{sandbox.root}/src/auth.py:1", "src/auth.py#L1"),
    ):
        added = sandbox.answer("card", "ref", "add", "2a9f1x", given)
        assert added["address"] == address
        decided = sandbox.answer("decide", given, "--affects", given)
        assert decided["warnings"] == []
        shown = sandbox.answer("decision", "show", decided["id"])["decision"]
        assert shown["affects"] == [address]
    made = sandbox.answer("card", "new", "--ref", given, "--ref", given, "--", "x")
    assert card_text(sandbox, made["id"]).count("src/auth.py") == 1


def test_a_deleted_card_leaves_a_copy_and_names_what_leads_to_it(
    sandbox: Sandbox,
) -> None:
    sandbox.card("2a9f1x", "title: Fix login")
    sandbox.card("7bk2qq", "title: Ship\ndepends_on: [2a9f1x]")
    sandbox.write("docs/plan.md", "# Plan\n\nSee [[2a9f1x]].\n")
    sandbox.activate("2a9f1x")
    text = card_text(sandbox, "2a9f1x")
    before = sandbox.bytes()
    drop = "`cuedeck card deps 7bk2qq --drop 2a9f1x` removes the dependency"
    lines = [
        "  docs/plan.md line 3 links to it: 2a9f1x",
        f"  .cuedeck/cards/7bk2qq.md depends on it; {drop}",
    ]
    assert sandbox.ok("card", "delete", "2a9", "--dry-run").out.splitlines() == [
        ".cuedeck/cards/2a9f1x.md, the active card, would be deleted",
        *lines,
    ]
    assert sandbox.bytes() == before
    assert sandbox.ok("card", "delete", "2a9").out.splitlines() == [
        ".cuedeck/cards/2a9f1x.md, the active card, deleted",
        *lines,
        "copy: .cuedeck/cache/backup/2a9f1x.md",
    ]
    assert listed_ids(sandbox, "--status", "all") == ["7bk2qq"]
    assert sandbox.place(".cuedeck/cache/backup/2a9f1x.md").read_text() == text
    assert sandbox.place(".cuedeck/active").read_text() == ""
    gone = sandbox.answer("card", "delete", "2a9f1x", code=1)["error"]
    assert (gone["code"], gone["message"]) == (1001, "there is no card `2a9f1x`")


def test_activating_a_card_names_the_card_that_it_replaces(sandbox: Sandbox) -> None:
    sandbox.card("2a9f1x", "title: Fix login\nstatus: active")
    sandbox.card("7bk2qq", "title: Ship")
    sentence = (
        "it replaces 2a9f1x Fix login, which keeps the status active;"
        " `cuedeck card done 2a9f1x` closes it"
    )
    assert sandbox.ok("card", "activate", "7bk2qq").out.splitlines() == [
        ".cuedeck/cards/7bk2qq.md: active",
        "active card: 7bk2qq Ship",
        sentence,
    ]
    assert sandbox.answer("card", "activate", "7bk2qq")["replaced"] is None
    assert sandbox.answer("card", "activate", "2a9f1x")["replaced"]["id"] == "7bk2qq"
    assert sentence in sandbox.ok("card", "new", "--activate", "--", "Third").out


def test_cards_are_ready_or_blocked_by_their_dependencies(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "title: Base")
    sandbox.card("bbbbbb", "title: Done, on base\nstatus: done\ndepends_on: [aaaaaa]")
    sandbox.card("cccccc", "title: Through done\ndepends_on: [bbbbbb]")
    sandbox.card("dddddd", "title: Lost\ndepends_on: [gone99, aaaaaa]")
    sandbox.card("eeeeee", "title: Waiting\nstatus: blocked")
    sandbox.card("ffffff", "title: Free\nstatus: active\ndepends_on: [gggggg]")
    sandbox.card("gggggg", "title: Old\nstatus: archived")
    assert sorted(listed_ids(sandbox, "--ready")) == ["aaaaaa", "ffffff"]
    blocked = {
        card["id"]: [(each["id"], each["status"]) for each in card["blocked_by"]]
        for card in sandbox.answer("card", "list", "--blocked")["cards"]
    }
    assert blocked == {
        "cccccc": [("aaaaaa", "todo")],
        "dddddd": [("gone99", "missing"), ("aaaaaa", "todo")],
        "eeeeee": [],
    }
    shown = sandbox.ok("list", "--blocked", "--sort", "id").out.splitlines()
    assert shown[0].endswith("open dependencies")
    assert shown[2].endswith("gone99 (missing), aaaaaa")
    assert listed_ids(sandbox, "--ready", "--status", "active") == ["ffffff"]
    assert sandbox.ok("list", "--ready", "--tag", "x").out.startswith("no cards match")
    both = sandbox.answer("list", "--ready", "--blocked", code=2)["error"]
    assert "cannot be combined" in both["message"]


@pytest.fixture
def deck(sandbox: Sandbox) -> Sandbox:
    """Cards with different fields."""
    for identity, rows in (
        (
            "aaaaaa",
            "status: active|priority: low|tags: [Auth, web]|created: 2026-05-03",
        ),
        ("bbbbbb", "status: todo|priority: critical|tags: auth|created: 2026-05-20"),
        ("cccccc", "status: done|created: 2025-12-31|updated: 2026-01-01"),
        ("dddddd", "status: archived|created: not a date"),
        ("eeeeee", "status: blocked|priority: high|assignee: bob|created: 2026-06-01"),
    ):
        sandbox.card(identity, *rows.split("|"))
    sandbox.ok("card", "edit", "aaaaaa", "--assignee", "@Alice")
    return sandbox


def test_cards_are_filtered_and_sorted(deck: Sandbox) -> None:
    """In the original, a year or month meant its first day, and an assignee had to be
    spelled exactly.
    """
    for line, ids in {
        "": "bbbbbb eeeeee aaaaaa",
        "--status all": "bbbbbb eeeeee cccccc dddddd aaaaaa",
        "--tag AUTH": "bbbbbb aaaaaa",
        "--tag web --tag none": "aaaaaa",
        "--priority high": "eeeeee",
        "--assignee alice": "aaaaaa",
        "--assignee @BOB": "eeeeee",
        "--created 2026-05": "bbbbbb aaaaaa",
        "--created 2026-05-03": "aaaaaa",
        "--updated 2026-01-01 --status all": "cccccc",
        "--created <7d --status done": "cccccc",
        "--sort created": "eeeeee bbbbbb aaaaaa",
        "--sort title": "aaaaaa bbbbbb eeeeee",
        "--sort status": "bbbbbb aaaaaa eeeeee",
    }.items():
        assert listed_ids(deck, *line.split()) == ids.split(), line


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("list", "--status --priority --assignee --created --updated"),
        ("decision list", "--card --affects --subject"),
        ("attempt list", "--on"),
        ("memory list", "--category --session --contains"),
        ("experience list", "--category --session"),
    ],
)
def test_empty_filter_is_refused(deck: Sandbox, command: str, names: str) -> None:
    for name in names.split():
        assert deck.run(*command.split(), name, "").code == 2


ODD = (
    b"\xef\xbb\xbf---\r\n# a comment\r\nid: odd\r\ntitle:   'It''s  odd'   # why\r\n"
    b"status: todo\r\nextra: {a: [1, 2]}\r\n---\r\n\r\n# Odd\r\ntail without newline"
)


def test_edited_title_is_cleaned_like_a_new_one(sandbox: Sandbox) -> None:
    """An edit used to write line breaks, runs of blanks, and titles of any length."""
    place = sandbox.card("aaaaaa")
    sandbox.ok("card", "edit", "aaaaaa", "--title", " two\nlines   and \t blanks ")
    assert "\ntitle: two lines and blanks\n" in place.read_text()
    before = place.read_bytes()
    for title in (" ", "x" * 3_001):
        assert sandbox.run("card", "edit", "aaaaaa", "--title", title).code == 1
    assert place.read_bytes() == before


def test_fields_can_be_edited_one_by_one_and_repeatedly(sandbox: Sandbox) -> None:
    """In the original, a second update was impossible."""
    place = sandbox.write(".cuedeck/cards/odd.md", ODD)
    edit = "card edit odd --priority high"
    sandbox.ok(f"{edit} --add-tag a --add-tag 'b: c' --title 'New: title'")
    sandbox.ok("card edit odd --drop-tag a --assignee @bob --budget 900")
    card = sandbox.answer("card", "show", "odd")["card"]
    expect(card, title="New: title", priority="high", tags=["b: c"], assignee="@bob")
    expect(card, budget="900")
    assert b"extra: {a: [1, 2]}\r\n" in place.read_bytes()
    assert sandbox.ok(edit).out == ".cuedeck/cards/odd.md (unchanged)\n"
    assert sandbox.run("card edit odd --priority urgent").code == 2
    sandbox.ok("card", "done", "odd")
    before = place.read_bytes()
    sandbox.ok("card", "done", "odd")
    assert place.read_bytes() == before


def test_edit_of_a_linked_card_changes_the_target(sandbox: Sandbox) -> None:
    sandbox.write("shared/task.md", "---\ntitle: Shared\nstatus: todo\n---\n")
    sandbox.place(".cuedeck/cards/task.md").symlink_to("../../shared/task.md")
    sandbox.ok("card", "done", "task")
    assert sandbox.place(".cuedeck/cards/task.md").is_symlink()
    assert "status: done" in sandbox.place("shared/task.md").read_text()


def test_refs_are_added_and_removed(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "refs: []")
    sandbox.write("docs/a.md", "# A\n\n## Part One\n")
    add = ("card", "ref", "add", "aaaaaa", "docs/a.md#part-one")
    expect(sandbox.answer(*add), address="docs/a.md#part-one", changed=True)
    expect(sandbox.answer(*add), changed=False)
    error = sandbox.answer("card", "ref", "rm", "aaaaaa", "nothing", code=1)["error"]
    assert error["candidates"] == ["docs/a.md#part-one"]
    sandbox.ok("card", "ref", "rm", "aaaaaa", "docs/a.md#part-one")
    assert sandbox.answer("card", "show", "aaaaaa")["card"]["refs"] == []


@pytest.mark.parametrize("name", ["frobnicate:widget.py", "a\nb.md", "a\u2028b.md"])
def test_path_that_does_not_resolve_as_a_ref_is_not_written(
    sandbox: Sandbox, name: str
) -> None:
    """`card ref add` used to write such paths, and the ref was dead."""
    sandbox.write(name, "x = 1\n")
    sandbox.card("aaaaaa", "refs: []")
    before = sandbox.bytes()
    for command in (
        ("ref", "add", "aaaaaa", name),
        ("new", "--ref", name, "--", "One"),
    ):
        error = sandbox.answer("card", *command, code=1)["error"]
        assert (error["code"], bool(error["hint"])) == (1010, True)
    assert sandbox.bytes() == before


def test_relative_address_becomes_a_ref_from_the_root(sandbox: Sandbox) -> None:
    """`./docs/a.md` used to be dead: in a card it is relative to the card."""
    sandbox.write("docs/a.md", "# A\n")
    ran = sandbox.run("card", "new", "--json", "--ref", "./docs/a.md", "--", "One")
    assert ran.err == "" and "- docs/a.md\n" in card_text(sandbox, ran.json["id"])
    answer = sandbox.answer("card", "ref", "add", ran.json["id"], "./docs/a.md#A")
    expect(answer, ref="docs/a.md#A", address="docs/a.md#A")
    sandbox.ok("card", "ref", "rm", ran.json["id"], "./docs/a.md#A")
    sandbox.card("aaaaaa", "refs: [./bbbbbb.md]")
    sandbox.ok("card", "ref", "rm", "aaaaaa", "./bbbbbb.md")
    assert sandbox.answer("card", "show", "aaaaaa")["card"]["refs"] == []


def test_only_the_ref_with_the_given_spelling_is_removed(sandbox: Sandbox) -> None:
    """`./a.md` used to remove an `a.md` that came before it."""
    rows = ['- "[[a.md]]"', "- a.md", "- ./a.md"]
    for removed in rows:
        card = sandbox.card("aaaaaa", "refs:", *rows)
        sandbox.ok("card", "ref", "rm", "aaaaaa", removed.strip('- "'))
        left = [row for row in card.read_text().split("\n") if row.startswith("- ")]
        assert left == [row for row in rows if row != removed]


def test_cycles_of_dependencies_are_refused(sandbox: Sandbox) -> None:
    for name in ("aaaaaa", "bbbbbb", "cccccc"):
        sandbox.card(name)

    def shown(*arguments: str) -> list[str]:
        cards = sandbox.answer("card", "deps", *arguments)["cards"]
        return [card["id"] for card in cards]

    sandbox.ok("card", "deps", "aaaaaa", "--add", "bbb")
    sandbox.ok("card", "deps", "bbbbbb", "--add", "Card cccccc")
    before = sandbox.bytes()
    error = sandbox.answer("card", "deps", "cccccc", "--add", "aaaaaa", code=1)["error"]
    path = ("aaaaaa", "bbbbbb", "cccccc", "aaaaaa")
    expect(error, code=1002, candidates=[f".cuedeck/cards/{name}.md" for name in path])
    error = sandbox.answer("card", "deps", "aaaaaa", "--add", "aaaaaa", code=1)["error"]
    assert error["code"] == 1002
    assert sandbox.bytes() == before
    assert shown("aaaaaa") == shown("cccccc", "--reverse") == ["bbbbbb"]
    sandbox.ok("card", "deps", "bbbbbb", "--drop", "ccc")
    assert shown("bbbbbb") == []
    assert sandbox.run("card", "deps", "bbbbbb", "--drop", "ccc").code == 1


def test_scene_refuses_the_invalid_budget_of_a_card(sandbox: Sandbox) -> None:
    """`budget: 60` used to be read as 200 without a word."""
    limits = "a whole number from 200 to 10,000,000"
    for budget in ("60", "much", "10000001"):
        sandbox.card("aaaaaa", "status: active", f"budget: {budget}")
        message = sandbox.answer("scene", code=1)["error"]["message"]
        where = ".cuedeck/cards/aaaaaa.md:4"
        assert message == f"{where}: budget must be {limits}, got `{budget}`"
        assert sandbox.answer("scene", "--budget", "300")["budget"] == 300


def test_invalid_fields_are_reported_for_a_card_and_stop_no_scene(
    sandbox: Sandbox,
) -> None:
    sandbox.write("docs/a.md", "# A\n")
    refs = "refs: [{ref: docs/a.md, view: outline, pin: maybe}]"
    sandbox.card("aaaaaa", "status: active", "budget: much", refs, "created: soon")
    expected = [(4, "bad-budget"), (5, "bad-ref"), (5, "bad-ref"), (6, "bad-date")]
    for found in (
        sandbox.answer("card", "validate")["findings"],
        sandbox.answer("card", "show", "aaaaaa")["problems"],
    ):
        assert [(each["line"], each["code"]) for each in found] == expected
        assert {each["level"] for each in found} == {"warning"}
        messages = {each["message"] for each in found}
        assert "`view` of a ref must be `full`, got `outline`" in messages
    scene = sandbox.answer("scene", "--budget", "8000")
    assert [visit["view"] for visit in scene["visits"]] == ["full", "full"]
    sandbox.card("bbbbbb", "depends_on: [gone99]")
    found = sandbox.answer("card", "validate", code=1)["findings"]
    assert found[-1]["code"] == "missing-dependency"


def test_card_id_is_resolved_before_any_other_name(sandbox: Sandbox) -> None:
    sandbox.card("abc123", "title: Login")
    sandbox.write("docs/login.md", "# Login\n")
    sandbox.write("abc", "a file\n")
    path = ".cuedeck/cards/abc123.md"
    for name in ("abc123", "abc", "login", "card:abc", path, "cards/abc123"):
        assert sandbox.answer("card", "show", name)["card"]["id"] == "abc123", name
    sandbox.card("abc999", "title: login")
    for name in ("abc", "login"):
        error = sandbox.answer("card", "show", name, code=1)["error"]
        assert error["candidates"] == [path, ".cuedeck/cards/abc999.md"]
    assert "is not a card" in sandbox.run("card", "show", "docs/login.md").err


def test_card_opens_in_the_editor(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.card("aaaaaa")
    ran = sandbox.run("card", "edit", "aaaaaa")
    assert (ran.code, "no terminal" in ran.err) == (2, True)
    import pty

    editor = sandbox.write(
        "editor",
        f"#!{sys.executable}\nimport sys\nopen(sys.argv[-1], 'a').write('edited')\n",
    )
    editor.chmod(0o755)
    ours, theirs = pty.openpty()
    process = sandbox.start(
        "card", "edit", "aaaaaa", stdin=theirs, environ={"EDITOR": f"{editor} --wait"}
    )
    os.close(theirs)
    assert process.wait(20) == 0
    os.close(ours)
    process.communicate()
    assert card_text(sandbox, "aaaaaa").endswith("edited")


def test_unreadable_card_is_reported_by_every_command(sandbox: Sandbox) -> None:
    """It used to be ignored silently: there was no such card, and no cards at all."""
    sandbox.card("aaaaaa").chmod(0)
    sandbox.activate("aaaaaa")
    path, why = ".cuedeck/cards/aaaaaa.md", "cannot be read: Permission denied"

    def run(*command: str) -> CommandOutcome:
        return sandbox.run(*command, unprivileged=True)

    warning = f"warning: {path}: {why}; check its permissions\n"
    assert run("list") == (0, "no cards here can be read\n", warning)
    (problem,) = run("list", "--json").json["problems"]
    expect(problem, path=path, message=why)
    # The command used to print `valid`.
    checked = (1, f"error    {path}  {why}  (check its permissions)\n", "")
    assert run("card", "validate") == checked
    for command in (("scene",), ("scene", "--card", "aaa"), ("card", "show", "aaaaaa")):
        assert f"{path}: {why}" in run(*command).err
    found = run("doctor", "--json").json["findings"]
    assert [each["path"] for each in found[:2]] == [".cuedeck/active", path]
    sandbox.card("bbbbbb")
    ran = run("list")
    assert "bbbbbb" in ran.out and path in ran.err


def test_next_active_card_by_status_is_reported(sandbox: Sandbox) -> None:
    for identity, title in (("aaaaaa", "First"), ("bbbbbb", "Second")):
        sandbox.card(identity, f"title: {title}", "status: active")
    sandbox.ok("card", "activate", "aaaaaa")
    out = sandbox.ok("card", "done", "aaaaaa").out
    assert out.splitlines()[1] == "active card: bbbbbb Second, whose status is active"
    sandbox.ok("card", "reopen", "aaaaaa")
    sandbox.card("cccccc", "title: Third", "status: active")
    out = sandbox.ok("card", "archive", "aaaaaa").out
    assert out.splitlines()[1:] == [
        "2 cards have the status active; choose one: `cuedeck card activate ID`",
        "  - bbbbbb Second",
        "  - cccccc Third",
    ]
    answer = sandbox.answer("card", "done", "bbbbbb")
    expect(answer["active"], id="cccccc", title="Third", by_status=True)
    sandbox.ok("card", "reopen", "aaaaaa")
    answer = sandbox.answer("card", "done", "cccccc")
    assert (answer["active"], answer["choose"]["cards"]) == (None, ["aaaaaa First"])
