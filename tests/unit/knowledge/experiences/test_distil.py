"""Selection of the records that become experiences."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cuedeck.knowledge.experiences.distil import Candidates, Distillation, distil
from cuedeck.model.memory_record import Experience, Record
from cuedeck.model.settings_schema import ExperienceSettings

SETTINGS = ExperienceSettings()
TEXT = "The user prefers tabs over spaces"


def record(identity: str, text: str = TEXT, **fields: Any) -> Record:
    return Record(
        identity,
        text,
        **{"timestamp": "2026-01-01T00:00:00Z", "sensitivity": "public", **fields},
    )


def distil_records(
    records: Sequence[Record],
    existing: Sequence[Experience] = (),
    seen: Collection[str] = (),
    *,
    primary: Collection[str] | None = None,
    imported: Sequence[Experience] = (),
    forgotten: Collection[str] = (),
    **settings: Any,
) -> Distillation:
    named = {each.id for each in records} if primary is None else primary
    candidates = Candidates(records, named, imported, forgotten)
    return distil(
        candidates,
        existing,
        seen,
        SETTINGS.replace(**settings),
        lambda text: text.replace("hunter2", "***"),
    )


def test_experience_names_its_source() -> None:
    made = record(
        "r1",
        "Call verify_token with hunter2 in src/auth.py",
        session="s1",
        category="learned",
        confidence=0.8,
    )
    (found,) = distil_records([made]).added
    assert (found.text, found.record, found.session) == (
        "Call verify_token with *** in src/auth.py",
        "r1",
        "s1",
    )
    assert (found.category, found.timestamp, found.confidence) == (
        "learned",
        made.timestamp,
        0.8,
    )
    assert (found.sensitivity, found.entities) == (
        "public",
        ("verify_token", "src/auth.py"),
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"category": "compaction"}, {"category": "heartbeat"}, {"category": "profile"},
        {"sensitivity": "secret"}, {"sensitivity": "top-secret"}, {"text": "  too short   "},
    ],
    ids=str,
)  # fmt: skip
def test_short_secret_and_excluded_records_become_no_experience_e7(
    fields: dict[str, str],
) -> None:
    choice = distil_records([record("r1", **fields)])
    assert (choice.looked_at, choice.added, choice.duplicates) == (1, (), 0)
    assert len(choice.seen) == 1


@pytest.mark.parametrize(
    "category", ["note", "learned", "turn-summary", "user-preference", "decision"]
)
def test_records_of_these_categories_become_experiences(category: str) -> None:
    assert len(distil_records([record("r1", category=category)]).added) == 1


def test_duplicate_is_not_added_but_a_correction_is() -> None:
    rows = [
        record("r1"),
        record("r2", "the user prefers tabs over spaces!"),
        record("r3", "The user prefers spaces over tabs"),
    ]
    choice = distil_records(rows)
    assert [each.record for each in choice.added] == ["r1", "r3"]
    assert (choice.looked_at, choice.found, choice.duplicates) == (3, 2, 1)


def test_only_new_records_are_examined() -> None:
    first = distil_records([record("r1")])
    again = distil_records(
        [record("r1"), record("r0", "An older record that was appended out of order")],
        first.added,
        first.seen,
    )
    assert (again.looked_at, [each.record for each in again.added]) == (1, ["r0"])


def test_lost_cursor_adds_nothing_twice() -> None:
    first = distil_records([record("r1")])
    again = distil_records([record("r1")], first.added)
    assert (again.added, again.gone, again.duplicates) == ((), (), 0)


def test_corrected_record_replaces_its_experience() -> None:
    first = distil_records([record("r1")])
    changed = record("r1", "The user prefers spaces over tabs")
    again = distil_records([changed], first.added, first.seen)
    assert again.gone == (first.added[0].id,)
    assert [(each.id, each.text) for each in again.added] == [
        (first.added[0].id, changed.text)
    ]
    assert distil_records([changed], first.added, first.seen, primary=()).added == ()


def test_record_that_became_secret_removes_its_experience() -> None:
    first = distil_records([record("r1")])
    again = distil_records(
        [record("r1", sensitivity="secret")], first.added, first.seen
    )
    assert (again.added, again.gone) == ((), (first.added[0].id,))
    assert distil_records([], first.added, forgotten=["r1"]).gone == (
        first.added[0].id,
    )


def test_imported_experiences_are_added_once() -> None:
    foreign = [
        Experience("exp_1", TEXT, record="r1", category="user-preference"),
        Experience("exp_2", "An experience of a secret", record="r2"),
        Experience("exp_3", "The password of the vault is hunter2"),
        Experience("exp_4", "What was forgotten before", record="r9"),
    ]
    rows = [
        record("r1"),
        record("r2", "An experience of a secret", sensitivity="secret"),
    ]
    first = distil_records(rows, imported=foreign, forgotten=["r9"])
    assert [(each.id, each.sensitivity) for each in first.added] == [
        ("exp_1", "public"),
        ("exp_3", "private-user"),
    ]
    assert first.added[1].text.endswith("***")
    again = distil_records(
        rows, first.added[:1], first.seen, imported=foreign, forgotten=["r9"]
    )
    assert (again.looked_at, again.added) == (0, ())


def test_full_store_keeps_the_most_valuable_experiences() -> None:
    rows = [
        record(f"r{number}", f"This is the text of case number {number}")
        for number in range(8)
    ]
    rows.append(record("kept", "What was learned about the parser", category="learned"))
    choice = distil_records(rows, max_count=3)
    assert (choice.found, choice.evicted, len(choice.added)) == (3, 0, 3)
    assert "kept" in [each.record for each in choice.added]


@given(
    st.lists(
        st.sampled_from([f"This is the text of case {n} of them" for n in range(4)]),
        max_size=8,
    ),
    st.integers(0, 8),
)
@settings(deadline=None)
def test_two_runs_give_the_result_of_one_run(texts: list[str], cut: int) -> None:
    rows = [record(f"r{at}", text) for at, text in enumerate(texts)]
    whole = distil_records(rows)
    first = distil_records(rows[:cut])
    second = distil_records(rows, first.added, first.seen)
    after = [each for each in first.added if each.id not in second.gone] + list(
        second.added
    )
    assert {each.id: each for each in after} == {each.id: each for each in whole.added}
    assert first.duplicates + second.duplicates == whole.duplicates
    assert second.seen == whole.seen


LESS = "Deploys of the shop go out on Tuesday mornings"
MORE = "Deploys of the shop go out on Tuesday mornings after all tests"


def test_different_statements_stay_separate() -> None:
    texts = (
        LESS,
        LESS.replace("Tuesday", "Friday"),
        LESS.replace("shop", "blog"),
        LESS.replace("go", "never go"),
    )
    assert (
        len(
            distil_records(
                [record(f"r{at}", text) for at, text in enumerate(texts)]
            ).added
        )
        == 4
    )


@pytest.mark.parametrize(
    ("text", "fields", "reason"),
    [
        ("too short", {}, "it is shorter than 20 characters"),
        (
            TEXT,
            {"category": "heartbeat"},
            "records of the category heartbeat do not become experiences",
        ),
        (TEXT, {"sensitivity": "secret"}, "it is labelled secret"),
    ],
)
def test_refusal_has_a_reason(text: str, fields: dict[str, str], reason: str) -> None:
    choice = distil_records([record("r1", text, **fields)])
    (outcome,) = choice.outcomes
    assert (choice.added, outcome.result, outcome.reason) == ((), "refused", reason)
    assert outcome.text == ("" if "sensitivity" in fields else text)


def test_forgotten_source_is_no_longer_named() -> None:
    first = distil_records([record("r0", MORE), record("r1", LESS)])
    again = distil_records(
        [record("r0", MORE)], first.added, first.seen, forgotten=["r1"]
    )
    assert (again.gone, [each.sources for each in again.added]) == (
        (first.added[0].id,),
        [()],
    )
