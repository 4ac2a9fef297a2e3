"""Compaction of a memory on disk: what must never be lost, when it runs, what stands in
its way.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from compacting import HEADER, NOW, OLD, ON, RECENT, Kept, line, uuid
from sandbox import Sandbox

from cuedeck.app.memory.compaction.compaction_stats import last_run
from cuedeck.app.memory.compaction.run_compaction import compact
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.memory_record import CHECKPOINT_TEXT
from cuedeck.parse.long_memory_file import TITLE, format_block, parse_long_memory
from cuedeck.parse.record_file import parse_records
from cuedeck.records.compaction.plan import NOTHING, PROTECTED


@pytest.fixture
def kept(sandbox: Sandbox) -> Kept:
    return Kept(sandbox)


def test_case_12_nothing_is_done_under_the_thresholds(sandbox: Sandbox) -> None:
    kept = Kept(
        sandbox, "enabled = true\nthreshold_records = 100\nthreshold_chars = 10000"
    )
    kept.write(OLD[0])
    before = kept.all
    assert kept.compact().reason == "under threshold"
    assert kept.all == before and not kept.sandbox.place(".cuedeck/memory").exists()


@pytest.mark.parametrize(("records", "runs"), [(9, False), (10, True), (15, True)])
def test_case_13_a_threshold_of_records_is_reached_by_as_many(
    sandbox: Sandbox, records: int, runs: bool
) -> None:
    kept = Kept(sandbox, "enabled = true\nthreshold_records = 10")
    kept.write(*(line(number) for number in range(records)))
    done = kept.compact()
    assert (done.ran, done.records_before) == (runs, records)


def test_case_14_old_records_are_merged_and_the_long_memory_is_written(
    kept: Kept,
) -> None:
    kept.write(*OLD, RECENT)
    done = kept.compact()
    assert (done.ran, done.compacted, done.records_before) == (True, 12, 13)
    assert done.records_after <= 2
    assert "compaction" in kept.text() and RECENT in kept.text().split("\n")
    assert "## Summary (2026-11-11)" in kept.text(
        "LONGMEMORY.md"
    ) and "old summary" in kept.text("LONGMEMORY.md")
    assert [
        each for each in kept.text("memory/MEMORY-archive.md").split("\n") if each
    ] == OLD


def test_case_15_a_young_lock_of_another_program_is_honoured_whatever_its_process(
    kept: Kept,
) -> None:
    kept.write(*OLD, RECENT)
    lock = kept.sandbox.write(".cuedeck/tmp/memory-compaction.lock", "12345")
    before = kept.all
    os.utime(lock, times=(NOW.timestamp() - 599,) * 2)
    assert kept.compact() == kept.compact(forced=True)
    assert kept.compact().reason == "lock held"
    assert kept.all == before


def test_case_15_an_old_lock_of_another_program_is_left_of_a_dead_one(
    kept: Kept,
) -> None:
    kept.write(*OLD, RECENT)
    lock = kept.sandbox.write(".cuedeck/tmp/memory-compaction.lock", "12345")
    os.utime(lock, times=(NOW.timestamp() - 601,) * 2)
    assert kept.compact().ran


def test_no_lock_file_is_made(kept: Kept) -> None:
    kept.write(*OLD, RECENT)
    kept.compact()
    assert not kept.sandbox.place(".cuedeck/tmp").exists()


def test_off_means_that_no_file_appears(sandbox: Sandbox) -> None:
    kept = Kept(sandbox, "")
    kept.write(*OLD)
    before = sandbox.bytes()
    assert kept.compact().reason == "off"
    assert sandbox.bytes() == before


def test_by_hand_it_runs_while_it_is_off_and_under_its_thresholds(
    sandbox: Sandbox,
) -> None:
    kept = Kept(sandbox, "")
    kept.write(*OLD)
    assert kept.compact(forced=True).ran


def test_without_an_archive_it_does_not_run_and_the_error_names_the_key(
    sandbox: Sandbox,
) -> None:
    kept = Kept(sandbox, memory='archive = ""')
    kept.write(*OLD)
    with pytest.raises(ConfigurationError, match=r"memory\.archive"):
        kept.compact()
    assert kept.text() == HEADER + "".join(f"{each}\n" for each in OLD)


def test_new_secret_protected_and_undated_records_stay(sandbox: Sandbox) -> None:
    kept = Kept(sandbox, "enabled = true\nthreshold_records = 5")
    protected = [
        line(20, "learned", category="learned"),
        line(21, "prefers tea", category="user-preference"),
        line(22, "decided", category="decision"),
        line(23, "the pin is 9911", sensitivity="secret"),
        line(24, "what label is this", sensitivity="odd"),
        line(25, "when was this", timestamp="yesterday"),
        line(26, "six days", days=6.9),
    ]
    kept.write(*protected, *OLD)
    kept.compact()
    lines = kept.text().split("\n")
    assert [each for each in lines if each in protected] == protected


def test_e7_a_secret_is_in_no_other_file_afterwards(kept: Kept) -> None:
    kept.write(*OLD, line(50, "the vault says SECRETPHRASE-77", sensitivity="secret"))
    kept.compact()
    for place in Path(kept.sandbox.root).rglob("*"):
        if place.is_file() and "undo" not in place.parts and place.name != "MEMORY.md":
            assert "SECRETPHRASE" not in place.read_text("utf-8", "replace"), place
    assert "SECRETPHRASE" in kept.text()


def test_no_fact_gets_another_label(sandbox: Sandbox) -> None:
    kept = Kept(sandbox, "enabled = true\nthreshold_records = 5\ntarget_records = 50")
    labels = ("public", "operational", "private-user")
    kept.write(
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
    kept.compact()
    merged = [
        record
        for record in parse_records(kept.text()).records
        if record.category == "compaction"
    ]
    assert {record.sensitivity for record in merged} == set(labels)
    for record in merged:
        assert all(
            f"- {record.sensitivity} fact" in each
            for each in record.text.split("\n")[1:]
        )


def test_where_one_record_has_to_hold_all_it_gets_the_strictest_label(
    sandbox: Sandbox,
) -> None:
    kept = Kept(sandbox, "enabled = true\nthreshold_records = 5\ntarget_records = 1")
    labels = ("public", "operational", "private-user")
    kept.write(*(line(number, sensitivity=labels[number % 3]) for number in range(30)))
    kept.compact()
    assert [record.sensitivity for record in parse_records(kept.text()).records] == [
        "private-user"
    ]


def test_empty_checkpoints_and_heartbeats_move_only_to_the_archive(kept: Kept) -> None:
    silent = [
        line(60, CHECKPOINT_TEXT, category="compaction"),
        line(61, "HEARTBEAT_OK", category="heartbeat"),
    ]
    kept.write(*silent, *OLD)
    kept.compact()
    assert all(each in kept.text("memory/MEMORY-archive.md") for each in silent)
    assert CHECKPOINT_TEXT not in kept.text() + kept.text("LONGMEMORY.md")
    assert "HEARTBEAT_OK" not in kept.text() + kept.text("LONGMEMORY.md")


def test_superseded_records_move_only_to_the_archive(kept: Kept) -> None:
    old = line(70, "deploys on Friday", category="learned")
    new = line(71, "deploys on Monday", supersedes=[uuid(70), uuid(0)])
    kept.write(*OLD, old, new)
    kept.compact()
    lines = kept.text().split("\n")
    # Without the one that replaces it, what is protected would count again.
    assert old in lines and new in lines
    assert OLD[0] in kept.text("memory/MEMORY-archive.md")
    assert "old summary 0" not in kept.text() + kept.text("LONGMEMORY.md")


def test_e10_prose_and_unknown_keys_survive(kept: Kept) -> None:
    prose = ["A line by hand", "", "- a bullet", '- {"broken": ', "- 2026"]
    odd = line(80, "odd", days=1, mood="good", nested={"a": [1]})
    kept.write(prose[0], OLD[0], *prose[1:3], *OLD[1:], prose[3], odd, prose[4])
    kept.compact()
    lines = kept.text().split("\n")
    assert [each for each in lines if each in prose and each] == [
        each for each in prose if each
    ]
    assert odd in lines


def test_windows_line_ends_stay(kept: Kept) -> None:
    kept.sandbox.write(
        ".cuedeck/MEMORY.md",
        (HEADER + "".join(f"{each}\n" for each in OLD)).replace("\n", "\r\n"),
    )
    assert kept.compact().ran
    assert kept.text().replace("\r\n", "").count("\n") == 0


def test_e12_it_converges_below_its_target(sandbox: Sandbox) -> None:
    kept = Kept(
        sandbox,
        "enabled = true\nthreshold_chars = 20000\ntarget_chars = 20000\nthreshold_records = 9999",
    )
    for turn in range(5):
        said = [
            f"round {turn} tells of topic {number % 7}: {'word ' * 30}{number}"
            for number in range(60)
        ]
        kept.add(
            *(
                line(1000 * turn + number, each, days=30 - turn)
                for number, each in enumerate(said)
            )
        )
        done = kept.compact()
        assert done.ran and len(kept.text()) <= 20_000
        assert len(kept.text("LONGMEMORY.md")) <= 16_000
        before = kept.all
        assert kept.compact(forced=True).reason == NOTHING
        assert kept.all == before
        archive = kept.text("memory/MEMORY-archive.md")
        assert all(
            uuid(1000 * one + number) in archive
            for one in range(turn + 1)
            for number in range(60)
        )


def test_e12_protected_records_that_fill_the_target_alone_are_a_finding_and_nothing_is_written(
    kept: Kept,
) -> None:
    kept.write(*(line(number, category="learned") for number in range(6)), *OLD)
    before = kept.all
    assert kept.compact().reason == PROTECTED
    assert kept.all == before
    assert json.loads(kept.text("cache/log.jsonl"))["reason"] == PROTECTED


def test_e13_blocks_of_the_long_memory_stay_in_order_and_the_oldest_leave(
    sandbox: Sandbox,
) -> None:
    compaction = "enabled = true\nthreshold_records = 2\ntarget_records = 1\ntarget_chars = 600\nmin_age_days = 1"
    kept = Kept(sandbox, compaction, "long_memory_chars = 500")
    sandbox.write(".cuedeck/LONGMEMORY.md", TITLE)
    for turn in range(8):
        new = [
            line(10 * turn + each, f"K{turn} {'x' * 60} {each}", days=40 - 4 * turn)
            for each in range(3)
        ]
        kept.add(*new)
        assert kept.compact().ran
        days = [
            part.first
            for part in parse_long_memory(kept.text("LONGMEMORY.md"))
            if part.first
        ]
        assert days and days == sorted(days)
        assert len(kept.text("LONGMEMORY.md")) <= 500
    assert "K0" not in kept.text("LONGMEMORY.md")
    assert "K6" in kept.text("LONGMEMORY.md")


def test_e13_blocks_of_another_program_and_prose_stay_in_place(kept: Kept) -> None:
    head = f"{TITLE}\nwritten by hand\n" + format_block(
        "2026-11-01", "2026-11-01", "summary 1: ## Summary (x)\n\nmore"
    )
    kept.sandbox.write(".cuedeck/LONGMEMORY.md", head)
    kept.write(*OLD)
    kept.compact()
    text = kept.text("LONGMEMORY.md")
    assert text.startswith(head) and "## Summary (2026-11-11)" in text[len(head) :]


def test_e13_a_block_of_another_program_is_archived_before_it_leaves(
    sandbox: Sandbox,
) -> None:
    kept = Kept(sandbox, f"{ON}target_chars = 600", "long_memory_chars = 500")
    foreign = format_block(
        "2026-01-01", "2026-01-01", f"what nobody else knows {'y' * 400}"
    )
    sandbox.write(".cuedeck/LONGMEMORY.md", TITLE + foreign)
    kept.write(*OLD)
    kept.compact()
    assert "what nobody else knows" not in kept.text("LONGMEMORY.md")
    assert "what nobody else knows" in kept.text("memory/MEMORY-archive.md")


@pytest.mark.parametrize("broken", ["LONGMEMORY.md", "memory/MEMORY-archive.md"])
def test_e14_a_file_that_cannot_be_written_leaves_everything_as_it_was(
    kept: Kept, broken: str
) -> None:
    kept.write(*OLD, RECENT)
    kept.sandbox.place(f".cuedeck/{broken}").mkdir(parents=True)
    before = kept.all
    with pytest.raises(StorageError):
        kept.compact()
    assert kept.all == before


def test_lines_are_archived_once_before_memory_drops_them(kept: Kept) -> None:
    kept.write(*OLD, RECENT)
    # What a run left that was killed between the archive and MEMORY.md.
    kept.sandbox.write(
        ".cuedeck/memory/MEMORY-archive.md", "".join(f"{each}\n" for each in OLD[:7])
    )
    kept.compact()
    assert kept.text("memory/MEMORY-archive.md").split("\n") == [*OLD, ""]


def test_facts_that_a_killed_run_left_in_the_long_memory_are_there_once(
    kept: Kept,
) -> None:
    kept.write(*OLD, RECENT)
    kept.compact()
    kept.write(*OLD, RECENT)
    kept.compact()
    both = "\n".join(kept.texts) + kept.text("LONGMEMORY.md")
    assert all(both.count(f"old summary {number} [") == 1 for number in range(12))


def test_compaction_records_of_another_program_are_taken_apart_and_archived(
    kept: Kept,
) -> None:
    foreign = line(
        90,
        "first thing\n\nsecond thing\nwith two lines",
        category="compaction",
        session="system",
        days=1,
    )
    kept.write(foreign, *OLD)
    kept.compact()
    both = "\n".join(kept.texts) + kept.text("LONGMEMORY.md")
    assert f"- first thing [{uuid(90)[:8]}" in both
    assert f"- second thing\n  with two lines [{uuid(90)[:8]}" in both
    assert foreign in kept.text("memory/MEMORY-archive.md")


def test_a_compaction_record_is_archived_only_if_it_exceeds_its_sources(
    kept: Kept,
) -> None:
    kept.write(*OLD)
    kept.compact()
    own = [line_ for line_ in kept.text().split("\n") if '"compaction"' in line_]
    edited = own[0].replace("old summary", "corrected summary", 1)
    kept.sandbox.write(".cuedeck/MEMORY.md", kept.text().replace(own[0], edited))
    more = [line(number, days=9) for number in range(200, 220)]
    kept.add(*more)
    kept.compact()
    archive = kept.text("memory/MEMORY-archive.md").split("\n")
    assert edited in archive and own[0] not in archive
    rest = [line(number, days=8) for number in range(300, 320)]
    kept.add(*rest)
    unedited = [each for each in kept.text().split("\n") if '"compaction"' in each]
    kept.compact()
    assert not set(unedited) & set(kept.text("memory/MEMORY-archive.md").split("\n"))


def test_a_dry_run_writes_nothing_and_predicts_the_run(kept: Kept) -> None:
    kept.write(*OLD, RECENT)
    before = kept.sandbox.bytes()
    dry = kept.compact(dry_run=True)
    assert kept.sandbox.bytes() == before
    assert (dry.ran, dry.dry_run, dry.reason) == (False, True, "dry run")
    done = kept.compact()
    assert done == dry._replace(ran=True, dry_run=False, reason="", records=())
    assert list(dry.records) == [text for text in kept.texts if text != "recent"]


def test_the_figures_are_logged_and_kept(kept: Kept) -> None:
    kept.write(*OLD, RECENT)
    done = kept.compact()
    assert (
        json.loads(kept.text("cache/log.jsonl"))["records_after"] == done.records_after
    )
    last = last_run(kept.files)
    assert (
        last is not None
        and last["records_before"] == 13
        and last["at"].startswith("2026-11-21")
    )
    assert done.facts_per_1000_after > done.facts_per_1000_before > 0


def test_subscribers_are_notified(kept: Kept) -> None:
    kept.write(*OLD, RECENT)
    told: list[str] = []
    kept.files.notices.append(told.append)
    kept.compact()
    assert told == ["compact"]


def test_daily_logs_are_not_touched(kept: Kept) -> None:
    kept.write(*OLD, RECENT)
    daily = kept.sandbox.write(
        ".cuedeck/memory/2026-11-11.md", "".join(f"{each}\n" for each in OLD)
    )
    before = daily.read_bytes(), daily.stat().st_mtime_ns
    kept.compact()
    assert (daily.read_bytes(), daily.stat().st_mtime_ns) == before


def test_new_files_are_for_their_owner_alone(kept: Kept) -> None:
    kept.write(*OLD, RECENT)
    kept.compact()
    for name in ("LONGMEMORY.md", "memory/MEMORY-archive.md"):
        assert kept.sandbox.place(f".cuedeck/{name}").stat().st_mode & 0o077 == 0


def test_each_profile_has_its_own(sandbox: Sandbox) -> None:
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


def test_of_no_file_there_is_nothing_to_compact(kept: Kept) -> None:
    assert kept.compact(forced=True).reason == NOTHING
    assert not kept.text() and not kept.text("LONGMEMORY.md")


def test_figures_that_cannot_be_read_are_not_known(kept: Kept) -> None:
    assert last_run(kept.files) is None
    kept.sandbox.write(".cuedeck/cache/memory-default.compaction.json", "{")
    assert last_run(kept.files) is None


def test_a_handwritten_secret_is_merged_masked_and_archived_unchanged(
    kept: Kept,
) -> None:
    keys = ["AKIA" + "QYLPMN5HHHFPZAM2", "AKIA" + "QYLPMN5HHHFPZAM3"]
    raw = [line(70 + at, f"deploy with {key} please") for at, key in enumerate(keys)]
    kept.write(*OLD, *raw)
    assert kept.compact().ran
    assert set(raw) <= set(kept.text("memory/MEMORY-archive.md").split("\n"))
    both = kept.text() + kept.text("LONGMEMORY.md")
    assert not any(key in both for key in keys)
    assert both.count("deploy with <secret:") == 2
    before = kept.all
    assert kept.compact(forced=True).reason == NOTHING
    assert kept.all == before


def test_a_secret_in_a_compaction_record_is_masked_when_it_is_merged_again(
    kept: Kept,
) -> None:
    key = "AKIA" + "QYLPMN5HHHFPZAM2"
    kept.write(*OLD)
    kept.compact()
    own = next(each for each in kept.text().split("\n") if '"compaction"' in each)
    leaking = own.replace("old summary", f"{key} summary", 1)
    kept.sandbox.write(".cuedeck/MEMORY.md", kept.text().replace(own, leaking))
    kept.add(*(line(number, days=9) for number in range(200, 220)))
    assert kept.compact().ran
    assert key not in kept.text() + kept.text("LONGMEMORY.md")
    assert leaking in kept.text("memory/MEMORY-archive.md").split("\n")


def test_where_nothing_ran_the_figures_after_are_those_before(sandbox: Sandbox) -> None:
    kept = Kept(sandbox)
    lock = sandbox.write(".cuedeck/tmp/memory-compaction.lock", "1")
    os.utime(lock, times=(NOW.timestamp(),) * 2)
    full = [*(line(number, category="learned") for number in range(6)), *OLD]
    for lines, reason in (
        ((OLD[0],), "under threshold"),
        (OLD, "lock held"),
        (full, PROTECTED),
    ):
        kept.write(*lines)
        sandbox.write(".cuedeck/LONGMEMORY.md", TITLE)
        done = kept.compact()
        assert (done.ran, done.reason) == (False, reason)
        assert done.records_after == done.records_before == len(lines)
        assert done.chars_after == done.chars_before == len(kept.text())
        assert done.long_chars_after == done.long_chars_before == len(TITLE)
