"""Laws of each kind of entry in a log, and a new kind that is one file and one row."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox
from toy_kind import TOY

from cuedeck.engine.citations import WorkspaceDoors, list_entries
from cuedeck.ledger.entry_source import LogSource, log_kinds, pick_entry
from cuedeck.ledger.kind import Kind
from cuedeck.ledger.ledger import Added
from cuedeck.model.entry_node import LedgerEntry
from cuedeck.model.errors import Ambiguous, Invalid, Locked, NotFound, TooLong
from cuedeck.store.files.file_lock import locked

TOKEN = f"ghp_{'a' * 36}"
TOY_KIND = str(Path(__file__).with_name("toy_kind.py"))
AnyKind = Kind[Any]


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.write("src/auth.py", "def login():\n    return 1\n")
    sandbox.card("aaaaaa")
    sandbox.activate("aaaaaa")
    return sandbox


@pytest.fixture(params=[*log_kinds(), TOY], ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> AnyKind:
    found: AnyKind = request.param
    return found


def given(kind: AnyKind, text: str) -> dict[str, str]:
    """Return a text for each needed field."""
    return {
        name: text
        for name, rule in kind.fields.items()
        if rule.needed and name != kind.cites
    }


def add(shop: Sandbox, kind: AnyKind, text: str, *cites: str) -> Added:
    workspace = shop.workspace()
    return workspace.ledger.add(
        kind, given(kind, text), WorkspaceDoors(workspace), cites=cites
    )


def rows(shop: Sandbox, kind: AnyKind) -> list[dict[str, Any]]:
    place = shop.place(kind.path)
    if not place.exists():
        return []
    return [json.loads(line) for line in place.read_text().splitlines()]


def listed(shop: Sandbox, kind: AnyKind, about: str | None = None) -> list[str]:
    found = list_entries(shop.workspace(), kind, about)[kind.log]
    return [row["id"] for row in found]


def test_line_has_its_fields_in_their_order_and_no_empty_ones(
    shop: Sandbox, kind: AnyKind
) -> None:
    added = add(shop, kind, "one two", "src/auth.py#login", "src/none.py")
    (row,) = rows(shop, kind)
    order = ["id", "timestamp", *kind.fields, "card", "session", "commit", "proof"]
    assert [name for name in order if name in row] == list(row)
    always = [name for name, rule in kind.fields.items() if rule.always]
    assert all(row[name] or name in always for name in row)
    assert row["id"] == added.id
    assert row["card"] == "aaaaaa"
    assert row[kind.cites] == ["src/auth.py#login", "src/none.py"]
    assert list(row["proof"]) == ["src/auth.py#login"]
    assert re.fullmatch("[0-9a-f]{64}", row["proof"]["src/auth.py#login"])
    assert [warning.split("`")[1] for warning in added.warnings] == ["src/none.py"]


def test_entry_is_listed_and_found_by_its_places(shop: Sandbox, kind: AnyKind) -> None:
    one = add(shop, kind, "one", "src/auth.py#login").id
    other = add(shop, kind, "other", "src/auth.py").id
    assert listed(shop, kind) == [one, other]
    assert listed(shop, kind, "src/") == [one, other]
    assert listed(shop, kind, "src/auth.py#login") == [one, other]
    assert listed(shop, kind, "docs/") == []
    shop.write("src/auth.py", "def login():\n    return 2\n")
    marks = [row["mark"] for row in list_entries(shop.workspace(), kind)[kind.log]]
    assert marks == ["changed", "changed"]


def test_entry_is_picked_by_a_prefix(shop: Sandbox, kind: AnyKind) -> None:
    text = kind.text_field
    lines = [{"id": name, text: "x", kind.cites: []} for name in ("abc", "abd")]
    shop.write(kind.path, "".join(f"{json.dumps(row)}\n" for row in lines))
    entries = shop.workspace().ledger.entries(kind)
    assert pick_entry("abd", kind.name, entries).id == "abd"
    assert pick_entry(f"{kind.name}:abc", kind.name, entries).id == "abc"
    with pytest.raises(Ambiguous) as caught:
        pick_entry("ab", kind.name, entries)
    assert set(caught.value.candidates) == {"abc", "abd"}
    with pytest.raises(NotFound) as unknown:
        pick_entry("abx", kind.name, entries)
    assert set(unknown.value.candidates) == {"abc", "abd"}


def test_refused_entry_writes_nothing(shop: Sandbox, kind: AnyKind) -> None:
    for text in ("", " \n"):
        with pytest.raises(Invalid):
            add(shop, kind, text, "src/auth.py")
    with pytest.raises(Invalid):
        add(shop, kind, "one", "")
    shop.write("lib/auth.py", "x = 1\n")
    with pytest.raises(Ambiguous):
        add(shop, kind, "one", "auth.py")
    if any(rule.longest for rule in kind.fields.values()):
        with pytest.raises(TooLong):
            add(shop, kind, "x" * 5_000, "src/auth.py")
    workspace = shop.workspace()

    def refuse(entries: Any, row: Any) -> dict[str, Any]:
        raise NotFound("no")

    with pytest.raises(NotFound):
        workspace.ledger.add(
            kind,
            given(kind, "one"),
            WorkspaceDoors(workspace),
            cites=("src/auth.py",),
            settle=refuse,
        )
    assert rows(shop, kind) == []


def test_secrets_are_masked_and_hashes_stay(shop: Sandbox, kind: AnyKind) -> None:
    shop.write(
        ".cuedeck/config.toml", '[secrets]\npatterns = ["digest:[0-9a-f]{40,}"]\n'
    )
    places = [f"src/ghp_{letter * 36}.py" for letter in "bc"]
    for place in places:
        shop.write(place, "x = 1\n")
    added = add(shop, kind, f"one {TOKEN}", *places)
    text = shop.place(kind.path).read_text()
    assert "ghp_" not in text
    assert "ghp_" not in json.dumps(list_entries(shop.workspace(), kind))
    row = added.row
    assert list(row["proof"]) == row[kind.cites]
    assert len(set(row[kind.cites])) == len(places)
    assert all(re.fullmatch("[0-9a-f]{64}", each) for each in row["proof"].values())


def test_damaged_lines_are_reported_and_hide_no_other(
    shop: Sandbox, kind: AnyKind
) -> None:
    first = add(shop, kind, "one", "src/auth.py").id
    with shop.place(kind.path).open("ab") as file:
        file.write(b'<<<<<<< HEAD\n\xff\xfe\n[1]\n{"id": "zz"}\n{"id":"q","time')
    second = add(shop, kind, "two", "src/auth.py").id
    answer = list_entries(shop.workspace(), kind)
    assert [row["id"] for row in answer[kind.log]] == [first, second]
    assert [each["line"] for each in answer["problems"]] == [2, 3, 4, 6]


def test_two_branches_give_the_same_entries_in_any_order(kind: AnyKind) -> None:
    lines = []
    for at in range(4):
        value = {"id": f"e{at % 3}", kind.text_field: f"text {at}"}
        when = f"2026-01-0{at + 1}T00:00:00Z"
        lines.append(LedgerEntry(value["id"], when, value, at + 1, str(at)))
    assert kind.read(lines) == kind.read(lines[::-1])
    assert getattr(kind.read(lines)[0], kind.text_field) == "text 3"


MANY = """
import sys
from cuedeck.engine.citations import WorkspaceDoors
from cuedeck.engine.open_workspace import open_workspace
from toy_kind import TOY
workspace = open_workspace(sys.argv[1], {})
kind = TOY
texts = [name for name, rule in kind.fields.items() if rule.needed]
for number in range(15):
    values = dict.fromkeys(texts, f"{sys.argv[2]} {number}")
    values.pop(kind.cites, None)
    doors = WorkspaceDoors(workspace)
    workspace.ledger.add(kind, values, doors, cites=["src/auth.py"])
"""


def test_two_processes_lose_nothing(shop: Sandbox) -> None:
    kind = TOY  # the lock is that of the ledger, not of a kind
    environ = {**shop.environ, "PYTHONPATH": str(Path(__file__).parent)}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", MANY, str(shop.root), name],
            env=environ,
            stderr=subprocess.PIPE,
        )
        for name in "ab"
    ]
    for process in running:
        assert process.communicate(timeout=60)[1] == b""
    found = rows(shop, kind)
    assert len({row["id"] for row in found}) == 30
    stamps = [row["timestamp"] for row in found]
    assert stamps == sorted(set(stamps))
    texts = {row[kind.text_field] for row in found}
    assert texts == {f"{name} {number}" for name in "ab" for number in range(15)}


def test_writer_waits_for_the_one_lock(
    shop: Sandbox, kind: AnyKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cuedeck.store.files.file_lock._PATIENCE_SECONDS", 0)
    monkeypatch.setattr(locked.__wrapped__, "__defaults__", (0,))
    with locked(shop.workspace().paths, "files"), pytest.raises(Locked):
        add(shop, kind, "one", "src/auth.py")
    assert rows(shop, kind) == []


def test_units_of_recall_are_the_entries_in_force(shop: Sandbox, kind: AnyKind) -> None:
    added = add(shop, kind, "one", "src/auth.py")
    (unit,) = LogSource(kind, shop.workspace()).units(kind.path)
    assert (unit.kind, unit.id, unit.start) == (kind.name, added.id, 1)
    assert "one" in unit.text


def toy(shop: Sandbox, *arguments: str, code: int = 0) -> Any:
    """Run a command with the toy kind; return its JSON."""
    ran = subprocess.run(
        [sys.executable, TOY_KIND, *arguments, "--json"],
        cwd=shop.root,
        env=shop.environ,
        capture_output=True,
        timeout=60,
    )
    assert ran.returncode == code, ran
    return json.loads(ran.stdout)


def toy_tools(shop: Sandbox, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    """Call tools of an MCP server with the toy kind; return their texts."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    messages = [
        {"id": 0, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
    ]
    for number, (name, arguments) in enumerate(calls, 1):
        params = {"name": name, "arguments": arguments}
        messages.append({"id": number, "method": "tools/call", "params": params})
    lines = [json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in messages]
    server = subprocess.Popen(
        [sys.executable, TOY_KIND, "mcp"],
        cwd=shop.root,
        env=shop.environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write("".join(lines))
    server.stdin.flush()
    found: dict[int, str] = {}
    while len(found) <= len(calls):
        answer = json.loads(server.stdout.readline())
        if "id" in answer:
            content = answer["result"].get("content", [{"text": ""}])
            found[answer["id"]] = content[0]["text"]
    server.communicate(timeout=60)
    return [found[number] for number in range(1, len(calls) + 1)]


def test_new_kind_is_one_file_and_one_row(shop: Sandbox) -> None:
    """Address, `read`, `find`, graph, scene, recall, JSON, MCP and `doctor` come with
    it.
    """
    shop.write("docs/note.md", "# Note\n\nSee toy:rrrrrr and [a](toy:rrrrrr).\n")
    line = {
        "id": "rrrrrr",
        "text": "red zebra",
        "affects": ["src/auth.py", "src/no.py"],
    }
    shop.write(TOY.path, f"{json.dumps(line)}\nbroken\n")
    read = toy(shop, "read", "toy:rr")
    assert (read["address"], read["kind"], read["path"]) == (
        "toy:rrrrrr",
        "toy",
        TOY.path,
    )
    assert "text: red zebra\n" in read["text"]
    assert toy(shop, "read", "toy:q", code=1)["error"]["candidates"] == []
    assert toy(shop, "find", "toy:rrrrrr")["hits"][0]["kind"] == "toy"
    found = toy(shop, "recall", "zebra")["hits"]
    assert [each["address"] for each in found][:1] == ["toy:rrrrrr"]
    shop.card("bbbbbb", "refs: ['toy:rrrrrr']")
    visits = toy(shop, "scene", "--card", "bbbbbb", "--dry-run")["visits"]
    edges = {each["address"]: each["edge"] for each in visits}
    assert edges["toy:rrrrrr"] == "refs"
    assert edges["src/auth.py"] == "affects"
    graph = toy(shop, "graph", "--format", "json")
    assert "toy:rrrrrr" in json.dumps(graph)
    doctor = toy(shop, "doctor")["findings"]
    codes = {each["code"] for each in doctor if each["path"] == TOY.path}
    assert codes == {"bad-entry", "dead-cite"}
    shown, recalled = toy_tools(
        shop, ("read", {"address": "toy:rr"}), ("recall", {"query": "zebra"})
    )
    assert "red zebra" in shown
    assert "toy:rrrrrr" in recalled
