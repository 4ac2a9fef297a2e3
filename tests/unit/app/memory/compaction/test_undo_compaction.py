"""Undoing a compaction, and summaries of an agent's own."""

from __future__ import annotations

import json
import sys

import pytest
from compacting import NOW, OLD, RECENT, Kept, line, uuid
from sandbox import Sandbox

from cuedeck.app.memory.compaction.agent_summary import compact_with
from cuedeck.app.memory.compaction.undo_compaction import NOTHING, undo
from cuedeck.model.errors import Invalid, Locked, NotFound, StorageError
from cuedeck.parse.long_memory_file import TITLE
from cuedeck.parse.record_file import parse_line, parse_records

ARCHIVE = "memory/MEMORY-archive.md"


@pytest.fixture
def kept(sandbox: Sandbox) -> Kept:
    kept = Kept(sandbox)
    kept.write(OLD[0], "by hand", *OLD[1:], RECENT)
    return kept


@pytest.mark.parametrize("had_files", [False, True])
def test_undone_everything_is_as_it_was(kept: Kept, had_files: bool) -> None:
    if had_files:
        kept.sandbox.write(".cuedeck/LONGMEMORY.md", f"{TITLE}\nmine\n")
        kept.sandbox.write(f".cuedeck/{ARCHIVE}", line(700, "older") + "\n")
    before = kept.all
    kept.compact()
    done = undo(kept.workspace, kept.files)
    assert kept.all == before
    assert (done.ran, done.restored, done.archive_lines_removed) == (True, 12, 12)
    assert undo(kept.workspace, kept.files).reason == NOTHING


def test_a_dry_run_of_undoing_changes_nothing(kept: Kept) -> None:
    kept.compact()
    before = kept.sandbox.bytes()
    done = undo(kept.workspace, kept.files, dry_run=True)
    assert (done.ran, done.restored, done.records_after) == (False, 12, 13)
    assert kept.sandbox.bytes() == before


def test_later_additions_edits_and_deletions_survive_an_undo(kept: Kept) -> None:
    kept.compact()
    late = line(500, "late", days=0)
    kept.add(late)
    edited = RECENT.replace("recent", "corrected")
    kept.sandbox.write(
        ".cuedeck/MEMORY.md",
        kept.text().replace(RECENT, edited).replace("by hand", "by hand, again"),
    )
    tombstone = json.dumps(
        {"id": uuid(3), "timestamp": "2026-11-21T12:00:00Z", "state": "done"}
    )
    kept.sandbox.write(".cuedeck/memory/tombstones.jsonl", f"{tombstone}\n")
    done = undo(kept.workspace, kept.files)
    records = [record.text for record in parse_records(kept.text()).records]
    assert records == [
        f"old summary {number}" for number in range(12) if number != 3
    ] + ["corrected", "late"]
    lines = kept.text().split("\n")
    assert lines.index(OLD[0]) < lines.index("by hand") < lines.index(OLD[1])
    assert sorted(lines[-3:-1]) == sorted(["by hand, again", late])
    assert done.notes == (
        "2 lines added to MEMORY.md since the run: kept at the end of the file",
    )


def test_lines_written_with_other_line_ends_since_are_not_added_twice(
    kept: Kept,
) -> None:
    before = kept.text()
    kept.compact()
    kept.sandbox.write(".cuedeck/MEMORY.md", kept.text().replace("\n", "\r\n").encode())
    undo(kept.workspace, kept.files)
    assert kept.text() == before


def test_an_undo_that_was_interrupted_before_it_cleaned_up_is_completed(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept.all
    kept.compact()

    def fails(*_: object) -> None:
        raise StorageError("no space left")

    for step in ("remove", "discard"):
        with monkeypatch.context() as patched:
            patched.setattr(
                f"cuedeck.app.memory.compaction.undo_compaction.{step}", fails
            )
            with pytest.raises(StorageError):
                undo(kept.workspace, kept.files)
    undo(kept.workspace, kept.files)
    assert kept.all == before


def test_lines_added_to_the_long_memory_since_are_kept(kept: Kept) -> None:
    kept.compact()
    text = kept.text("LONGMEMORY.md")
    kept.sandbox.write(
        ".cuedeck/LONGMEMORY.md", text.replace(TITLE, f"{TITLE}\nmine\n")
    )
    undo(kept.workspace, kept.files)
    assert kept.text("LONGMEMORY.md") == "mine\n"


def test_only_the_last_run_is_kept_and_undone(kept: Kept) -> None:
    kept.compact()
    kept.add(*(line(number, days=9) for number in range(200, 210)))
    before = kept.all
    kept.compact()
    assert undo(kept.workspace, kept.files).ran
    assert kept.all == before
    assert undo(kept.workspace, kept.files).reason == NOTHING
    assert [
        path.name for path in kept.sandbox.place(".cuedeck/memory/undo").iterdir()
    ] == []


def test_without_a_run_there_is_nothing_to_undo(kept: Kept) -> None:
    before = kept.sandbox.bytes()
    assert undo(kept.workspace, kept.files).reason == NOTHING
    assert {
        path: data for path, data in kept.sandbox.bytes().items() if "cache" not in path
    } == before


def test_a_summary_of_ones_own_takes_the_place_of_records_and_names_them(
    kept: Kept,
) -> None:
    before = kept.all
    done = compact_with(
        kept.workspace,
        kept.files,
        [uuid(1)[:9], uuid(2)],
        "one and two, together",
        now=NOW,
    )
    assert (done.ran, done.by, done.compacted, done.records_after) == (
        True,
        "agent",
        2,
        12,
    )
    made = parse_records(kept.text()).records[0]
    assert (
        made.text.split("\n")[1]
        == f"- one and two, together [{uuid(1)[:8]}+{uuid(2)[:8]}]"
    )
    assert [each for each in kept.text(ARCHIVE).split("\n") if each] == OLD[1:3]
    undo(kept.workspace, kept.files)
    assert kept.all == before


def test_items_of_a_summary_name_their_own_sources(kept: Kept) -> None:
    said = f"- one [{uuid(1)[:8]}]\n- two\n  and three [{uuid(2)[:8]} {uuid(3)[:8]}]"
    compact_with(
        kept.workspace,
        kept.files,
        [uuid(number) for number in (1, 2, 3)],
        said,
        now=NOW,
    )
    text = parse_records(kept.text()).records[0].text
    assert (
        f"- one [{uuid(1)[:8]}]" in text
        and f"- two\n  and three [{uuid(2)[:8]}+{uuid(3)[:8]}]" in text
    )
    with pytest.raises(Invalid, match="does not cite the record"):
        compact_with(
            kept.workspace,
            kept.files,
            [uuid(4), uuid(5)],
            f"- x [{uuid(4)[:8]}]",
            now=NOW,
        )


def test_a_longer_or_empty_summary_or_one_of_protected_records_is_refused(
    kept: Kept,
) -> None:
    kept.add(
        line(30, "pin 1", sensitivity="secret"), line(31, "rule", category="learned")
    )
    before = kept.all
    for ids, text in (
        ([uuid(1)], "x" * 1000),
        ([uuid(1)], "  \n "),
        ([uuid(1), uuid(30)], "short"),
        ([uuid(1), uuid(31)], "short"),
        ([], "short"),
    ):
        with pytest.raises(Invalid):
            compact_with(kept.workspace, kept.files, ids, text, now=NOW)
    with pytest.raises(NotFound):
        compact_with(kept.workspace, kept.files, ["zzz"], "short", now=NOW)
    assert kept.all == before


def test_a_summary_waits_for_another_program_too(kept: Kept) -> None:
    import os

    lock = kept.sandbox.write(".cuedeck/tmp/memory-compaction.lock", "1")
    os.utime(lock, times=(NOW.timestamp(),) * 2)
    with pytest.raises(Locked):
        compact_with(kept.workspace, kept.files, [uuid(1), uuid(2)], "short", now=NOW)


def test_secrets_of_a_summary_are_masked(kept: Kept) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    compact_with(
        kept.workspace, kept.files, [uuid(1), uuid(2)], f"the token is {key}", now=NOW
    )
    assert key not in kept.text() and "<secret:" in kept.text()


def summarised(sandbox: Sandbox, program: str, seconds: int = 20) -> Kept:
    script = sandbox.write("condense.py", program)
    kept = Kept(
        sandbox,
        f"enabled = true\nthreshold_records = 5\nsummariser_seconds = {seconds}",
    )
    kept.workspace.environ["CUEDECK_COMPACTION__SUMMARISER"] = (
        f"{sys.executable},{script}"
    )
    kept.workspace.forget_settings()
    kept.write(*OLD, RECENT)
    return kept


GOOD = """
import json, sys
asked = json.load(sys.stdin)
ids = [each["id"] for each in asked["records"]]
keys = {"id", "text", "category", "timestamp"}
assert asked["maxChars"] > 1000 and all(set(each) == keys for each in asked["records"])
print(json.dumps({"facts": [{"text": "all of it at once", "ids": ids[1:]}, {"text": "the first", "ids": ids[:1]}]}))
"""


def test_a_command_puts_facts_into_its_own_words(sandbox: Sandbox) -> None:
    kept = summarised(sandbox, GOOD)
    done = kept.compact()
    assert (done.ran, done.by, done.notes) == (True, "summariser", ())
    both = "\n".join(kept.texts) + kept.text("LONGMEMORY.md")
    assert (
        "- all of it at once [" + "+".join(uuid(number)[:8] for number in range(1, 12))
        in both
    )
    assert f"- the first [{uuid(0)[:8]}" in both
    assert [each for each in kept.text(ARCHIVE).split("\n") if each] == OLD


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
def test_if_the_command_fails_the_rules_merge_and_report_it(
    sandbox: Sandbox, program: str, seconds: int, why: str
) -> None:
    done = summarised(sandbox, program, seconds).compact()
    assert (done.ran, done.by) == (True, "rules")
    assert why in done.notes[0]


def test_a_dry_run_starts_no_command(sandbox: Sandbox) -> None:
    kept = summarised(sandbox, "open('started', 'w')")
    assert "was not called" in kept.compact(dry_run=True).notes[0]
    assert not sandbox.place("started").exists()


def test_the_command_receives_and_returns_no_secret(sandbox: Sandbox) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    program = GOOD.replace("assert", f"assert {key!r} not in str(asked) and").replace(
        "the first", f"now {key}"
    )
    kept = summarised(sandbox, program)
    kept.write(
        *OLD,
        line(40, f"the token is {key}"),
        line(41, "SECRETPIN", sensitivity="secret"),
    )
    done = kept.compact()
    assert (done.by, done.notes) == ("summariser", ())
    assert key not in "\n".join(kept.texts) + kept.text("LONGMEMORY.md")


def test_a_deleted_record_is_removed_from_merged_records_and_does_not_come_back(
    kept: Kept,
) -> None:
    from cuedeck.app.memory.forget_record import forget_record

    kept.compact()
    for number in (0, 9):
        forget_record(kept.workspace, kept.files, uuid(number))
    assert undo(kept.workspace, kept.files).restored == 10
    assert not kept.text("LONGMEMORY.md")
    for place in kept.sandbox.root.rglob("*"):
        if place.is_file() and "cache" not in place.parts:
            said = place.read_text("utf-8", "replace")
            assert "old summary 0" not in said and "old summary 9" not in said, place


def own_record(kept: Kept) -> str:
    return next(each for each in kept.text().split("\n") if '"compaction"' in each)


@pytest.mark.parametrize("by_hand", [True, False])
def test_an_edited_compaction_record_stays_after_undo(
    kept: Kept, by_hand: bool
) -> None:
    from cuedeck.app.memory.edit_record import Correction, edit_record

    kept.compact()
    made = parse_line(own_record(kept)).record
    assert made is not None
    if by_hand:
        line = own_record(kept)
        kept.sandbox.write(
            ".cuedeck/MEMORY.md",
            kept.text().replace(line, line.replace("old summary", "my word", 1)),
        )
    else:
        edit_record(
            kept.workspace,
            kept.files,
            made.id,
            Correction(made.text.replace("old summary", "my word", 1)),
        )
    dry = undo(kept.workspace, kept.files, dry_run=True)
    done = undo(kept.workspace, kept.files)
    assert done.notes == dry.notes and len(done.notes) == 1
    assert (done.restored, done.records_after) == (12, 14)
    assert own_record(kept).count("my word") == 1
    assert set(OLD) < set(kept.text().split("\n"))
    assert undo(kept.workspace, kept.files).reason == NOTHING


def test_a_record_changed_only_by_a_deletion_is_not_edited(kept: Kept) -> None:
    from cuedeck.app.memory.forget_record import forget_record

    kept.compact()
    named = [number for number in range(12) if uuid(number)[:8] in own_record(kept)]
    forget_record(kept.workspace, kept.files, uuid(named[0]))
    assert '"compaction"' in kept.text()
    done = undo(kept.workspace, kept.files)
    assert (done.restored, done.notes) == (11, ())
    assert '"compaction"' not in kept.text()


@pytest.mark.parametrize("originals", [False, True])
def test_a_compaction_record_is_deleted_alone_or_with_its_sources(
    kept: Kept, originals: bool
) -> None:
    from cuedeck.app.memory.forget_record import forget_record, tombstones

    kept.compact()
    made = parse_line(own_record(kept)).record
    assert made is not None
    named = [uuid(number) for number in range(12) if uuid(number)[:8] in made.text]
    dry = forget_record(
        kept.workspace, kept.files, made.id, dry_run=True, originals=originals
    )
    answer = forget_record(kept.workspace, kept.files, made.id, originals=originals)
    assert answer["warnings"] == dry["warnings"] and sorted(
        answer["originals"]
    ) == sorted(named if originals else [])
    if not originals:
        (warning,) = answer["warnings"]
        assert f"{len(named)} records" in warning and "--originals" in warning
        assert undo(kept.workspace, kept.files).restored == 12
        return
    assert answer["warnings"] == []
    assert tombstones(kept.files) == dict.fromkeys(
        [made.id, *answer["originals"]], "done"
    )
    assert undo(kept.workspace, kept.files).restored == 12 - len(named)
    for place in kept.sandbox.root.rglob("*"):
        if (
            place.is_file()
            and "cache" not in place.parts
            and place.name != "tombstones.jsonl"
        ):
            assert not any(
                each in place.read_text("utf-8", "replace") for each in named
            ), place


def test_ambiguous_and_unknown_source_ids_are_not_forgotten(kept: Kept) -> None:
    from cuedeck.app.memory.forget_record import forget_record

    said = (
        "2026-11-01, s1: parser\n- one [aaaaaaaa +3]\n- two [=mine]\n- three [bbbbbbbb]"
    )
    ids = ("aaaaaaaa-1", "aaaaaaaa-2", "mine")
    kept.write(
        line(1, said, category="compaction"),
        *(line(0, f"say {each}", id=each) for each in ids),
    )
    answer = forget_record(kept.workspace, kept.files, uuid(1), originals=True)
    assert answer["originals"] == ["mine"]
    assert (
        "5 of the records it was merged from cannot be identified"
        in answer["warnings"][0]
    )
    assert [record.id for record in kept.files.primary.records] == [
        "aaaaaaaa-1",
        "aaaaaaaa-2",
    ]
