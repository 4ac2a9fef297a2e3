"""Undo of a compaction, and summaries by a command."""

from __future__ import annotations

import json
import sys

import pytest
from compaction_memory import OLD, RECENT, SampleMemory, line, uuid
from sandbox import Sandbox

from cuedeck.knowledge.compaction.apply_plan import NOTHING, undo
from cuedeck.ledger.records.long_memory_file import TITLE
from cuedeck.ledger.records.record_file import parse_line
from cuedeck.model.errors import StorageError

ARCHIVE = "memory/MEMORY-archive.md"


@pytest.fixture
def sample(sandbox: Sandbox) -> SampleMemory:
    sample = SampleMemory(sandbox)
    sample.write(OLD[0], "by hand", *OLD[1:], RECENT)
    return sample


@pytest.mark.parametrize("had_files", [False, True])
def test_undo_restores_all_files(sample: SampleMemory, had_files: bool) -> None:
    if had_files:
        sample.sandbox.write(".cuedeck/LONGMEMORY.md", f"{TITLE}\nmine\n")
        sample.sandbox.write(f".cuedeck/{ARCHIVE}", line(700, "older") + "\n")
    before = sample.all
    sample.compact()
    done = undo(sample.workspace.paths, sample.files)
    assert sample.all == before
    assert (done.ran, done.restored, done.archive_lines_removed) == (True, 12, 12)
    assert undo(sample.workspace.paths, sample.files).reason == NOTHING


def test_dry_run_of_an_undo_changes_nothing(sample: SampleMemory) -> None:
    sample.compact()
    before = sample.sandbox.bytes()
    done = undo(sample.workspace.paths, sample.files, dry_run=True)
    assert (done.ran, done.restored, done.records_after) == (False, 12, 13)
    assert sample.sandbox.bytes() == before


def test_later_additions_edits_and_deletions_survive_an_undo(
    sample: SampleMemory,
) -> None:
    sample.compact()
    late = line(500, "late", days=0)
    sample.add(late)
    edited = RECENT.replace("recent", "corrected")
    sample.sandbox.write(
        ".cuedeck/MEMORY.md",
        sample.text().replace(RECENT, edited).replace("by hand", "by hand, again"),
    )
    tombstone = json.dumps(
        {"id": uuid(3), "timestamp": "2026-11-21T12:00:00Z", "state": "done"}
    )
    sample.sandbox.write(".cuedeck/memory/tombstones.jsonl", f"{tombstone}\n")
    done = undo(sample.workspace.paths, sample.files)
    records = [record.text for record in sample.files.primary.records]
    assert records == [
        f"old summary {number}" for number in range(12) if number != 3
    ] + ["corrected", "late"]
    lines = sample.text().split("\n")
    assert lines.index(OLD[0]) < lines.index("by hand") < lines.index(OLD[1])
    assert sorted(lines[-3:-1]) == sorted(["by hand, again", late])
    assert done.notes == (
        "2 lines added to MEMORY.md since the run: kept at the end of the file",
    )


def test_lines_rewritten_with_other_line_ends_are_not_added_twice(
    sample: SampleMemory,
) -> None:
    before = sample.text()
    sample.compact()
    sample.sandbox.write(
        ".cuedeck/MEMORY.md", sample.text().replace("\n", "\r\n").encode()
    )
    undo(sample.workspace.paths, sample.files)
    assert sample.text() == before


def test_interrupted_undo_is_completed(
    sample: SampleMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sample.all
    sample.compact()

    def fails(*_: object) -> None:
        raise StorageError("no space left")

    for step in (
        "ledger.entry_files.EntryFiles.remove",
        "knowledge.compaction.apply_plan.discard",
    ):
        with monkeypatch.context() as patched:
            patched.setattr(f"cuedeck.{step}", fails)
            with pytest.raises(StorageError):
                undo(sample.workspace.paths, sample.files)
    undo(sample.workspace.paths, sample.files)
    assert sample.all == before


def test_lines_added_to_the_long_memory_survive_an_undo(sample: SampleMemory) -> None:
    sample.compact()
    text = sample.text("LONGMEMORY.md")
    sample.sandbox.write(
        ".cuedeck/LONGMEMORY.md", text.replace(TITLE, f"{TITLE}\nmine\n")
    )
    undo(sample.workspace.paths, sample.files)
    assert sample.text("LONGMEMORY.md") == "mine\n"


def test_only_the_last_run_can_be_undone(sample: SampleMemory) -> None:
    sample.compact()
    sample.add(*(line(number, days=9) for number in range(200, 210)))
    before = sample.all
    sample.compact()
    assert undo(sample.workspace.paths, sample.files).ran
    assert sample.all == before
    assert undo(sample.workspace.paths, sample.files).reason == NOTHING
    assert [
        path.name for path in sample.sandbox.place(".cuedeck/memory/undo").iterdir()
    ] == []


def test_undo_without_a_run_is_refused(sample: SampleMemory) -> None:
    before = sample.sandbox.bytes()
    assert undo(sample.workspace.paths, sample.files).reason == NOTHING
    assert {
        path: data
        for path, data in sample.sandbox.bytes().items()
        if "cache" not in path
    } == before


def memory_with_summariser(
    sandbox: Sandbox, program: str, seconds: int = 20
) -> SampleMemory:
    script = sandbox.write("condense.py", program)
    sample = SampleMemory(
        sandbox,
        f"enabled = true\nthreshold_records = 5\nsummariser_seconds = {seconds}",
    )
    sample.workspace.environ["CUEDECK_COMPACTION__SUMMARISER"] = (
        f"{sys.executable},{script}"
    )
    sample.workspace.forget_settings()
    sample.write(*OLD, RECENT)
    return sample


GOOD = """
import json, sys
asked = json.load(sys.stdin)
ids = [each["id"] for each in asked["records"]]
keys = {"id", "text", "category", "timestamp"}
assert asked["maxChars"] > 1000 and all(set(each) == keys for each in asked["records"])
print(json.dumps({"facts": [{"text": "all of it at once", "ids": ids[1:]}, {"text": "the first", "ids": ids[:1]}]}))
"""


def test_summariser_command_rewrites_facts(sandbox: Sandbox) -> None:
    sample = memory_with_summariser(sandbox, GOOD)
    done = sample.compact()
    assert (done.ran, done.by, done.notes) == (True, "summariser", ())
    both = "\n".join(sample.texts) + sample.text("LONGMEMORY.md")
    assert (
        "- all of it at once [" + "+".join(uuid(number)[:8] for number in range(1, 12))
        in both
    )
    assert f"- the first [{uuid(0)[:8]}" in both
    assert [each for each in sample.text(ARCHIVE).split("\n") if each] == OLD


@pytest.mark.parametrize(
    ("program", "seconds", "why"),
    [
        ("raise SystemExit(3)", 20, "ended with 3"),
        ("import time; time.sleep(30)", 1, "did not answer within 1 s"),
        ("print('not json')", 20, "did not print JSON"),
        ("print('{\"facts\": []}')", 20, "no facts"),
        (GOOD.replace("ids[1:]", "ids[2:]"), 20, "no fact covers 1 records"),
        (GOOD.replace("ids[1:]", "[*ids[1:], 'x']"), 20, "has an unknown id"),
        (GOOD.replace('"all of it at once"', '"x" * 200_000'), 20, "characters"),
        (GOOD.replace('"all of it at once"', '" "'), 20, "no text"),
        ("print('x' * 20_000_000)", 20, "more than 10,000,000 bytes"),
    ],
)
def test_failed_summariser_falls_back_to_the_rules_and_is_reported(
    sandbox: Sandbox, program: str, seconds: int, why: str
) -> None:
    done = memory_with_summariser(sandbox, program, seconds).compact()
    assert (done.ran, done.by) == (True, "rules")
    assert why in done.notes[0]


def test_dry_run_starts_no_command(sandbox: Sandbox) -> None:
    sample = memory_with_summariser(sandbox, "open('started', 'w')")
    assert "was not called" in sample.compact(dry_run=True).notes[0]
    assert not sandbox.place("started").exists()


def test_summariser_receives_and_returns_no_secret(sandbox: Sandbox) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    program = GOOD.replace("assert", f"assert {key!r} not in str(asked) and").replace(
        "the first", f"now {key}"
    )
    sample = memory_with_summariser(sandbox, program)
    sample.write(
        *OLD,
        line(40, f"the token is {key}"),
        line(41, "SECRETPIN", sensitivity="secret"),
    )
    done = sample.compact()
    assert (done.by, done.notes) == ("summariser", ())
    assert key not in "\n".join(sample.texts) + sample.text("LONGMEMORY.md")


def test_forgotten_record_is_removed_from_merged_records_for_good(
    sample: SampleMemory,
) -> None:
    from cuedeck.knowledge.memory.forget_record import forget_record

    sample.compact()
    for number in (0, 9):
        forget_record(sample.workspace, sample.files, uuid(number))
    assert undo(sample.workspace.paths, sample.files).restored == 10
    assert not sample.text("LONGMEMORY.md")
    for place in sample.sandbox.root.rglob("*"):
        if place.is_file() and "cache" not in place.parts:
            message = place.read_text("utf-8", "replace")
            assert "old summary 0" not in message and "old summary 9" not in message, (
                place
            )


def compaction_line(sample: SampleMemory) -> str:
    return next(each for each in sample.text().split("\n") if '"compaction"' in each)


@pytest.mark.parametrize("by_hand", [True, False])
def test_edited_compaction_record_stays_after_undo(
    sample: SampleMemory, by_hand: bool
) -> None:
    from cuedeck.knowledge.memory.edit_record import Correction, edit_record

    sample.compact()
    made = parse_line(compaction_line(sample)).record
    assert made is not None
    if by_hand:
        line = compaction_line(sample)
        sample.sandbox.write(
            ".cuedeck/MEMORY.md",
            sample.text().replace(line, line.replace("old summary", "my word", 1)),
        )
    else:
        edit_record(
            sample.workspace,
            sample.files,
            made.id,
            Correction(made.text.replace("old summary", "my word", 1)),
        )
    dry = undo(sample.workspace.paths, sample.files, dry_run=True)
    done = undo(sample.workspace.paths, sample.files)
    assert done.notes == dry.notes and len(done.notes) == 1
    assert (done.restored, done.records_after) == (12, 14)
    assert compaction_line(sample).count("my word") == 1
    assert set(OLD) < set(sample.text().split("\n"))
    assert undo(sample.workspace.paths, sample.files).reason == NOTHING


def test_record_changed_only_by_a_deletion_is_not_edited(sample: SampleMemory) -> None:
    from cuedeck.knowledge.memory.forget_record import forget_record

    sample.compact()
    named = [
        number for number in range(12) if uuid(number)[:8] in compaction_line(sample)
    ]
    forget_record(sample.workspace, sample.files, uuid(named[0]))
    assert '"compaction"' in sample.text()
    done = undo(sample.workspace.paths, sample.files)
    assert (done.restored, done.notes) == (11, ())
    assert '"compaction"' not in sample.text()


@pytest.mark.parametrize("originals", [False, True])
def test_compaction_record_is_deleted_alone_or_with_its_sources(
    sample: SampleMemory, originals: bool
) -> None:
    from cuedeck.knowledge.memory.forget_record import forget_record, tombstones

    sample.compact()
    made = parse_line(compaction_line(sample)).record
    assert made is not None
    named = [uuid(number) for number in range(12) if uuid(number)[:8] in made.text]
    dry = forget_record(
        sample.workspace, sample.files, made.id, dry_run=True, originals=originals
    )
    answer = forget_record(sample.workspace, sample.files, made.id, originals=originals)
    assert answer["warnings"] == dry["warnings"] and sorted(
        answer["originals"]
    ) == sorted(named if originals else [])
    if not originals:
        (warning,) = answer["warnings"]
        assert f"{len(named)} records" in warning and "--originals" in warning
        assert undo(sample.workspace.paths, sample.files).restored == 12
        return
    assert answer["warnings"] == []
    assert tombstones(sample.files) == dict.fromkeys(
        [made.id, *answer["originals"]], "done"
    )
    assert undo(sample.workspace.paths, sample.files).restored == 12 - len(named)
    for place in sample.sandbox.root.rglob("*"):
        if (
            place.is_file()
            and "cache" not in place.parts
            and place.name != "tombstones.jsonl"
        ):
            assert not any(
                each in place.read_text("utf-8", "replace") for each in named
            ), place


def test_ambiguous_and_unknown_source_ids_are_not_forgotten(
    sample: SampleMemory,
) -> None:
    from cuedeck.knowledge.memory.forget_record import forget_record

    message = (
        "2026-11-01, s1: parser\n- one [aaaaaaaa +3]\n- two [=mine]\n- three [bbbbbbbb]"
    )
    ids = ("aaaaaaaa-1", "aaaaaaaa-2", "mine")
    sample.write(
        line(1, message, category="compaction"),
        *(line(0, f"say {each}", id=each) for each in ids),
    )
    answer = forget_record(sample.workspace, sample.files, uuid(1), originals=True)
    assert answer["originals"] == ["mine"]
    assert (
        "5 of the records it was merged from cannot be identified"
        in answer["warnings"][0]
    )
    assert [record.id for record in sample.files.primary.records] == [
        "aaaaaaaa-1",
        "aaaaaaaa-2",
    ]
