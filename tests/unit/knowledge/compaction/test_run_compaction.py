"""Compaction of a memory on disk: its conditions, its results, and the records that it
must never lose.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from compaction_memory import HEADER, NOW, OLD, ON, RECENT, SampleMemory, line, uuid
from sandbox import Sandbox

from cuedeck.knowledge.compaction.compaction_stats import last_run
from cuedeck.knowledge.compaction.plan import NOTHING, PROTECTED
from cuedeck.knowledge.compaction.run_compaction import compact
from cuedeck.ledger.records.long_memory_file import (
    TITLE,
    format_block,
    parse_long_memory,
)
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.memory_record import CHECKPOINT_TEXT


@pytest.fixture
def sample(sandbox: Sandbox) -> SampleMemory:
    return SampleMemory(sandbox)


def test_case_12_nothing_is_done_below_the_thresholds(sandbox: Sandbox) -> None:
    sample = SampleMemory(
        sandbox, "enabled = true\nthreshold_records = 100\nthreshold_chars = 10000"
    )
    sample.write(OLD[0])
    before = sample.all
    assert sample.compact().reason == "under threshold"
    assert sample.all == before and not sample.sandbox.place(".cuedeck/memory").exists()


@pytest.mark.parametrize(("records", "runs"), [(9, False), (10, True), (15, True)])
def test_case_13_the_record_threshold_is_inclusive(
    sandbox: Sandbox, records: int, runs: bool
) -> None:
    sample = SampleMemory(sandbox, "enabled = true\nthreshold_records = 10")
    sample.write(*(line(number) for number in range(records)))
    done = sample.compact()
    assert (done.ran, done.records_before) == (runs, records)


def test_case_14_old_records_are_merged_and_the_long_memory_is_written(
    sample: SampleMemory,
) -> None:
    sample.write(*OLD, RECENT)
    done = sample.compact()
    assert (done.ran, done.compacted, done.records_before) == (True, 12, 13)
    assert done.records_after <= 2
    assert "compaction" in sample.text() and RECENT in sample.text().split("\n")
    assert "## Summary (2026-11-11)" in sample.text(
        "LONGMEMORY.md"
    ) and "old summary" in sample.text("LONGMEMORY.md")
    assert [
        each for each in sample.text("memory/MEMORY-archive.md").split("\n") if each
    ] == OLD


def test_case_15_a_young_lock_of_another_program_is_honoured_whatever_its_process(
    sample: SampleMemory,
) -> None:
    sample.write(*OLD, RECENT)
    lock = sample.sandbox.write(".cuedeck/tmp/memory-compaction.lock", "12345")
    before = sample.all
    os.utime(lock, times=(NOW.timestamp() - 599,) * 2)
    assert sample.compact() == sample.compact(forced=True)
    assert sample.compact().reason == "lock held"
    assert sample.all == before


def test_case_15_an_old_lock_of_another_program_is_ignored(
    sample: SampleMemory,
) -> None:
    sample.write(*OLD, RECENT)
    lock = sample.sandbox.write(".cuedeck/tmp/memory-compaction.lock", "12345")
    os.utime(lock, times=(NOW.timestamp() - 601,) * 2)
    assert sample.compact().ran


def test_disabled_compaction_creates_no_file(sandbox: Sandbox) -> None:
    sample = SampleMemory(sandbox, "")
    sample.write(*OLD)
    before = sandbox.bytes()
    assert sample.compact().reason == "off"
    assert sandbox.bytes() == before


def test_forced_run_ignores_settings_and_thresholds(sandbox: Sandbox) -> None:
    sample = SampleMemory(sandbox, "")
    sample.write(*OLD)
    assert sample.compact(forced=True).ran


def test_missing_archive_prevents_a_run_and_the_error_names_the_key(
    sandbox: Sandbox,
) -> None:
    sample = SampleMemory(sandbox, memory='archive = ""')
    sample.write(*OLD)
    with pytest.raises(ConfigurationError, match=r"memory\.archive"):
        sample.compact()
    assert sample.text() == HEADER + "".join(f"{each}\n" for each in OLD)


def test_new_secret_protected_and_undated_records_stay(sandbox: Sandbox) -> None:
    sample = SampleMemory(sandbox, "enabled = true\nthreshold_records = 5")
    protected = [
        line(20, "learned", category="learned"),
        line(21, "prefers tea", category="user-preference"),
        line(22, "decided", category="decision"),
        line(23, "the pin is 9911", sensitivity="secret"),
        line(24, "what label is this", sensitivity="odd"),
        line(25, "when was this", timestamp="yesterday"),
        line(26, "six days", days=6.9),
    ]
    sample.write(*protected, *OLD)
    sample.compact()
    lines = sample.text().split("\n")
    assert [each for each in lines if each in protected] == protected


def test_e7_a_secret_is_in_no_other_file_afterwards(sample: SampleMemory) -> None:
    sample.write(*OLD, line(50, "the vault says SECRETPHRASE-77", sensitivity="secret"))
    sample.compact()
    for place in Path(sample.sandbox.root).rglob("*"):
        if place.is_file() and "undo" not in place.parts and place.name != "MEMORY.md":
            assert "SECRETPHRASE" not in place.read_text("utf-8", "replace"), place
    assert "SECRETPHRASE" in sample.text()


def test_no_fact_changes_its_sensitivity(sandbox: Sandbox) -> None:
    sample = SampleMemory(
        sandbox, "enabled = true\nthreshold_records = 5\ntarget_records = 50"
    )
    labels = ("public", "operational", "private-user")
    sample.write(
        *(
            line(
                number,
                f"{labels[number % 3]} fact {number}",
                days=40 - number,
                sensitivity=labels[number % 3],
            )
            for number in range(30)
        )
    )
    sample.compact()
    merged = [
        record
        for record in parse_records(sample.text()).records
        if record.category == "compaction"
    ]
    assert {record.sensitivity for record in merged} == set(labels)
    for record in merged:
        assert all(
            f"- {record.sensitivity} fact" in each
            for each in record.text.split("\n")[1:]
        )


def test_empty_checkpoints_and_heartbeats_move_only_to_the_archive(
    sample: SampleMemory,
) -> None:
    silent = [
        line(60, CHECKPOINT_TEXT, category="compaction"),
        line(61, "HEARTBEAT_OK", category="heartbeat"),
    ]
    sample.write(*silent, *OLD)
    sample.compact()
    assert all(each in sample.text("memory/MEMORY-archive.md") for each in silent)
    assert CHECKPOINT_TEXT not in sample.text() + sample.text("LONGMEMORY.md")
    assert "HEARTBEAT_OK" not in sample.text() + sample.text("LONGMEMORY.md")


def test_superseded_records_move_only_to_the_archive(sample: SampleMemory) -> None:
    old = line(70, "deploys on Friday", category="learned")
    new = line(71, "deploys on Monday", supersedes=[uuid(70), uuid(0)])
    sample.write(*OLD, old, new)
    sample.compact()
    lines = sample.text().split("\n")
    # Without the new record, the superseded record would be protected again.
    assert old in lines and new in lines
    assert OLD[0] in sample.text("memory/MEMORY-archive.md")
    assert "old summary 0" not in sample.text() + sample.text("LONGMEMORY.md")


def test_e10_prose_and_unknown_keys_are_preserved(sample: SampleMemory) -> None:
    prose = ["A line by hand", "", "- a bullet", '- {"broken": ', "- 2026"]
    odd = line(80, "odd", days=1, mood="good", nested={"a": [1]})
    sample.write(prose[0], OLD[0], *prose[1:3], *OLD[1:], prose[3], odd, prose[4])
    sample.compact()
    lines = sample.text().split("\n")
    assert [each for each in lines if each in prose and each] == [
        each for each in prose if each
    ]
    assert odd in lines


def test_windows_line_ends_are_preserved(sample: SampleMemory) -> None:
    sample.sandbox.write(
        ".cuedeck/MEMORY.md",
        (HEADER + "".join(f"{each}\n" for each in OLD)).replace("\n", "\r\n"),
    )
    assert sample.compact().ran
    assert sample.text().replace("\r\n", "").count("\n") == 0


def test_e12_it_converges_below_its_target(sandbox: Sandbox) -> None:
    sample = SampleMemory(
        sandbox,
        "enabled = true\nthreshold_chars = 20000\ntarget_chars = 20000\nthreshold_records = 9999",
    )
    for turn in range(5):
        message = [
            f"round {turn} tells of topic {number % 7}: {'word ' * 30}{number}"
            for number in range(60)
        ]
        sample.add(
            *(
                line(1000 * turn + number, each, days=30 - turn)
                for number, each in enumerate(message)
            )
        )
        done = sample.compact()
        assert done.ran and len(sample.text()) <= 20_000
        assert len(sample.text("LONGMEMORY.md")) <= 16_000
        before = sample.all
        assert sample.compact(forced=True).reason == NOTHING
        assert sample.all == before
        archive = sample.text("memory/MEMORY-archive.md")
        assert all(
            uuid(1000 * one + number) in archive
            for one in range(turn + 1)
            for number in range(60)
        )


def test_e12_protected_records_alone_above_the_target_are_reported(
    sample: SampleMemory,
) -> None:
    sample.write(*(line(number, category="learned") for number in range(6)))
    before = sample.all
    assert sample.compact().reason == PROTECTED
    assert sample.all == before
    assert json.loads(sample.text("cache/log.jsonl"))["reason"] == PROTECTED


@pytest.mark.parametrize(("records", "left"), [(300, 250), (10, 250)])
def test_old_summaries_are_merged_beside_protected_records_above_the_target(
    sandbox: Sandbox, records: int, left: int
) -> None:
    """250 remembered facts alone exceeded the target, and nothing was merged again."""
    sample = SampleMemory(
        sandbox, f"enabled = true\nthreshold_records = 400\ntarget_records = {records}"
    )
    facts = [
        line(number, f"Port {number} is open", category="learned")
        for number in range(250)
    ]
    summaries = [
        line(250 + number, f"Step {number} is done", category="turn-summary")
        for number in range(500)
    ]
    sample.write(*facts, *summaries)
    done = sample.compact()
    assert (done.ran, done.compacted) == (True, 500)
    text = sample.text()
    assert all(each in text for each in facts)
    is_over = records < 250
    assert done.records_after == left if is_over else done.records_after <= records
    assert any("250 records" in note for note in done.notes) is is_over
    assert "Step 499 is done" in (text + sample.text("LONGMEMORY.md"))


def test_e13_blocks_of_the_long_memory_stay_ordered_and_the_oldest_are_dropped(
    sandbox: Sandbox,
) -> None:
    compaction = "enabled = true\nthreshold_records = 2\ntarget_records = 1\ntarget_chars = 600\nmin_age_days = 1"
    sample = SampleMemory(sandbox, compaction, "long_memory_chars = 500")
    sandbox.write(".cuedeck/LONGMEMORY.md", TITLE)
    for turn in range(8):
        new = [
            line(10 * turn + each, f"K{turn} {'x' * 60} {each}", days=40 - 4 * turn)
            for each in range(3)
        ]
        sample.add(*new)
        assert sample.compact().ran
        days = [
            part.day
            for part in parse_long_memory(sample.text("LONGMEMORY.md"))
            if part.day
        ]
        assert days and days == sorted(days)
        assert len(sample.text("LONGMEMORY.md")) <= 500
    assert "K0" not in sample.text("LONGMEMORY.md")
    assert "K6" in sample.text("LONGMEMORY.md")


def test_e13_blocks_of_another_program_and_prose_stay_in_place(
    sample: SampleMemory,
) -> None:
    head = f"{TITLE}\nwritten by hand\n" + format_block(
        "2026-11-01", "summary 1: ## Summary (x)\n\nmore"
    )
    sample.sandbox.write(".cuedeck/LONGMEMORY.md", head)
    sample.write(*OLD)
    sample.compact()
    text = sample.text("LONGMEMORY.md")
    assert text.startswith(head) and "## Summary (2026-11-11)" in text[len(head) :]


def test_e13_a_block_of_another_program_is_archived_before_it_is_dropped(
    sandbox: Sandbox,
) -> None:
    sample = SampleMemory(sandbox, f"{ON}target_chars = 600", "long_memory_chars = 500")
    foreign = format_block("2026-01-01", f"what nobody else knows {'y' * 400}")
    sandbox.write(".cuedeck/LONGMEMORY.md", TITLE + foreign)
    sample.write(*OLD)
    sample.compact()
    assert "what nobody else knows" not in sample.text("LONGMEMORY.md")
    assert "what nobody else knows" in sample.text("memory/MEMORY-archive.md")


def test_compaction_records_of_another_program_are_split_and_archived(
    sample: SampleMemory,
) -> None:
    foreign = line(
        90,
        "first thing\n\nsecond thing\nwith two lines",
        category="compaction",
        session="system",
        days=1,
    )
    sample.write(foreign, *OLD)
    sample.compact()
    both = "\n".join(sample.texts) + sample.text("LONGMEMORY.md")
    assert f"- first thing [{uuid(90)[:8]}" in both
    assert f"- second thing\n  with two lines [{uuid(90)[:8]}" in both
    assert foreign in sample.text("memory/MEMORY-archive.md")


def test_compaction_record_is_archived_only_if_it_exceeds_its_sources(
    sample: SampleMemory,
) -> None:
    sample.write(*OLD)
    sample.compact()
    own = [line_ for line_ in sample.text().split("\n") if '"compaction"' in line_]
    edited = own[0].replace("old summary", "corrected summary", 1)
    sample.sandbox.write(".cuedeck/MEMORY.md", sample.text().replace(own[0], edited))
    more = [line(number, days=9) for number in range(200, 220)]
    sample.add(*more)
    sample.compact()
    archive = sample.text("memory/MEMORY-archive.md").split("\n")
    assert edited in archive and own[0] not in archive
    rest = [line(number, days=8) for number in range(300, 320)]
    sample.add(*rest)
    unedited = [each for each in sample.text().split("\n") if '"compaction"' in each]
    sample.compact()
    assert not set(unedited) & set(sample.text("memory/MEMORY-archive.md").split("\n"))


def test_dry_run_writes_nothing_and_predicts_the_run(sample: SampleMemory) -> None:
    sample.write(*OLD, RECENT)
    before = sample.sandbox.bytes()
    dry = sample.compact(dry_run=True)
    assert sample.sandbox.bytes() == before
    assert (dry.ran, dry.dry_run, dry.reason) == (False, True, "dry run")
    done = sample.compact()
    assert done == dry._replace(ran=True, dry_run=False, reason="", records=())
    assert list(dry.records) == [text for text in sample.texts if text != "recent"]


def test_figures_of_a_run_are_logged_and_stored(sample: SampleMemory) -> None:
    sample.write(*OLD, RECENT)
    done = sample.compact()
    assert (
        json.loads(sample.text("cache/log.jsonl"))["records_after"]
        == done.records_after
    )
    last = last_run(sample.files)
    assert (
        last is not None
        and last["records_before"] == 13
        and last["at"].startswith("2026-11-21")
    )


def test_each_profile_is_compacted_separately(sandbox: Sandbox) -> None:
    sandbox.write(
        ".cuedeck/config.toml",
        f'[compaction]\n{ON}\n[[profile]]\nid = "work"\nroot = "sandbox/work"\n',
    )
    sandbox.write(
        "sandbox/work/MEMORY.md", HEADER + "".join(f"{each}\n" for each in OLD)
    )
    workspace = sandbox.workspace()
    assert compact(workspace, memory_of(workspace, "work"), now=NOW).ran
    assert "## Summary" in sandbox.place("sandbox/work/LONGMEMORY.md").read_text(
        "utf-8"
    )
    assert sandbox.place("sandbox/work/memory/MEMORY-archive.md").is_file()
    assert not sandbox.place(".cuedeck/MEMORY.md").exists()


def test_handwritten_secret_is_merged_masked_and_archived_unchanged(
    sample: SampleMemory,
) -> None:
    keys = ["AKIA" + "QYLPMN5HHHFPZAM2", "AKIA" + "QYLPMN5HHHFPZAM3"]
    raw = [line(70 + at, f"deploy with {key} please") for at, key in enumerate(keys)]
    sample.write(*OLD, *raw)
    assert sample.compact().ran
    assert set(raw) <= set(sample.text("memory/MEMORY-archive.md").split("\n"))
    both = sample.text() + sample.text("LONGMEMORY.md")
    assert not any(key in both for key in keys)
    assert both.count("deploy with <secret:") == 2
    before = sample.all
    assert sample.compact(forced=True).reason == NOTHING
    assert sample.all == before


def test_secret_in_a_compaction_record_is_masked_when_it_is_merged_again(
    sample: SampleMemory,
) -> None:
    key = "AKIA" + "QYLPMN5HHHFPZAM2"
    sample.write(*OLD)
    sample.compact()
    own = next(each for each in sample.text().split("\n") if '"compaction"' in each)
    leaking = own.replace("old summary", f"{key} summary", 1)
    sample.sandbox.write(".cuedeck/MEMORY.md", sample.text().replace(own, leaking))
    sample.add(*(line(number, days=9) for number in range(200, 220)))
    assert sample.compact().ran
    assert key not in sample.text() + sample.text("LONGMEMORY.md")
    assert leaking in sample.text("memory/MEMORY-archive.md").split("\n")
