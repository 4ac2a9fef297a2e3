"""Searching with `cuedeck recall` and with the tool of the same name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mcp_client import connect_in_process
from sandbox import Sandbox


def record(text: str, identity: str, at: str = "2026-11-20T10:00:00.000Z") -> str:
    provenance = {"timestamp": at, "sensitivity": "public"}
    return f"- {json.dumps({'id': identity, 'text': text, 'provenance': provenance})}\n"


@pytest.fixture
def home(sandbox: Sandbox) -> Sandbox:
    sandbox.write(
        ".cuedeck/MEMORY.md",
        record("The boiler was repaired by Nadia", "boiler-1")
        + record("La caldera pierde agua", "boiler-2")
        + record("Deploys go out on Fridays", "deploys"),
    )
    sandbox.write(
        ".cuedeck/memory/2026-11-19.md",
        "# 2026-11-19\n\n- Ana: Who knows about the boiler?\n- Bob: Nadia does.\n",
    )
    sandbox.write("docs/house.md", "# House\n\n## Heating\n\nThe boiler is old.\n")
    return sandbox


def outside(sandbox: Sandbox, path: str, text: str) -> Path:
    place = sandbox.root.parent / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    return place


@pytest.mark.parametrize(
    ("query", "first", "is_noted"),
    [
        ("1.1.1.1", "The resolver is 1.1.1.1 today.", False),
        ("9.1.1.1", "", True),
        ("src/a.b.py", "See src/a.b.py for it.", False),
        ("src/c.d.py", "", True),
    ],
)
def test_a_literal_is_found_as_written_before_its_parts(
    home: Sandbox, query: str, first: str, is_noted: bool
) -> None:
    texts = ["1 of 1, 1.1 and 1", "src a b py c d", "The resolver is 1.1.1.1 today."]
    texts += ["Version 11.1.1.1 of 1", "See src/a.b.py for it.", "9 of 1.1"]
    home.write("docs/hosts.md", "\n\n".join(texts) + "\n")
    answer = home.answer("recall", query)
    assert answer["hits"][0]["snippet"].startswith(first)
    notes = [f"no hit contains `{query}`, only parts of it"]
    assert answer["notes"] == (notes if is_noted else [])


def test_ids_of_hits_are_as_short_as_they_are_unique(home: Sandbox) -> None:
    rest = "-4111-8111-111111111111"
    ids = [f"aaaaaaaa-{part}{rest}" for part in ("1111", "1112")]
    ids.append(f"bbbbbbbb-1111{rest}")
    rows = [record(f"The harbour {at}", each) for at, each in enumerate(ids)]
    home.write(".cuedeck/MEMORY.md", "".join(rows))
    shown = [line.split()[2] for line in home.ok("recall", "harbour").out.splitlines()]
    assert sorted(shown) == [
        "record:aaaaaaaa-1111:",
        "record:aaaaaaaa-1112:",
        "record:bbbbbbbb:",
    ]
    for each in shown:
        assert "harbour" in home.ok("read", each.rstrip(":")).out


def test_each_hit_is_a_line_with_its_place_date_and_kind(home: Sandbox) -> None:
    lines = home.ok("recall", "boiler repaired").out.splitlines()
    assert lines[0] == (
        ".cuedeck/MEMORY.md#L1 2026-11-20 record:boiler-1:"
        " The boiler was repaired by Nadia"
    )
    assert "memory/2026-11-19.md#L3: Ana: Who knows about the boiler?" in lines
    assert "docs/house.md#L5 doc: The boiler is old." in lines
    for line in lines:
        assert home.ok("read", line.split(": ")[0].split()[0]).out
    home.write("memory/notes.md", "A file of the project.\n")
    lines = home.ok("recall", "boiler repaired").out.splitlines()
    assert any(line.startswith(".cuedeck/memory/2026-11-19.md#L3: ") for line in lines)


def test_scores_are_explained(home: Sandbox) -> None:
    output = home.ok("recall", "repaired boiler", "--explain").out
    assert ": has `repaired`, `boiler` (words " in output
    answer = home.answer("recall", "repaired boiler", "--explain")
    assert {"words", "window"} <= answer["hits"][0]["parts"].keys()


def test_a_search_without_a_hit_is_reported(home: Sandbox) -> None:
    ran = home.run("recall", "zeppelin")
    assert ran.code == 1
    assert "nothing matches `zeppelin`" in ran.err
    assert home.answer("recall", "zeppelin", code=1)["hits"] == []


def test_a_search_without_a_hit_names_the_filters(home: Sandbox) -> None:
    ran = home.run("recall", "boiler", "--since", "2030-01-01", "--kind", "record")
    assert ran.code == 1
    assert "nothing matches `boiler` with --since and --kind" in ran.err
    assert "leave out --since and --kind, or use fewer words" in ran.err
    with connect_in_process(home.root) as client:
        (answer,) = client.call("recall", query="boiler", kind="decision").content
    assert answer.text == (
        "nothing matches `boiler` with `kind`: leave out `kind`, or use fewer words or"
        " other ones"
    )


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("decisions", ["decision: Heat with gas", "decision: Use cookies"]),
        ("What did we decide?", ["decision: Heat with gas", "decision: Use cookies"]),
        ("¿Qué decidimos?", ["decision: Heat with gas", "decision: Use cookies"]),
        ("decisions today", ["decision: Heat with gas", "decision: Use cookies"]),
        ("failed attempts", ["attempt: coal", "doc: Nothing failed"]),
        ("lessons learned", ["experience: Bleed the radiators"]),
        ("repaired decisions", ["record: The boiler was repaired"]),
    ],
)
def test_a_query_that_only_names_a_ledger_lists_it_newest_first(
    home: Sandbox, query: str, first: list[str]
) -> None:
    home.write("docs/failures.md", "# Winter\n\nNothing failed, says a passer-by.\n")
    for text in ("Use cookies", "Heat with gas"):
        home.ok("decide", text, "--because", "it is cheap")
    home.ok("attempt", "add", "--on", "docs", "--tried", "coal", "--failed", "smoke")
    home.ok("experience", "add", "Bleed the radiators in October")
    lines = home.ok("recall", query).out.splitlines()
    assert len(lines) >= len(first)
    for line, wanted in zip(lines, first, strict=False):
        kind, text = wanted.split(": ")
        assert kind in line and f": {text}" in line
    if query == "decisions":
        assert home.run("recall", query, "--since", "2030").code == 1
        explained = home.answer("recall", query, "--explain")["hits"][0]
        assert explained["why"] == "of the kind that the query names"


def test_wrong_options_are_refused(home: Sandbox) -> None:
    for options in (("--since", "never"), ("--kind", "dream"), ("--limit", "0")):
        assert home.run("recall", "boiler", *options).code == 2


def test_the_tool_and_the_command_give_the_same(home: Sandbox) -> None:
    with connect_in_process(home.root, compat=True) as client:
        for query in ("boiler", "who repaired the boiler", "caldera", "2026-11-19"):
            printed = home.ok("recall", query, "--explain", "--tokens", "300").out
            arguments = {"query": query, "explain": True, "tokens": 300}
            for tool in ("recall", "memory_search", "recall_memory"):
                assert client.ok(tool, **arguments) == printed.rstrip("\n")
        since = client.recall(query="boiler", since="2026-11-20", kind="record")
        assert [hit["address"] for hit in since["hits"]] == ["record:boiler-1"]
        page = client.recall(query="boiler", limit=1)
        after = client.recall(query="boiler", limit=1, cursor=page["next"])
        assert page["hits"] != after["hits"]


def test_folders_outside_are_searched_and_read(home: Sandbox) -> None:
    one = outside(home, "one/notes/trip.md", "# Trip\n\nThe walrus of 2025.\n").parent
    two = outside(home, "two/notes/2026-11-02.md", "The walrus again.\n").parent
    outside(home, "secret/walrus.md", "A walrus nobody may read.\n")
    (one / "link.md").symlink_to(home.root.parent / "secret/walrus.md")
    (one / "folder").symlink_to(home.root.parent / "secret")
    outside(home, "one/notes/.hidden.md", "A hidden walrus.\n")
    environ = {"CUEDECK_FILES__EXTRA": f"{one},{two},{one},{home.root.parent}/gone"}
    answer = home.answer("recall", "walrus", environ=environ)
    assert {(hit["address"], hit["date"]) for hit in answer["hits"]} == {
        ("extra:notes/trip.md#L3", ""),
        ("extra:notes-2/2026-11-02.md#L1", "2026-11-02"),
    }
    (note,) = answer["notes"]
    assert note.endswith("gone does not exist")
    read = home.ok("read", "extra:notes/trip.md#L3", environ=environ)
    assert "The walrus of 2025." in read.out
    whole = home.answer("read", "extra:notes-2/2026-11-02", environ=environ)
    assert (whole["kind"], whole["lines"]) == ("extra", [1, 1])
    assert home.run("read", "extra:notes/../secret/walrus.md", environ=environ).code
    assert home.run("read", "extra:notes/link.md", environ=environ).code == 1
    assert home.run("read", "extra:notes/trip.md#L9", environ=environ).code == 1
    assert home.run("read", "extra:notes/trip.md").code == 1


def test_a_repository_cannot_name_folders_outside_it(home: Sandbox) -> None:
    place = outside(home, "notes/trip.md", "The walrus of 2025.\n")
    home.write(".cuedeck/config.toml", f"[files]\nextra = ['{place.parent}']\n")
    assert home.answer("recall", "walrus", code=1)["hits"] == []
    findings = home.run("doctor", "--json").json["findings"]
    (found,) = (each for each in findings if each["code"] == "personal-setting")
    assert found["line"] == 2
    assert "CUEDECK_FILES__EXTRA" in found["hint"]


@pytest.mark.parametrize("root", ["agents/work", "."])
def test_memory_of_a_profile_is_not_searched(home: Sandbox, root: str) -> None:
    home.write(".cuedeck/config.toml", f'[[profile]]\nid = "work"\nroot = "{root}"\n')
    ferry = "The ferry leaves at nine"
    home.ok("memory", "add", "--profile", "work", ferry)
    for name in ("USER.md", "LONGMEMORY.md", "memory/trip.md"):
        home.write(f"{root}/{name}", f"{ferry}.\n")
    assert home.answer("recall", "ferry", code=1)["total"] == 0
    assert (
        home.answer("recall", "--digest", "When does the ferry leave?")["lines"] == []
    )
    assert home.answer("find", "ferry", code=1)["hits"] == []
    with connect_in_process(home.root) as client:
        assert client.recall(query="ferry")["total"] == 0
    listed = home.answer(
        "memory", "list", "--profile", "work", "--contains", "NINE ferry"
    )
    assert [row["text"] for row in listed["records"]] == [ferry]


def test_a_digest_without_lines_is_no_failure(home: Sandbox) -> None:
    for message in ("hello", "/clear", "sort a list in Python"):
        ran = home.ok("recall", "--digest", message)
        assert ran.out == ""
        assert "no line is certain" in ran.err
    ran = home.run("recall", "--digest", "boiler repaired", "--limit", "3")
    assert ran.code == 2 and "--digest cannot be combined" in ran.err


def test_a_line_that_changed_in_place_before_an_append_is_read_again(
    home: Sandbox,
) -> None:
    place = home.root / ".cuedeck/memory/2026-11-18.md"
    records = ['{"id": "z", "text": "The first zebra"}']
    records += [f'{{"id": "f{at}", "text": "filler words"}}' for at in range(200)]
    place.write_text("".join(f"- {each}\n" for each in records))
    assert home.answer("recall", "zebra")["total"] == 1
    with place.open("r+") as file:  # the same length, in place
        file.write('- {"id": "z", "text": "The first koala"}')
    with place.open("a") as file:
        file.write("The last line\n")
    assert home.answer("recall", "zebra", code=1)["total"] == 0
    assert home.answer("recall", "koala")["total"] == 1
