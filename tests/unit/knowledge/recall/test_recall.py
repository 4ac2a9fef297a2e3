"""One search over everything that holds knowledge."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.engine.open_workspace import open_workspace
from cuedeck.knowledge.recall.recall import recall
from cuedeck.knowledge.recall.recall_answer import answer_text, json_text
from cuedeck.knowledge.recall.sync_index import open_recall
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.ledger.records.recall_hits import read_recalls
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.recall_values import KINDS


class Shelter:
    """A workspace that is searched."""

    def __init__(self, sandbox: Sandbox, **environ: str) -> None:
        self.sandbox = sandbox
        self.workspace = open_workspace(str(sandbox.root), environ)

    def ask(self, query: str, **options: Any) -> dict[str, Any]:
        return recall(self.workspace, query, **options)

    def addresses(self, query: str, **options: Any) -> list[str]:
        return [hit["address"] for hit in self.ask(query, **options)["hits"]]

    @property
    def index(self) -> Any:
        return open_recall(self.workspace).index(self.workspace)

    def write_records(self, name: str, *records: Mapping[str, Any]) -> Path:
        lines = "".join(line(**record) for record in records)
        return self.sandbox.write(f".cuedeck/{name}", lines)

    def append(self, name: str, text: str) -> None:
        with (self.sandbox.root / ".cuedeck" / name).open(
            "a", encoding="utf-8"
        ) as file:
            file.write(text)

    def close(self) -> None:
        open_recall(self.workspace).close()
        self.workspace.close()


def line(text: str, **fields: Any) -> str:
    """Return the line of a record; `at` is its time, other fields are keys of it."""
    provenance = {
        "timestamp": fields.pop("at", "2026-11-20T10:00:00.000Z"),
        "sensitivity": fields.pop("sensitivity", "public"),
    }
    value = {
        "id": f"id of {text}",
        "sessionId": "main",
        "category": "note",
        "text": text,
        "provenance": provenance,
        **fields,
    }
    return f"- {json.dumps(value)}\n"


@pytest.fixture
def shelter(sandbox: Sandbox) -> Any:
    made = Shelter(sandbox)
    yield made
    made.close()


def test_every_kind_is_found_with_a_place_that_opens(sandbox: Sandbox) -> None:
    outside = sandbox.root.parent / "notes"
    outside.mkdir()
    (outside / "trip.md").write_text("# Trip\n\nThe walrus swims outside.\n")
    sandbox.write(".cuedeck/MEMORY.md", line("The walrus is a record", id="rec-1"))
    sandbox.write(".cuedeck/memory/2026-11-20.md", "- Ana saw a walrus in the log\n")
    sandbox.write(".cuedeck/LONGMEMORY.md", "Long ago a walrus was here.\n")
    sandbox.write(".cuedeck/USER.md", "Likes the walrus of Nadia.\n")
    sandbox.card("abc123", "title: Feed the walrus", body="Give the walrus fish.")
    sandbox.write("docs/walrus.md", "# Walrus\n\nA walrus eats clams.\n")
    guide = ".cuedeck/cortex/resources/guide/walrus.md"
    sandbox.write(guide, "A walrus is a resource.\n")
    environ = {"CUEDECK_FILES__EXTRA": str(outside)}
    run = {"environ": environ}
    sandbox.ok("decide", "Buy a walrus", "--because", "it swims")
    tried = ("--tried", "walrus training", "--failed", "it slept")
    sandbox.ok("attempt", "add", "--on", "docs/walrus.md", *tried)
    sandbox.write(
        ".cuedeck/assumptions.toml",
        '[[assumption]]\nid = "a"\ntext = "The walrus is alive"\n',
    )
    sandbox.write(
        ".cuedeck/experiences.jsonl",
        json.dumps({"id": "exp-1", "text": "A walrus needs cold water"}) + "\n",
    )
    sandbox.write(
        ".cuedeck/sessions/s.statements.jsonl",
        json.dumps({"id": "st1", "speaker": "user", "text": "Feed the walrus"}) + "\n",
    )
    answer = sandbox.answer("recall", "walrus", "--limit", "50", **run)
    kinds = {hit["kind"] for hit in answer["hits"]}
    assert kinds == set(KINDS)
    for hit in answer["hits"]:
        assert "walrus" in hit["snippet"].lower()
        for place in (hit["address"], hit["citation"]):
            opened = sandbox.ok("read", place, **run)
            assert "walrus" in opened.out.lower()
    for kind in KINDS:
        found = sandbox.answer("recall", "walrus", "--kind", kind, **run)
        assert {hit["kind"] for hit in found["hits"]} == {kind}


@pytest.mark.parametrize("query", ["record", "Will", "note this", "May", "IT"])
def test_words_that_other_programs_skip_are_found(shelter: Shelter, query: str) -> None:
    shelter.write_records(
        "MEMORY.md",
        {"text": "The record player of Will: note this, in May IT moves", "id": "one"},
        {"text": "Something else entirely", "id": "two"},
    )
    assert shelter.addresses(query) == ["record:one"]


def test_of_equal_records_the_newer_is_shown(shelter: Shelter) -> None:
    shelter.write_records(
        "MEMORY.md",
        {
            "text": "The door code changes",
            "id": "old",
            "at": "2024-01-01T10:00:00.000Z",
        },
        {"text": "The door code changes", "id": "new"},
    )
    assert shelter.addresses("door code") == ["record:new"]


GATE = "The harbour gate code is changed every Monday by Iria."


def test_a_text_below_headings_of_two_logs_is_shown_once(shelter: Shelter) -> None:
    for day, heading in (("18", "Day"), ("19", "Evening > Notes")):
        log = f"# {heading}\n\n- {GATE}\n"
        shelter.sandbox.write(f".cuedeck/memory/2026-11-{day}.md", log)
    (hit,) = shelter.ask("gate code")["hits"]
    assert hit["path"] == ".cuedeck/memory/2026-11-19.md"


def test_of_equal_texts_the_one_below_the_heading_of_the_query_is_shown(
    shelter: Shelter,
) -> None:
    for day, heading in (("18", "Porto"), ("19", "Lisbon")):
        log = f"# {heading}\n\n{GATE}\n"
        shelter.sandbox.write(f".cuedeck/memory/2026-11-{day}.md", log)
    (hit,) = shelter.ask("gate code in Porto")["hits"]
    assert hit["path"] == ".cuedeck/memory/2026-11-18.md"


def test_equal_texts_of_two_subjects_in_docs_are_different(shelter: Shelter) -> None:
    doc = (
        "# Ports\n\n## Billing\n\nThe port is 8080.\n\n## Login\n\nThe port is 8080.\n"
    )
    shelter.sandbox.write("docs/ports.md", doc)
    assert len(shelter.addresses("port 8080")) == 2


@pytest.mark.parametrize(
    ("fields", "ages"),
    [
        ({"category": "note"}, True),
        ({"category": "note", "promoted": {"date": "2026-11-20"}}, False),
        ({"category": "turn-summary"}, True),
        ({"category": "learned"}, False),
        ({"category": "user-preference"}, False),
        ({"category": "decision"}, False),
        ({"category": "profile"}, False),
    ],
)
def test_a_half_life_ages_all_but_protected_records(
    shelter: Shelter, fields: dict[str, Any], ages: bool
) -> None:
    old = {"text": "The otter swims", "at": "2016-01-01T10:00:00.000Z", **fields}
    shelter.write_records("MEMORY.md", old, {"text": "Nothing happened"})
    ageing = Shelter(shelter.sandbox, CUEDECK_RECALL__HALF_LIFE_DAYS="3650")
    (hit,) = ageing.ask("otter", explain=True)["hits"]
    ageing.close()
    assert hit["parts"].get("age", 1) == (pytest.approx(0.47, abs=0.02) if ages else 1)


def test_a_record_from_the_future_hides_nothing(shelter: Shelter) -> None:
    shelter.write_records(
        "MEMORY.md",
        {"text": "The heron came back", "id": "now"},
        {"text": "The heron leaves", "id": "later", "at": "2999-01-01T10:00:00Z"},
    )
    assert set(shelter.addresses("heron")) == {"record:now", "record:later"}


def test_times_of_two_zones_are_compared_as_moments(shelter: Shelter) -> None:
    shelter.write_records(
        "MEMORY.md",
        {"text": "The lamp is green", "id": "a", "at": "2026-11-20T09:30:00+02:00"},
        {"text": "The lamp is green!", "id": "b", "at": "2026-11-20T04:00:00-04:00"},
    )
    assert shelter.addresses("lamp") == ["record:b"]


def test_secret_superseded_and_forgotten_records_are_never_found(
    shelter: Shelter,
) -> None:
    shelter.write_records(
        "MEMORY.md",
        {"text": "walrus one", "id": "hidden", "sensitivity": "secret"},
        {"text": "walrus two", "id": "odd", "sensitivity": "top"},
        {"text": "walrus three", "id": "older"},
        {"text": "walrus four", "id": "newer", "supersedes": ["older"]},
        {"text": "walrus five", "id": "gone-1234"},
    )
    assert set(shelter.addresses("walrus")) == {"record:newer", "record:gone-1234"}
    shelter.sandbox.ok("memory", "forget", "gone-1234")
    assert shelter.addresses("walrus") == ["record:newer"]
    # A copy that comes back from a backup stays hidden.
    shelter.append("MEMORY.md", line("walrus five", id="gone-1234"))
    assert shelter.addresses("walrus") == ["record:newer"]


def test_hidden_records_take_no_places_of_others(shelter: Shelter) -> None:
    old = [{"text": "walrus", "id": f"old-{at}"} for at in range(900)]
    new = {"text": "the walrus of the long winter at sea", "id": "shown"}
    links = {
        "text": "all gone",
        "id": "sweep",
        "supersedes": [each["id"] for each in old],
    }
    shelter.write_records("MEMORY.md", *old, new, links)
    assert shelter.addresses("walrus") == ["record:shown"]


def test_a_record_in_several_files_is_shown_once(shelter: Shelter) -> None:
    record = {"text": "The otter swims", "id": "same"}
    shelter.write_records("memory/2026-11-20.md", record)
    shelter.write_records("memory/MEMORY-archive.md", record)
    shelter.write_records("MEMORY.md", record)
    (hit,) = shelter.ask("otter")["hits"]
    assert (hit["path"], hit["citation"]) == (
        ".cuedeck/MEMORY.md",
        ".cuedeck/MEMORY.md#L1",
    )


def test_a_query_without_text_is_refused(shelter: Shelter) -> None:
    with pytest.raises(UsageError):
        shelter.ask("  \n")
    with pytest.raises(Invalid, match="`\\?!` contains no word"):
        shelter.ask("?!")


def test_a_huge_query_is_cut_and_a_note_reports_it(shelter: Shelter) -> None:
    shelter.write_records("MEMORY.md", {"text": "The otter swims", "id": "one"})
    answer = shelter.ask("otter " + "x " * 500_000)
    assert [hit["address"] for hit in answer["hits"]] == ["record:one"]
    assert answer["notes"] == ["only the first 2,000 characters were searched"]


def test_dates_limit_the_hits(shelter: Shelter) -> None:
    shelter.write_records(
        "MEMORY.md",
        {"text": "heron one", "id": "a", "at": "2026-10-01T12:00:00Z"},
        {"text": "heron two", "id": "b", "at": "2026-11-03T12:00:00Z"},
    )
    shelter.sandbox.write(".cuedeck/memory/2026-11-05.md", "The heron three.\n")
    log = ".cuedeck/memory/2026-11-05.md#L1"
    assert set(shelter.addresses("heron", since="2026-11-01")) == {"record:b", log}
    assert shelter.addresses("heron", until="2026-10-31") == ["record:a"]
    assert shelter.addresses("heron", since="2026-11-05", until="2026-11-05") == [log]
    # Words of time prefer these days, and alone they list them.
    assert shelter.addresses("heron in October 2026")[0] == "record:a"
    answer = shelter.ask("2026-11-05")
    assert [hit["address"] for hit in answer["hits"]] == [log]
    with pytest.raises(UsageError):
        shelter.ask("heron", since="tomorrowish")


def test_filters_and_pages(shelter: Shelter) -> None:
    shelter.write_records(
        "MEMORY.md",
        *({"text": f"badger number {at}", "id": f"b{at}"} for at in range(7)),
        {"text": "badger of another kind", "id": "k", "category": "learned"},
        {"text": "badger of a session", "id": "s", "sessionId": "evening"},
    )
    assert shelter.addresses("badger", category="learned") == ["record:k"]
    assert shelter.addresses("badger", session="even") == ["record:s"]
    pages = [shelter.addresses("badger", limit=4, offset=at) for at in (0, 4, 8)]
    assert len({each for page in pages for each in page}) == 9
    answer = shelter.ask("badger", limit=4)
    assert (answer["total"], answer["left_out"]) == (9, 5)


def test_tokens_limit_the_whole_answer(shelter: Shelter) -> None:
    records = [
        {"text": f"badger {at} " + "word " * 50, "id": f"b{at}"} for at in range(9)
    ]
    shelter.write_records("MEMORY.md", *records)
    counter = shelter.workspace.counter()
    found = []
    for as_json in (False, True):
        answer = shelter.ask("badger", tokens=500, as_json=as_json)
        printed = answer_text(shelter.workspace, answer)
        if as_json:
            printed = json_text(answer)
        assert counter.count(printed) <= 500
        assert answer["left_out"] == 9 - len(answer["hits"])
        found.append(len(answer["hits"]))
    assert 0 < found[1] < found[0] < 9


def test_a_turn_next_to_a_match_is_found_and_a_record_is_not(shelter: Shelter) -> None:
    shelter.sandbox.write(
        ".cuedeck/memory/2026-11-20.md",
        "- Ana: Did you see the walrus?\n- Bob: Yes, near the pier.\n",
    )
    shelter.write_records(
        "MEMORY.md",
        {"text": "walrus facts", "id": "a"},
        {"text": "unrelated neighbour", "id": "b"},
    )
    hits = shelter.ask("walrus")["hits"]
    found = {hit["address"]: hit["why"] for hit in hits}
    assert found[".cuedeck/memory/2026-11-20.md#L2"] == "next to a match"
    assert "record:b" not in found


def test_an_append_reads_and_writes_only_the_new_lines(shelter: Shelter) -> None:
    for count in (100, 5_000):
        records = ({"text": f"fact number {at}", "id": f"r{at}"} for at in range(count))
        shelter.write_records("MEMORY.md", *records)
        shelter.ask("fact")
        before = shelter.index.rows_written
        shelter.append("MEMORY.md", line("the walrus came", id="new"))
        assert shelter.addresses("walrus") == ["record:new"]
        assert shelter.index.rows_written - before == 1


def test_an_index_that_grew_equals_a_new_one(shelter: Shelter) -> None:
    name = "memory/2026-11-20.md"
    parts = [
        "# Friday\n\nThe first parag", "raph ends here.\n", "It goes on.\n\n## Later\n",
        line("a record", id="r1"), line("cut in half", id="r2")[:30],
        line("cut in half", id="r2")[30:], "- item one\n", "  hanging line\n- item",
        " two\n", "```\ncode\n", "more\n```\n\nAfter.\n", line("walrus", supersedes=["r1"]),
    ]  # fmt: skip
    shelter.sandbox.write(f".cuedeck/{name}")
    for part in parts:
        shelter.append(name, part)
        shelter.ask("walrus")
    grown = shelter.index.database.execute("SELECT * FROM units").fetchall()
    files = "SELECT path, units, words, newest FROM files"
    known = shelter.index.database.execute(files).fetchall()
    os.unlink(shelter.index.place)
    shelter.ask("walrus")
    whole = shelter.index.database.execute("SELECT * FROM units").fetchall()
    assert [row[1:] for row in grown] == [row[1:] for row in whole]
    assert shelter.index.database.execute(files).fetchall() == known


def test_a_file_that_is_edited_or_deleted_is_read_again(shelter: Shelter) -> None:
    place = shelter.write_records("MEMORY.md", {"text": "the heron", "id": "one"})
    assert shelter.addresses("heron") == ["record:one"]
    place.write_text(line("the stork", id="one"))
    assert (shelter.addresses("heron"), shelter.addresses("stork")) == (
        [],
        ["record:one"],
    )
    place.write_text(line("the crane", id="one"))
    assert shelter.addresses("crane") == ["record:one"]
    place.unlink()
    assert shelter.addresses("crane") == []


@pytest.mark.parametrize("damage", ["cut", "noise", "late noise", "foreign", "empty"])
def test_a_corrupt_index_is_built_again(shelter: Shelter, damage: str) -> None:
    records = [{"text": f"heron {at}", "id": f"h{at}"} for at in range(200)]
    shelter.write_records("MEMORY.md", *records)
    assert shelter.ask("heron 7")["hits"][0]["address"] == "record:h7"
    place = Path(shelter.index.place)
    shelter.close()
    data = place.read_bytes()
    place.unlink()
    if damage == "foreign":
        with sqlite3.connect(place) as database:
            database.execute("CREATE TABLE meta (key, value)")
        database.close()
    else:
        noise = bytes(byte ^ 0x5A for byte in data[8192:])
        middle = len(data) // 3
        late = bytes(byte ^ 0x5A for byte in data[middle:])
        bad = {
            "cut": data[:5000],
            "noise": data[:8192] + noise,
            "late noise": data[:middle] + late,
            "empty": b"",
        }
        place.write_bytes(bad[damage])
    again = Shelter(shelter.sandbox)
    assert again.ask("heron 7")["hits"][0]["address"] == "record:h7"
    again.close()


def test_an_index_that_lost_a_file_is_built_again(shelter: Shelter) -> None:
    shelter.write_records("MEMORY.md", {"text": "the heron", "id": "one"})
    shelter.write_records("memory/2026-02-01.md", {"text": "a heron", "id": "two"})
    expected = set(shelter.addresses("heron"))
    place = shelter.index.place
    shelter.close()
    with sqlite3.connect(place) as database:
        database.execute("UPDATE files SET number = number + 100")
    database.close()
    again = Shelter(shelter.sandbox)
    assert set(again.addresses("heron")) == expected
    again.close()


def test_two_processes_and_threads_share_one_index(shelter: Shelter) -> None:
    shelter.write_records("MEMORY.md", *({"text": f"heron {at}"} for at in range(300)))
    answers = []

    def ask() -> None:
        answers.append(shelter.sandbox.answer("recall", "heron 5", "--limit", "3"))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hits = [[hit["address"] for hit in answer["hits"]] for answer in answers]
    assert hits == [shelter.addresses("heron 5", limit=3)] * 4


def test_citations_can_be_switched(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/MEMORY.md", line("The otter swims", id="one"))
    found = {}
    for mode in ("auto", "on", "off"):
        shelter = Shelter(sandbox, CUEDECK_RECALL__CITATIONS=mode)
        (found[mode],) = shelter.ask("otter")["hits"]
        shelter.close()
    place = ".cuedeck/MEMORY.md#L1"
    assert (found["auto"]["citation"], found["auto"]["snippet"]) == (
        place,
        "The otter swims",
    )
    assert found["on"]["snippet"] == f"The otter swims\nSource: {place}"
    assert "citation" not in found["off"]


def test_other_rules_for_secrets_build_the_index_again(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/USER.md", "The customer ACMEWORD likes otters.\n")
    first = Shelter(sandbox)
    assert "ACMEWORD" in first.ask("otters")["hits"][0]["snippet"]
    first.close()
    sandbox.write(
        ".cuedeck/config.toml", "[secrets]\npatterns = ['customer: ACME[A-Z]+']\n"
    )
    second = Shelter(sandbox)
    assert "ACMEWORD" not in second.ask("otters")["hits"][0]["snippet"]
    second.close()


def test_a_forgotten_record_leaves_no_trace_in_the_index(shelter: Shelter) -> None:
    shelter.write_records(
        "MEMORY.md",
        {"text": "the quokka is here", "id": "gone-1234"},
        {"text": "the heron is here", "id": "kept-1234"},
    )
    assert shelter.addresses("quokka") == ["record:gone-1234"]
    place = Path(shelter.index.place)
    shelter.sandbox.ok("memory", "forget", "gone-1234")
    assert shelter.addresses("heron") == ["record:kept-1234"]
    shelter.index.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for file in place.parent.glob("recall.sqlite*"):
        assert b"quokka" not in file.read_bytes()


def test_a_memory_outside_the_workspace_is_a_note(sandbox: Sandbox) -> None:
    outside = sandbox.root.parent / "elsewhere.md"
    outside.write_text(line("the walrus", id="x"))
    (sandbox.root / ".cuedeck/MEMORY.md").symlink_to(outside)
    sandbox.write("docs/a.md", "The walrus doc.\n")
    shelter = Shelter(sandbox)
    answer = shelter.ask("walrus")
    assert [hit["address"] for hit in answer["hits"]] == ["docs/a.md#L1"]
    assert "the memory is not searched" in answer["notes"][0]
    shelter.close()


def test_a_memory_file_that_becomes_a_link_is_not_read(shelter: Shelter) -> None:
    """A server keeps the workspace open while `git pull` brings the link."""
    shelter.sandbox.write(".cuedeck/memory/2026-11-20.md", "The heron stands\n")
    assert shelter.ask("heron")["total"] == 1
    outside = shelter.sandbox.root.parent / "elsewhere.md"
    outside.write_text("The walrus swims\n")
    (shelter.sandbox.root / ".cuedeck/USER.md").symlink_to(outside)
    answer = shelter.ask("walrus")
    assert answer["hits"] == []
    assert ".cuedeck/USER.md is not searched" in answer["notes"][0]


def test_broken_bytes_and_surrogates_are_indexed(shelter: Shelter) -> None:
    shelter.sandbox.write(
        ".cuedeck/memory/2026-11-20.md", b"The otter \xff\xfe swims\n"
    )
    shelter.append(
        "memory/2026-11-20.md", '- {"id": "s", "text": "lone \\ud800 otter"}\n'
    )
    assert shelter.ask("otter")["total"] == 2


def test_hits_are_counted_for_dreaming(shelter: Shelter) -> None:
    shelter.write_records("MEMORY.md", {"text": "the otter", "id": "one"})
    memory = memory_of(shelter.workspace)
    shelter.ask("otter")
    shelter.ask("otter")
    totals = read_recalls(memory).totals.values()
    assert [(each.key, len(each.hits)) for each in totals] == [("record:one", 2)]


def test_a_count_that_fails_does_not_fail_the_answer(shelter: Shelter) -> None:
    shelter.write_records("MEMORY.md", {"text": "the otter", "id": "one"})
    shelter.sandbox.write(".cuedeck/memory/.dreams", "a file in place of the folder")
    assert shelter.addresses("otter") == ["record:one"]
