"""A night of dreaming on real files."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from planted_recalls import FACT, LOG, TODAY, dream, opened, passage, recall, record
from record_files import find_text
from sandbox import Sandbox

from cuedeck.knowledge.compaction.run_compaction import compact
from cuedeck.knowledge.dreaming import run_dream
from cuedeck.knowledge.dreaming.count_recalls import count_recalls
from cuedeck.knowledge.dreaming.dream_status import dream_status, read_diary
from cuedeck.knowledge.dreaming.run_dream import DreamReport, promote
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.knowledge.memory.edit_record import Correction, edit_record, supersede
from cuedeck.knowledge.memory.forget_record import forget_record
from cuedeck.knowledge.memory.run_maintenance import tick
from cuedeck.ledger.records.recall_hits import read_recalls

DIARY = ".cuedeck/DREAMS.md"
MEMORY = ".cuedeck/MEMORY.md"


def add(sandbox: Sandbox, text: str = FACT, **values: Any) -> str:
    workspace, memory = opened(sandbox)
    return add_records(workspace, memory, [NewRecord(text, **values)])[0]


def promoted_marks(sandbox: Sandbox) -> list[dict[str, Any]]:
    """Return the record lines of MEMORY.md that have a mark of promotion."""
    rows = []
    for line in sandbox.place(MEMORY).read_text().splitlines():
        if line.startswith("- {") and "promoted" in json.loads(line[2:]):
            rows.append(json.loads(line[2:]))
    return rows


def test_a_record_of_memory_is_marked_in_its_line(sandbox: Sandbox) -> None:
    identity = add(sandbox)
    recall(opened(sandbox)[1], record(identity))
    (promotion,) = dream(sandbox).promotions
    (row,) = promoted_marks(sandbox)
    (log,) = sandbox.place(".cuedeck/memory").glob("*.md")
    assert row["id"] == promotion.record.id == identity
    assert row["text"] == FACT
    assert row["promoted"] == {
        "source": f".cuedeck/memory/{log.stem}.md#L1",
        "score": promotion.score,
        "recalls": 3,
        "days": 3,
        "queries": 3,
        "date": "2026-11-22",
    }
    assert opened(sandbox)[1].primary.records[0].is_protected


def test_compaction_merges_no_promoted_record(sandbox: Sandbox) -> None:
    identity = add(sandbox)
    others = [add(sandbox, f"Ana waters plant {number}") for number in range(30)]
    recall(opened(sandbox)[1], record(identity))
    dream(sandbox)
    sandbox.write(".cuedeck/config.toml", "[compaction]\nmin_age_days = 0\n")
    workspace, memory = opened(sandbox)
    compact(workspace, memory, forced=True)
    ids = {each.id for each in memory.primary.records}
    assert identity in ids
    assert ids.isdisjoint(others)


def test_a_record_that_left_memory_returns_with_its_id(sandbox: Sandbox) -> None:
    identity = add(sandbox)
    _, memory = opened(sandbox)
    memory.rewrite("MEMORY.md", lambda text: "# Memory\n")
    recall(memory, record(identity))
    dream(sandbox)
    (row,) = promoted_marks(sandbox)
    assert (row["id"], row["text"]) == (identity, FACT)


def test_a_passage_of_a_daily_log_becomes_a_record_once(sandbox: Sandbox) -> None:
    text = "# 2026-11-18\n\nNotes of the day.\n\n## Staging\nThe staging database\nlistens on port 5433.\n"
    sandbox.write(LOG, text)
    _, memory = opened(sandbox)
    answer = passage(6, "The staging database\nlistens on port 5433.")
    recall(memory, answer)
    dream(sandbox)
    (row,) = promoted_marks(sandbox)
    for path in (MEMORY, DIARY, ".cuedeck/memory/.dreams/promotions.jsonl"):
        assert sandbox.place(path).stat().st_mode & 0o077 == 0
    assert row["text"] == "The staging database listens on port 5433."
    assert row["promoted"]["source"] == f"{LOG}#L6-L7"
    assert row["provenance"]["timestamp"].startswith("2026-11-18")
    sandbox.write(LOG, f"One more line above.\n\n{text}")
    recall(memory, answer)
    assert dream(sandbox).promotions == []
    assert len(promoted_marks(sandbox)) == 1


def test_recall_shows_a_promoted_passage_once(sandbox: Sandbox) -> None:
    sandbox.write(LOG, f"# Notes of the day\n\n{FACT}.\n")
    recall(opened(sandbox)[1], passage(3, f"{FACT}."))
    (promotion,) = dream(sandbox).promotions
    hits = sandbox.answer("recall", "staging database")["hits"]
    assert [hit["address"] for hit in hits] == [f"record:{promotion.record.id}"]


def test_a_passage_that_memory_states_marks_that_record(sandbox: Sandbox) -> None:
    identity = add(sandbox, FACT + ".")
    sandbox.write(LOG, f"- {FACT}\n")
    recall(opened(sandbox)[1], passage(1, FACT))
    dream(sandbox)
    assert [row["id"] for row in promoted_marks(sandbox)] == [identity]


def test_near_duplicates_count_together_and_one_is_promoted(sandbox: Sandbox) -> None:
    one, other = add(sandbox), add(sandbox, FACT + "!")
    _, memory = opened(sandbox)
    recall(memory, record(one), days=2, queries=1)
    recall(memory, record(other, FACT + "!"), days=1, queries=3, age=3)
    (promotion,) = dream(sandbox).promotions
    assert (promotion.recalls, promotion.days, promotion.queries) == (5, 3, 3)
    recall(memory, record(other, FACT + "!"))
    assert dream(sandbox).promotions == []


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"days": 1, "queries": 4}, "recalled on 1 of 2 days"),
        ({"days": 5, "queries": 1}, "recalled by 1 of 2 queries"),
        ({"age": 20}, "0 of 2 recalls in 14 days"),
        ({"days": 1, "queries": 1}, "1 of 2 recalls in 14 days"),
    ],
)
def test_a_fact_that_misses_a_threshold_waits(
    sandbox: Sandbox, options: dict[str, int], fault: str
) -> None:
    recall(opened(sandbox)[1], record(add(sandbox)), **options)
    report = dream(sandbox)
    assert [each.fault for each in report.waiting] == [fault]
    assert promoted_marks(sandbox) == []


def test_weak_hits_make_no_candidate(sandbox: Sandbox) -> None:
    first, last = add(sandbox), add(sandbox, "Ana waters the plants on Mondays")
    _, memory = opened(sandbox)
    weak = record(last, "Ana waters the plants on Mondays")._replace(score=0.3)
    for number in range(4):
        day = (TODAY - timedelta(days=number)).date()
        count_recalls(memory, f"query{number} staging", [record(first), weak], day)
    report = dream(sandbox)
    assert [each.record.id for each in report.promotions] == [first]
    assert report.waiting == []


def test_secret_superseded_and_forgotten_records_are_never_promoted_or_named(
    sandbox: Sandbox,
) -> None:
    secret = add(sandbox, "The door code of the office is 4711", sensitivity="secret")
    old = add(sandbox, "Deploys go out on Tuesdays at noon")
    gone = add(sandbox, "The landlord is called Zebedee")
    workspace, memory = opened(sandbox)
    for identity in (secret, old, gone):
        recall(memory, record(identity, identity))
    supersede(workspace, memory, old, new_text="Deploys go out on Mondays at noon")
    memory.add_lines("memory/tombstones.jsonl", f'{{"id":"{gone}"}}\n')
    report = dream(sandbox)
    assert (report.promotions, report.waiting, report.excluded) == ([], [], [])
    diary = sandbox.place(DIARY)
    assert not diary.exists() or secret not in diary.read_text()


@pytest.mark.parametrize(
    "copy",
    [
        FACT,
        f"- [ ] {FACT}",
        f"Note:\n{FACT}",
        f"| Ana | {FACT} |",
        f"Hello dear team. {FACT}. Bye for now.",
        FACT.replace("listens", "listens\nNote:\n"),
    ],
)
def test_copies_of_a_secret_record_are_never_promoted_or_named(
    sandbox: Sandbox, copy: str
) -> None:
    identity = add(sandbox, copy)
    copies = [f"{copy} 🔐{'!' * number}" for number in range(4)]
    sandbox.write(LOG, "\n\n".join(copies))
    _, memory = opened(sandbox)
    recall(memory, record(identity))
    for text in copies:
        recall(memory, passage(1, text))
    add(sandbox, sensitivity="secret")
    for dry_run in (True, False):
        report = dream(sandbox, dry_run=dry_run)
        assert (report.promotions, report.waiting, report.excluded) == ([], [], [])
    assert dream_status(*opened(sandbox), TODAY)["ready"] == 0
    assert promoted_marks(sandbox) == []
    assert not sandbox.place(DIARY).exists()


@pytest.mark.parametrize(
    "lines",
    [
        ["Deploy token of staging is AKIAIOSFODNN7EXAMPLQ for the bucket"],
        [
            "The vendor portal of the pier uses ghp_16C7e42F292c69",
            "12E7710c838347Ae178B4a",
        ],
        ["The bucket of the pier uses the key AKIA4QHZ", "7XKLMNPQRSTU for uploads"],
        ["The gate of the pier opens with a code", "PIN 847261", "for the day shift"],
        ["- PIN 847261", "  opens the gate of the pier for the day shift"],
    ],
)
def test_a_text_with_a_secret_is_not_promoted(
    sandbox: Sandbox, lines: list[str]
) -> None:
    pattern = "pin: ^PIN (?P<secret>\\\\d+)$"
    sandbox.write(".cuedeck/config.toml", f'[secrets]\npatterns = ["{pattern}"]\n')
    text = "\n".join(lines)
    sandbox.write(LOG, text + "\n")
    recall(opened(sandbox)[1], passage(1, text))
    assert add(sandbox, "Ana waters the plants on Mondays")
    report = dream(sandbox)
    assert (report.promotions, report.waiting, report.excluded) == ([], [], [])
    assert promoted_marks(sandbox) == []


def test_a_secret_that_only_the_lines_above_reveal_is_not_promoted(
    sandbox: Sandbox,
) -> None:
    body = [f"{'q1W2e3R4' * 7}{number:02}" for number in range(44)]
    head, tail = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"
    sandbox.write(LOG, "\n".join([head, *body, tail, ""]))
    end = "\n".join(body[-5:])
    recall(opened(sandbox)[1], passage(41, end))
    assert dream(sandbox).promotions == []


def test_paths_outside_the_daily_logs_are_never_read(sandbox: Sandbox) -> None:
    sandbox.write("docs/notes.md", FACT + "\n")
    _, memory = opened(sandbox)
    for path in ("../../etc/hostname", "docs/notes.md", "extra:notes/a.md"):
        recall(memory, passage(1, FACT + path, path))
    report = dream(sandbox)
    assert report.promotions == []
    faults = {each.fault for each in report.excluded}
    assert faults == {"only records and daily logs are promoted"}


def test_a_dry_run_changes_no_byte(sandbox: Sandbox) -> None:
    recall(opened(sandbox)[1], record(add(sandbox)))
    recall(opened(sandbox)[1], record("gone"))
    before = sandbox.bytes()
    report = dream(sandbox, dry_run=True)
    assert len(report.promotions) == 1 and report.diary == ""
    workspace, memory = opened(sandbox)
    dream_status(workspace, memory, TODAY)
    read_diary(workspace, memory, 3)
    assert sandbox.bytes() == before


@pytest.mark.slow
def test_a_hundred_nights_promote_once_and_scores_stay_bounded(
    sandbox: Sandbox,
) -> None:
    fact, other = add(sandbox), add(sandbox, "Ana waters the plants on Mondays")
    _, memory = opened(sandbox)
    scores: list[float] = []
    for night in range(100):
        now = TODAY + timedelta(days=night)
        recall(memory, record(fact), today=now.date(), days=2, queries=5)
        if night < 2:
            recall(memory, record(other, "x"), days=1, queries=1, age=-night)
        report = dream(sandbox, now)
        scores += [each.score for each in report.promotions]
        scores += [each.score for each in report.waiting]
        assert len(report.promotions) == (night == 0)
    assert 0 < max(scores) <= 1
    assert scores[-1] < scores[3]
    assert len(promoted_marks(sandbox)) == 1
    marks = sandbox.place(DIARY).read_text().count("### Promoted into MEMORY.md")
    assert marks == 1


def test_idle_nights_change_nothing(sandbox: Sandbox) -> None:
    recall(opened(sandbox)[1], record(add(sandbox)))
    dream(sandbox)
    dream(sandbox, TODAY + timedelta(days=1))
    before = sandbox.bytes()
    for night in range(2, 30):
        assert dream(sandbox, TODAY + timedelta(days=night)).diary == ""
    assert sandbox.bytes() == before


@pytest.mark.parametrize("promoted", [1, 2])
def test_two_nights_at_once_write_one_entry(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, promoted: int
) -> None:
    config = f"[dream]\nmax_promotions = {promoted}\n"
    sandbox.write(".cuedeck/config.toml", config)
    _, memory = opened(sandbox)
    for text in (FACT, "Ana waters the plants on Mondays"):
        recall(memory, record(add(sandbox, text), text))
    first: list[DreamReport] = []

    def promote_second(*arguments: Any) -> Any:
        monkeypatch.undo()
        first.append(dream(sandbox))
        return promote(*arguments)

    monkeypatch.setattr(run_dream, "promote", promote_second)
    second = dream(sandbox)
    assert (len(first[0].promotions), second.promotions) == (promoted, [])
    assert second.diary == ""
    assert sandbox.place(DIARY).read_text().count("\n## ") == 1


def test_forgetting_removes_counts_diary_lines_and_promotion(sandbox: Sandbox) -> None:
    kept = add(sandbox, "Ana waters the plants on Mondays")
    identity = add(sandbox)
    workspace, memory = opened(sandbox)
    recall(memory, record(identity))
    recall(memory, record(kept, "Ana waters the plants on Mondays"))
    dream(sandbox)
    answer = forget_record(workspace, memory, identity, dry_run=True)
    paths = {place["path"] for place in answer["places"]}
    folder = ".cuedeck/memory/.dreams"
    assert {DIARY, f"{folder}/recalls.jsonl", f"{folder}/promotions.jsonl"} <= paths
    assert len(read_recalls(memory).totals) == 2
    forget_record(workspace, memory, identity)
    assert find_text(sandbox.root, FACT) == []
    names = set(find_text(sandbox.root, identity))
    assert names == {".cuedeck/memory/tombstones.jsonl"}
    assert list(read_recalls(memory).totals) == [f"record:{kept}"]
    assert kept in sandbox.place(DIARY).read_text()
    recall(memory, record(identity))
    assert dream(sandbox).promotions == []


def test_a_forgotten_passage_does_not_return(sandbox: Sandbox) -> None:
    sandbox.write(LOG, FACT + "\n")
    workspace, memory = opened(sandbox)
    recall(memory, passage(1, FACT))
    (promotion,) = dream(sandbox).promotions
    forget_record(workspace, memory, promotion.record.id)
    assert read_recalls(memory).totals == {}
    recall(memory, passage(1, FACT))
    assert dream(sandbox).promotions == []
    assert promoted_marks(sandbox) == []


def test_counts_of_texts_that_are_gone_are_removed(sandbox: Sandbox) -> None:
    sandbox.write(LOG, "Another text of the day.\n")
    _, memory = opened(sandbox)
    recall(memory, passage(1, FACT))
    recall(memory, record("unknown"))
    assert dream(sandbox).counts["stale"] == 2
    assert read_recalls(memory).totals == {}


def test_the_diary_hides_a_record_that_became_secret(sandbox: Sandbox) -> None:
    identity = add(sandbox)
    workspace, memory = opened(sandbox)
    recall(memory, record(identity))
    dream(sandbox)
    assert FACT in json.dumps(read_diary(*opened(sandbox), 0))
    edit_record(workspace, memory, identity, Correction(sensitivity="secret"))
    shown = json.dumps(read_diary(*opened(sandbox), 0))
    assert FACT not in shown and identity not in shown


def test_maintenance_dreams_once_a_night(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", "[dream]\nenabled = true\n")
    (row,) = tick(sandbox.workspace(), now=TODAY).profiles
    assert (row["dream"]["ran"], row["dream"]["reason"]) == (
        False,
        "nothing was recalled",
    )
    recall(opened(sandbox)[1], record(add(sandbox)))
    ran = []
    for hours in (0, 5, 23, 24, 25):
        now = TODAY + timedelta(hours=hours)
        (row,) = tick(sandbox.workspace(), now=now).profiles
        ran.append((row["dream"]["ran"], row["dream"]["counts"].get("promoted")))
    assert ran == [(True, 1), (False, None), (False, None), (True, 0), (False, None)]
