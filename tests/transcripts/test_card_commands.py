"""Transcripts of card commands."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from drop_capabilities import drop_capabilities
from sandbox import Sandbox, fields

CARD = (
    "id",
    "title",
    "status",
    "priority",
    "tags",
    "assignee",
    "path",
    "refs",
    "depends_on",
)


def card_text(sandbox: Sandbox, identity: str) -> str:
    return sandbox.place(f".cuedeck/cards/{identity}.md").read_text()


def listed_ids(sandbox: Sandbox, *arguments: str) -> list[str]:
    return [card["id"] for card in sandbox.answer("list", *arguments)["cards"]]


def test_card_goes_from_a_title_to_done(sandbox: Sandbox) -> None:
    sandbox.write("docs/auth.md", "# Auth\n\n## Login Flow\n")
    made = sandbox.answer(
        "card", "new", "--ref", "docs/auth.md#Login Flow", "--tag", "auth", "--tag", "web", "--priority", "high",
        "--assignee", "@alice", "--body", "Do it.\n", "--activate", "--", "Fix login",
    )  # fmt: skip
    fields(made, ["schema", "id", "path"])
    identity = made["id"]
    assert re.fullmatch(r"[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{5}", identity)
    assert made["path"] == f".cuedeck/cards/{identity}.md"
    assert sandbox.place(".cuedeck/active").read_text() == f"{identity}\n"
    (card,) = sandbox.answer("card", "list")["cards"]
    assert list(card)[: len(CARD)] == list(CARD)
    assert (card["title"], card["status"], card["priority"], card["tags"]) == (
        "Fix login",
        "active",
        "high",
        ["auth", "web"],
    )
    assert (card["assignee"], card["refs"], card["depends_on"]) == (
        "@alice",
        ["docs/auth.md#Login Flow"],
        [],
    )
    assert card["active"]
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


def create_card(sandbox: Sandbox, title: str, *options: str) -> str:
    ran = sandbox.ok("card", "new", "--json", *options, "--", title)
    return str(ran.json["id"])


def test_title_needs_no_quotes_and_a_body_may_come_through_a_pipe(
    sandbox: Sandbox,
) -> None:
    ran = sandbox.run(
        "card",
        "new",
        "--json",
        "--body",
        "-",
        "Fix",
        "the",
        "login",
        text="First line.\n\n---\nnot a header\n",
    )
    assert ran.code == 0
    assert card_text(sandbox, ran.json["id"]).endswith(
        "# Fix the login\n\nFirst line.\n\n---\nnot a header\n"
    )


@pytest.mark.parametrize(
    ("ref", "message", "hint"),
    [
        ("docs/ahut.md", "`docs/ahut.md` has no target", "did you mean `docs/auth.md`?"),
        ("nope.py", "`nope.py` has no target", "`cuedeck find TEXT` searches names and texts"),
        ("docs/hut.md", "`docs/hut.md` has no target", "`cuedeck find TEXT` searches names and texts"),
        ("docs/auth.md#Logim", "`docs/auth.md#Logim` has no target", "did you mean `docs/auth.md#Login`?"),
        ("Login", "no file or section is called `Login`", "did you mean `src/auth.py#Login`?"),
        ("guide", "`guide` matches several addresses", "give one of the candidates"),
    ],
)  # fmt: skip
def test_a_ref_without_one_target_is_refused_by_new_and_by_ref_add(
    sandbox: Sandbox, ref: str, message: str, hint: str
) -> None:
    """`card new` wrote the card with a warning where `card ref add` refused."""
    sandbox.write("docs/auth.md", "# Auth\n\n## Login\n")
    sandbox.write("docs/a/guide.md", "# A\n")
    sandbox.write("docs/b/guide.md", "# B\n")
    sandbox.write("src/auth.py", "class Login:\n    pass\n")
    sandbox.card("2a9f1x")
    before = sandbox.bytes()
    errors = [
        sandbox.answer("card", "new", "--ref", ref, "--", "x", code=1)["error"],
        sandbox.answer("card", "ref", "add", "2a9f1x", ref, code=1)["error"],
    ]
    assert errors[0] == errors[1]
    assert (errors[0]["message"], errors[0]["hint"]) == (message, hint)
    assert sandbox.bytes() == before


def test_a_title_of_an_open_card_is_noticed(sandbox: Sandbox) -> None:
    first = sandbox.answer("card", "new", "--", "Fix login")["id"]
    ran = sandbox.ok("card", "new", "--", "fix  LOGIN")
    assert f".cuedeck/cards/{first}.md is an open card with the same title" in ran.err
    for card in listed_ids(sandbox):
        sandbox.ok("card", "done", card)
    assert sandbox.ok("card", "new", "--", "Fix login").err == ""


@pytest.mark.parametrize(
    ("place", "address"),
    [
        ("src/auth.py:2", "src/auth.py#L2"),
        ("src/auth.py:1-2", "src/auth.py#L1-L2"),
        ("src/auth.py:2:7", "src/auth.py#L2"),
        ("src/auth.py::Login", "src/auth.py#Login"),
        ("{root}/src/auth.py", "src/auth.py"),
        ("{root}/src/auth.py::Login", "src/auth.py#Login"),
        ("{root}/src/auth.py:2", "src/auth.py#L2"),
    ],
)
def test_refs_and_citations_accept_places_as_programs_print_them(
    sandbox: Sandbox, place: str, address: str
) -> None:
    sandbox.write("src/auth.py", "class Login:\n    pass\n")
    given = place.format(root=sandbox.root)
    made = sandbox.answer("card", "new", "--ref", given, "--ref", given, "--", "x")
    assert card_text(sandbox, made["id"]).count("src/auth.py") == 1
    sandbox.card("2a9f1x")
    added = sandbox.answer("card", "ref", "add", "2a9f1x", given)
    assert added["address"] == address
    decided = sandbox.answer("decide", "x", "--affects", given)
    assert decided["warnings"] == []
    shown = sandbox.answer("decision", "list", "--affects", given)["decisions"]
    assert [each["affects"] for each in shown] == [[address]]


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
    ran = sandbox.ok("card", "activate", "7bk2qq").out.splitlines()
    assert ran == [
        ".cuedeck/cards/7bk2qq.md: active",
        "active card: 7bk2qq Ship",
        sentence,
    ]
    again = sandbox.answer("card", "activate", "7bk2qq")
    assert again["replaced"] is None
    assert sandbox.answer("card", "activate", "2a9f1x")["replaced"]["id"] == "7bk2qq"
    assert sentence in sandbox.ok("card", "new", "--activate", "--", "Third").out
    sandbox.ok("card", "done", "2a9f1x")
    assert "replaces" in sandbox.ok("card", "activate", "7bk2qq").out
    sandbox.ok("card", "done", "7bk2qq")
    assert (
        "which keeps the status"
        in sandbox.ok("card", "new", "--activate", "--", "Last").out
    )


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
    sandbox.card(
        "aaaaaa",
        "status: active",
        "priority: low",
        "tags: [Auth, web]",
        "assignee: '@Alice'",
        "created: 2026-05-03",
    )
    sandbox.card(
        "bbbbbb",
        "status: todo",
        "priority: critical",
        "tags: auth",
        "created: 2026-05-20T10:00:00Z",
    )
    sandbox.card(
        "cccccc",
        "status: done",
        "created: 2025-12-31T23:30:00Z",
        "updated: 2026-01-01T00:00:00Z",
    )
    sandbox.card("dddddd", "status: archived", "created: not a date")
    sandbox.card(
        "eeeeee",
        "status: blocked",
        "priority: high",
        "assignee: bob",
        "created: 2026-06-01T00:00:00Z",
    )
    return sandbox


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        ([], "bbbbbb eeeeee aaaaaa"),
        (["--status", "all"], "bbbbbb eeeeee cccccc dddddd aaaaaa"),
        (["--status", "archived"], "dddddd"),
        (["--tag", "AUTH"], "bbbbbb aaaaaa"),
        (["--tag", "web", "--tag", "none"], "aaaaaa"),
        (["--priority", "high"], "eeeeee"),
        (["--assignee", "alice"], "aaaaaa"),
        (["--assignee", "@BOB"], "eeeeee"),
        (["--created", "2026", "--status", "all"], "bbbbbb eeeeee aaaaaa"),
        (["--created", "2026-05"], "bbbbbb aaaaaa"),
        (["--created", "2026-05-03"], "aaaaaa"),
        (["--updated", "2026-01-01", "--status", "all"], "cccccc"),
        (["--created", "<7d", "--status", "done"], "cccccc"),
        (["--sort", "created"], "eeeeee bbbbbb aaaaaa"),
        (["--sort", "title"], "aaaaaa bbbbbb eeeeee"),
        (["--sort", "status"], "bbbbbb aaaaaa eeeeee"),
        (["--sort", "id"], "aaaaaa bbbbbb eeeeee"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_cards_are_filtered_and_sorted(
    deck: Sandbox, arguments: list[str], ids: str
) -> None:
    """In the original, a year or month meant its first day, and an assignee had to be
    spelled exactly.
    """
    assert list_in_process(deck, *arguments) == ids.split()


def list_in_process(sandbox: Sandbox, *arguments: str) -> list[str]:
    """List cards in this process, because a new process for each of many cases would be
    slow.
    """
    from cuedeck.work.cards.list_cards import list_cards

    names = {"--tag": "tags"}
    options: dict[str, object] = {}
    for name, value in zip(arguments[::2], arguments[1::2], strict=True):
        key = names.get(name, name[2:])
        options[key] = [*options.get("tags", []), value] if key == "tags" else value  # type: ignore[misc]
    return [card["id"] for card in list_cards(sandbox.workspace(), **options)["cards"]]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("list", "--status --priority --assignee --created --updated"),
        ("open", "--priority --assignee"),
        ("decision list", "--card --affects --subject"),
        ("attempt list", "--on"),
        ("memory list", "--category --session --contains"),
        ("experience list", "--category --session"),
    ],
)
def test_repeated_filter_is_refused(deck: Sandbox, command: str, names: str) -> None:
    """The first filter used to be ignored silently."""
    for name in names.split():
        value = {"--status": "done", "--priority": "high"}.get(name, "2026")
        ran = deck.run(*command.split(), name, value, name, value)
        assert (ran.code, ran.out) == (2, "")
        assert f"{name} is given 2 times" in ran.err
        assert deck.run(*command.split(), name, "").code == 2


def test_empty_list_prints_the_next_command(sandbox: Sandbox) -> None:
    assert "cuedeck card new" in sandbox.ok("list").out
    assert sandbox.answer("list")["cards"] == []


ODD = (
    b"\xef\xbb\xbf---\r\n# a comment\r\nid: odd\r\ntitle:   'It''s  odd'   # why\r\nstatus: todo\r\n"
    b'refs:\r\n    - docs/a.md\r\n    - "docs/b.md"\r\nextra: {a: [1, 2]}\r\nlong: >\r\n  folded\r\n  text\r\n'
    b"updated: 2026-01-01T00:00:00Z\r\n---\r\n\r\n# Odd\r\n\r\n---\r\nstatus: not mine\r\n---\r\ntail without newline"
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


@pytest.mark.parametrize("command", ["activate", "done", "archive", "reopen"])
def test_status_change_keeps_every_other_byte(sandbox: Sandbox, command: str) -> None:
    """The original rewrote the whole header, lost comments and arrays, and cut text
    after a second `---`.
    """
    sandbox.write(
        ".cuedeck/cards/odd.md",
        ODD.replace(b"todo", b"done") if command == "reopen" else ODD,
    )
    words = {
        "activate": b"active",
        "done": b"done",
        "archive": b"archived",
        "reopen": b"todo",
    }
    sandbox.ok("card", command, "odd")
    data = sandbox.place(".cuedeck/cards/odd.md").read_bytes()
    expected = ODD.replace(b"status: todo", b"status: " + words[command])
    stamp = re.search(rb"updated: ([0-9TZ:-]+)\r\n", data)
    assert stamp is not None
    assert data == expected.replace(b"2026-01-01T00:00:00Z", stamp[1])
    sandbox.ok("card", command, "odd")
    assert sandbox.place(".cuedeck/cards/odd.md").read_bytes() == data


def test_fields_can_be_edited_one_by_one_and_repeatedly(sandbox: Sandbox) -> None:
    """In the original, a second update was impossible."""
    sandbox.write(".cuedeck/cards/odd.md", ODD)
    sandbox.ok(
        "card",
        "edit",
        "odd",
        "--priority",
        "high",
        "--add-tag",
        "a",
        "--add-tag",
        "b: c",
        "--title",
        "New: title",
    )
    sandbox.ok(
        "card",
        "edit",
        "odd",
        "--drop-tag",
        "a",
        "--assignee",
        "@bob",
        "--budget",
        "900",
    )
    card = sandbox.answer("card", "show", "odd")["card"]
    assert (card["title"], card["priority"], card["tags"], card["assignee"]) == (
        "New: title",
        "high",
        ["b: c"],
        "@bob",
    )
    assert card["budget"] == "900"
    assert (
        b"extra: {a: [1, 2]}\r\n" in sandbox.place(".cuedeck/cards/odd.md").read_bytes()
    )
    assert (
        sandbox.ok("card", "edit", "odd", "--priority", "high").out
        == ".cuedeck/cards/odd.md (unchanged)\n"
    )
    assert sandbox.run("card", "edit", "odd", "--priority", "urgent").code == 2


def test_updated_time_keeps_the_spelling_of_its_key(sandbox: Sandbox) -> None:
    for key in ("updated_at", "last_modified"):
        sandbox.card("aaaaaa", "status: todo", f"{key}: 2026-01-01")
        sandbox.ok("card", "done", "aaaaaa")
        text = card_text(sandbox, "aaaaaa")
        assert f"{key}: 2026-01-01" not in text
        assert (
            len(re.findall(r"^(?:updated\w*|last_modified):", text, re.MULTILINE)) == 1
        )


def test_edit_of_a_linked_card_changes_the_target(sandbox: Sandbox) -> None:
    sandbox.write("shared/task.md", "---\ntitle: Shared\nstatus: todo\n---\n")
    sandbox.place(".cuedeck/cards/task.md").symlink_to("../../shared/task.md")
    sandbox.ok("card", "done", "task")
    assert sandbox.place(".cuedeck/cards/task.md").is_symlink()
    assert "status: done" in sandbox.place("shared/task.md").read_text()


def test_refs_are_added_and_removed(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "refs: []")
    sandbox.write("docs/a.md", "# A\n\n## Part One\n")
    sandbox.write("sub/a.md", "# A\n")
    added = sandbox.answer("card", "ref", "add", "aaaaaa", "docs/a.md#part-one")
    assert (added["address"], added["changed"]) == ("docs/a.md#part-one", True)
    assert not sandbox.answer("card", "ref", "add", "aaaaaa", "docs/a.md#part-one")[
        "changed"
    ]
    assert (
        sandbox.answer("card", "ref", "add", "aaaaaa", "docs/b.md", code=1)["error"][
            "code"
        ]
        == 1001
    )
    assert sandbox.answer("card", "ref", "add", "aaaaaa", "a", code=1)["error"][
        "candidates"
    ] == ["docs/a.md", "sub/a.md"]
    assert sandbox.answer("card", "ref", "rm", "aaaaaa", "nothing", code=1)["error"][
        "candidates"
    ] == ["docs/a.md#part-one"]
    sandbox.ok("card", "ref", "rm", "aaaaaa", "docs/a.md#part-one")
    assert sandbox.answer("card", "show", "aaaaaa")["card"]["refs"] == []


@pytest.mark.parametrize(
    "name",
    ["frobnicate:widget.py", *(f"a{each}b.md" for each in "\n\t\r\x1b\x7f\x85\u2028")],
)
def test_path_that_does_not_resolve_as_a_ref_is_not_written(
    sandbox: Sandbox, name: str
) -> None:
    """`card ref add` used to write such paths, and the ref was dead."""
    sandbox.write(name, "x = 1\n")
    before = sandbox.card("aaaaaa", "refs: []").read_bytes()
    for command in (
        ("ref", "add", "aaaaaa", name),
        ("new", "--ref", name, "--", "One"),
    ):
        error = sandbox.answer("card", *command, code=1)["error"]
        assert (error["code"], bool(error["hint"])) == (1010, True)
    assert [each.name for each in sandbox.place(".cuedeck/cards").iterdir()] == [
        "aaaaaa.md"
    ]
    assert sandbox.place(".cuedeck/cards/aaaaaa.md").read_bytes() == before


def test_relative_address_becomes_a_ref_from_the_root(sandbox: Sandbox) -> None:
    """`./docs/a.md` used to be dead: in a card it is relative to the card."""
    sandbox.write("docs/a.md", "# A\n")
    ran = sandbox.run("card", "new", "--json", "--ref", "./docs/a.md", "--", "One")
    assert ran.err == "" and "- docs/a.md\n" in card_text(sandbox, ran.json["id"])
    identity = create_card(sandbox, "Two")
    answer = sandbox.answer("card", "ref", "add", identity, "./docs/a.md#A")
    assert (answer["ref"], answer["address"]) == ("docs/a.md#A", "docs/a.md#A")
    assert (
        sandbox.answer("card", "ref", "add", identity, "docs/a.md#A")["changed"]
        is False
    )
    sandbox.ok("card", "ref", "rm", identity, "./docs/a.md#A")
    sandbox.card("aaaaaa", "refs: [./bbbbbb.md]")
    sandbox.ok("card", "ref", "rm", "aaaaaa", "./bbbbbb.md")
    assert sandbox.answer("card", "show", "aaaaaa")["card"]["refs"] == []


@pytest.mark.parametrize("ref", ["[[a.md]]", "a.md", "./a.md"])
def test_only_the_ref_with_the_given_spelling_is_removed(
    sandbox: Sandbox, ref: str
) -> None:
    """`./a.md` used to remove an `a.md` that came before it."""
    rows = ['- "[[a.md]]"', "- a.md", "- ./a.md"]
    card = sandbox.card("aaaaaa", "refs:", *rows)
    sandbox.ok("card", "ref", "rm", "aaaaaa", ref)
    left = [row for row in card.read_text().split("\n") if row.startswith("- ")]
    assert left == [row for row in rows if row.strip('- "') != ref]


def test_cycles_of_dependencies_are_refused(sandbox: Sandbox) -> None:
    for name in ("aaaaaa", "bbbbbb", "cccccc"):
        sandbox.card(name)
    sandbox.ok("card", "deps", "aaaaaa", "--add", "bbb")
    sandbox.ok("card", "deps", "bbbbbb", "--add", "Card cccccc")
    before = sandbox.bytes()
    error = sandbox.answer("card", "deps", "cccccc", "--add", "aaaaaa", code=1)["error"]
    assert error["code"] == 1002
    path = [
        f".cuedeck/cards/{name}.md" for name in ("aaaaaa", "bbbbbb", "cccccc", "aaaaaa")
    ]
    assert error["candidates"] == path
    assert (
        sandbox.answer("card", "deps", "aaaaaa", "--add", "aaaaaa", code=1)["error"][
            "code"
        ]
        == 1002
    )
    assert sandbox.bytes() == before
    assert [
        card["id"] for card in sandbox.answer("card", "deps", "aaaaaa")["cards"]
    ] == ["bbbbbb"]
    assert [
        card["id"]
        for card in sandbox.answer("card", "deps", "cccccc", "--reverse")["cards"]
    ] == ["bbbbbb"]
    sandbox.ok("card", "deps", "bbbbbb", "--drop", "ccc")
    assert sandbox.answer("card", "deps", "bbbbbb")["cards"] == []
    assert sandbox.run("card", "deps", "bbbbbb", "--drop", "ccc").code == 1


def test_existing_wrong_dependencies_are_reported(sandbox: Sandbox) -> None:
    """The original detected a missing dependency only on request for that one card."""
    sandbox.card("aaaaaa", "depends_on: [bbbbbb]")
    sandbox.card("bbbbbb", "depends_on: [aaaaaa, gone]")
    sandbox.card("cccccc", "depends_on: [cccccc]", "refs: [docs/none.md]")
    found = sandbox.answer("card", "validate", code=1)["findings"]
    assert [(each["path"][-9:-3], each["code"]) for each in found] == [
        ("aaaaaa", "dependency-cycle"),
        ("bbbbbb", "missing-dependency"),
        ("cccccc", "dependency-cycle"),
        ("cccccc", "dead-ref"),
    ]
    sandbox.ok("card", "deps", "bbbbbb", "--drop", "gone")
    assert "missing-dependency" not in str(
        sandbox.answer("card", "validate", "bbbbbb", code=1)["findings"]
    )


@pytest.mark.parametrize("budget", ["60", "much", "10000001"])
def test_scene_refuses_the_invalid_budget_of_a_card(
    sandbox: Sandbox, budget: str
) -> None:
    """`budget: 60` used to be read as 200 without a word."""
    sandbox.card("aaaaaa", "status: active", f"budget: {budget}")
    error = sandbox.answer("scene", code=1)["error"]
    assert error["message"] == (
        ".cuedeck/cards/aaaaaa.md:4: budget must be a whole number from 200 to "
        f"10,000,000, got `{budget}`"
    )
    assert sandbox.answer("scene", "--budget", "300")["budget"] == 300


def test_invalid_fields_are_reported_for_a_card_and_stop_no_scene(
    sandbox: Sandbox,
) -> None:
    sandbox.write("docs/a.md", "# A\n")
    refs = "refs: [{ref: docs/a.md, view: outline, pin: maybe}]"
    sandbox.card("aaaaaa", "status: active", "budget: much", refs, "created: soon")
    expected = [
        ("warning", 4, "bad-budget"),
        ("warning", 5, "bad-ref"),
        ("warning", 5, "bad-ref"),
    ]
    expected.append(("warning", 6, "bad-date"))  # `card show` used to ignore dates
    for found in (
        sandbox.answer("card", "validate")["findings"],
        sandbox.answer("card", "show", "aaaaaa")["problems"],
    ):
        assert [
            (each["level"], each["line"], each["code"]) for each in found
        ] == expected
        messages = {each["message"] for each in found}
        assert "`view` of a ref must be `full`, got `outline`" in messages
    scene = sandbox.answer("scene", "--budget", "8000")
    assert [visit["view"] for visit in scene["visits"]] == ["full", "full"]


def test_card_id_is_resolved_before_any_other_name(sandbox: Sandbox) -> None:
    sandbox.card("abc123", "title: Login")
    sandbox.write("docs/login.md", "# Login\n")
    sandbox.write("abc", "a file\n")
    for name in (
        "abc123",
        "abc",
        "Login",
        "login",
        "card:abc",
        ".cuedeck/cards/abc123.md",
        "cards/abc123",
    ):
        assert sandbox.answer("card", "show", name)["card"]["id"] == "abc123", name
    sandbox.card("abc999", "title: login")
    for name in ("abc", "login"):
        error = sandbox.answer("card", "show", name, code=1)["error"]
        assert error["candidates"] == [
            ".cuedeck/cards/abc123.md",
            ".cuedeck/cards/abc999.md",
        ]
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
    ran = sandbox.run("list", preexec_fn=drop_capabilities)
    assert ran == (
        0,
        "no cards here can be read\n",
        f"warning: {path}: {why}; check its permissions\n",
    )
    answer = sandbox.answer("list", preexec_fn=drop_capabilities)
    assert (
        answer["cards"],
        [(each["path"], each["message"]) for each in answer["problems"]],
    ) == ([], [(path, why)])
    # The command used to print `valid`.
    checked = sandbox.run("card", "validate", preexec_fn=drop_capabilities)
    assert checked == (1, f"error    {path}  {why}  (check its permissions)\n", "")
    for command in (("scene",), ("scene", "--card", "aaa"), ("card", "show", "aaaaaa")):
        assert (
            f"{path}: {why}" in sandbox.run(*command, preexec_fn=drop_capabilities).err
        )
    found = sandbox.answer("doctor", code=1, preexec_fn=drop_capabilities)["findings"][
        :2
    ]
    assert [(each["level"], each["path"]) for each in found] == [
        ("error", ".cuedeck/active"),
        ("error", path),
    ]
    sandbox.card("bbbbbb")
    ran = sandbox.run("list", preexec_fn=drop_capabilities)
    assert "bbbbbb" in ran.out and path in ran.err


def test_next_active_card_by_status_is_reported(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "title: First", "status: active")
    sandbox.card("bbbbbb", "title: Second", "status: active")
    assert (
        sandbox.ok("card", "activate", "aaaaaa").out.splitlines()[1]
        == "active card: aaaaaa First"
    )
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
    assert answer["active"] == {
        "id": "cccccc", "title": "Third", "path": ".cuedeck/cards/cccccc.md", "by_status": True,
    }  # fmt: skip
    sandbox.ok("card", "reopen", "aaaaaa")
    answer = sandbox.answer("card", "done", "cccccc")
    assert (answer["active"], answer["choose"]["cards"]) == (None, ["aaaaaa First"])
