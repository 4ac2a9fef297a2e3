"""The bilingual log: its questions are valid, and the steps of the ranking pay."""

from __future__ import annotations

from functools import cache

import pytest

from benchmarks.bilingual.__main__ import BAR, answer_all, read_log, read_questions
from benchmarks.bilingual.__main__ import recall_of as recall_of_answers
from benchmarks.recall_steps import settings_without


@cache
def recall_of(step: str, kind: str = "") -> float:
    questions = [row for row in read_questions() if kind in ("", row["kind"])]
    answers = answer_all(read_log(), questions, settings_without(step))
    return recall_of_answers(questions, answers)


def test_the_questions_name_entries_of_eight_weeks() -> None:
    log, questions = read_log(), read_questions()
    assert len(log) >= 150
    assert len({text.date for text in log}) == 40
    assert len(questions) >= 60
    known = {text.id for text in log}
    assert all(known.issuperset(row["relevant"]) for row in questions)
    assert len({row["question"] for row in questions}) == len(questions)


def test_recall_finds_the_entries() -> None:
    assert recall_of("") >= BAR


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ("stemming", "stems"),
        ("stop_words", "dates"),
        ("expansion", "synonyms"),
        ("date_words", "dates"),
    ],
)
def test_a_step_that_is_switched_off_costs_recall(step: str, kind: str) -> None:
    assert recall_of(step, kind) < recall_of("", kind)
