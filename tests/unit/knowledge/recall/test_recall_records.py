"""Search for records by words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.knowledge.recall.recall import recall
from cuedeck.ledger.records.memory_files import memory_of


class SampleMemory:
    """The memory of a test workspace."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.workspace = sandbox.workspace()
        self.memory = memory_of(self.workspace)

    def add(self, text: str, **fields: Any) -> str:
        return add_records(self.workspace, self.memory, [NewRecord(text, **fields)])[0]

    def ask(self, query: str, **options: Any) -> list[str]:
        found = recall(self.workspace, query, **options)
        return [hit["address"].removeprefix("record:") for hit in found["hits"]]


@pytest.fixture
def sample(sandbox: Sandbox) -> SampleMemory:
    return SampleMemory(sandbox)


def test_records_are_found_by_words_best_first(sample: SampleMemory) -> None:
    both = sample.add("Deploys to production never go out on Fridays")
    one = sample.add("The production database is reset by hand")
    sample.add("Lunch is at noon")
    assert sample.ask("production deploys on a friday") == [both, one]
    assert sample.ask("dinner") == []


def test_daily_log_and_archive_are_searched(sample: SampleMemory) -> None:
    def line(identity: str, text: str) -> str:
        provenance = {"timestamp": "2026-01-01T10:00:00Z", "sensitivity": "public"}
        return f"- {json.dumps({'id': identity, 'text': text, 'category': 'note', 'provenance': provenance})}\n"

    sample.sandbox.write(
        ".cuedeck/memory/2026-01-01.md", line("day-1", "the heron stood there")
    )
    sample.sandbox.write(
        f".cuedeck/{sample.memory.archive.removeprefix('.cuedeck/')}",
        line("old-1", "a heron of old"),
    )
    assert set(sample.ask("heron")) == {"day-1", "old-1"}
    sample.sandbox.write(
        ".cuedeck/memory/2026-01-01.md", line("day-1", "the stork stood there")
    )
    assert sample.ask("stork") == ["day-1"]
    assert sample.ask("heron") == ["old-1"]


def test_every_markdown_file_below_the_folder_of_the_logs_is_searched(
    sample: SampleMemory, tmp_path: Path
) -> None:
    write = sample.sandbox.write
    write(".cuedeck/memory/notes.md", "# Zoo\n\nThe okapi sleeps at noon.\n")
    write(".cuedeck/memory/trips/oslo.md", "- The okapi of Oslo is shy\n")
    write(".cuedeck/memory/undo/MEMORY.md", "an okapi of a backup\n")
    write(".cuedeck/memory/.dreams/okapi.md", "an okapi of dreams\n")
    write(".cuedeck/memory/notes.txt", "an okapi of text\n")
    secret = {"id": "s", "text": "the okapi key", "category": "note"}
    secret["provenance"] = {"sensitivity": "secret"}  # type: ignore[assignment]
    write(".cuedeck/memory/keys.md", f"- {json.dumps(secret)}\n")
    outside = tmp_path / "outside.md"
    outside.write_text("an okapi elsewhere\n")
    (sample.sandbox.root / ".cuedeck/memory/link.md").symlink_to(outside)
    hits = sample.sandbox.answer("recall", "okapi")["hits"]
    places = {hit["citation"] for hit in hits}
    assert places == {".cuedeck/memory/notes.md#L3", ".cuedeck/memory/trips/oslo.md#L1"}
    for place in places:
        assert "okapi" in sample.sandbox.answer("read", place)["text"]
        assert "okapi" in sample.sandbox.ok("memory", "read", place).out
    shown = sample.sandbox.ok("read", ".cuedeck/memory/keys.md")
    assert "okapi" not in shown.out
    for name in ("memory/link.md", "memory/undo/MEMORY.md", "memory/../../a.md"):
        assert sample.sandbox.run("read", f".cuedeck/{name}").code


def record_line(identity: str, text: str, **provenance: str) -> str:
    record = {"id": identity, "text": text, "category": "note"}
    return f"- {json.dumps({**record, 'provenance': provenance})}\n"


def test_a_record_line_in_another_file_is_text_with_a_place(
    sample: SampleMemory,
) -> None:
    sandbox = sample.sandbox
    sandbox.write(
        ".cuedeck/memory/notes.md",
        "# Zoo\n\n" + record_line("note-1", "The okapi of Oslo is shy"),
    )
    (hit,) = sandbox.answer("recall", "okapi")["hits"]
    assert hit["address"] == hit["citation"] == ".cuedeck/memory/notes.md#L3"
    assert (hit["kind"], hit["snippet"]) == ("log", "The okapi of Oslo is shy")
    assert "okapi" in sandbox.answer("read", hit["address"])["text"]
    assert sandbox.run("read", "record:note-1").code == 1
    assert sandbox.run("memory", "forget", "note-1").code == 1
    of_records = sandbox.answer("recall", "okapi", "--kind", "record", code=1)
    assert of_records["hits"] == []
    assert sandbox.answer("recall", "okapi", "--kind", "log")["hits"] == [hit]


def test_a_copy_of_a_record_in_another_file_is_as_hidden_as_the_record(
    sample: SampleMemory,
) -> None:
    def copy(identity: str, text: str) -> None:
        sample.sandbox.write(
            ".cuedeck/memory/copy.md", record_line(identity, text, sensitivity="public")
        )

    def places(query: str) -> list[str]:
        return [each["address"] for each in recall(sample.workspace, query)["hits"]]

    text = "The ferry leaves at dawn"
    kept = sample.add(text)
    copy(kept, text)
    assert places("ferry") == [f"record:{kept}"]
    new = sample.add("The ferry leaves at noon", supersedes=(kept,))
    assert places("ferry") == [f"record:{new}"]
    sample.sandbox.ok("memory", "forget", new)
    copy(new, "The ferry leaves at noon")
    assert places("ferry") == [f"record:{kept}"]
    sample.add(text, sensitivity="secret")
    copy("other", text)
    assert places("ferry") == []


def test_a_record_line_in_another_file_supersedes_no_record(
    sample: SampleMemory,
) -> None:
    kept = sample.add("The ferry leaves at dawn")
    line = json.loads(record_line("new-1", "The ferry leaves at noon")[2:])
    line["supersedes"] = [kept]
    sample.sandbox.write(".cuedeck/memory/other.md", f"- {json.dumps(line)}\n")
    shown = sample.sandbox.answer("memory", "show", kept)
    assert not shown.get("supersededBy")
    assert set(sample.ask("ferry")) == {kept, ".cuedeck/memory/other.md#L1"}


def test_other_logs_are_not_written(sample: SampleMemory) -> None:
    sample.sandbox.write(".cuedeck/memory/notes.md", "The okapi sleeps.\n")
    shown = sample.sandbox.answer("memory", "read", "memory/notes.md")
    arguments = ("memory", "write", "memory/notes.md", "--if-hash", shown["hash"])
    ran = sample.sandbox.run(*arguments, text="The okapi wakes.\n")
    assert "not kept by CueDeck" in ran.err


def test_record_hit_has_the_common_shape(sample: SampleMemory) -> None:
    identity = sample.add("The otter swims")
    (hit,) = recall(sample.workspace, "otter")["hits"]
    assert list(hit) == [
        "address",
        "path",
        "kind",
        "title",
        "lines",
        "score",
        "why",
        "snippet",
        "citation",
        "date",
    ]
    assert (hit["address"], hit["path"], hit["kind"]) == (
        f"record:{identity}",
        ".cuedeck/MEMORY.md",
        "record",
    )
    assert hit["snippet"] == "The otter swims"
    text = sample.sandbox.place(".cuedeck/MEMORY.md").read_text().splitlines()
    assert identity in text[hit["lines"][0] - 1]


def test_long_record_is_cut_around_the_match(sample: SampleMemory) -> None:
    sample.add("so " * 500 + "the lynx" + " and" * 500)
    (hit,) = recall(sample.workspace, "lynx")["hits"]
    assert len(hit["snippet"]) <= 502
    assert "lynx" in hit["snippet"]
