"""The bilingual log: its questions are valid, and recall finds their entries."""

from __future__ import annotations

from benchmarks.bilingual.__main__ import (
    BAR,
    answer_all,
    read_log,
    read_questions,
    recall_of,
)


def test_the_questions_name_entries_of_eight_weeks() -> None:
    log, questions = read_log(), read_questions()
    assert len(log) >= 150
    assert len({text.date for text in log}) == 40
    assert len(questions) >= 60
    known = {text.id for text in log}
    assert all(known.issuperset(row["relevant"]) for row in questions)
    assert len({row["question"] for row in questions}) == len(questions)


def test_recall_finds_the_entries() -> None:
    questions = read_questions()
    assert recall_of(questions, answer_all(read_log(), questions)) >= BAR
