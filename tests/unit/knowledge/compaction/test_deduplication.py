"""Equal statements are merged into one fact; a difference in one significant word keeps
them apart.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.compaction.deduplication import form, merge_near
from cuedeck.ledger.records.fact import Fact


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The deploy runs on Fridays.", "deploy runs on Friday"),
        ("Fixed the login bug in `auth.py`!", "fixed login bug in auth.py"),
        ("A test failed:  twice", "test failed twice"),
        ("Оператор любит чай.", "оператор любит чай"),
        ("デプロイは金曜日。", "デプロイは金曜日"),
    ],
)
def test_case_plural_articles_and_punctuation_are_ignored(one: str, other: str) -> None:
    assert form(one) == form(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("prefers to run tests", "prefers NOT to run tests"),
        ("prefers to run tests", "never prefers to run tests"),
        ("the first Monday", "the first Tuesday"),
        ("cluster blue is live", "cluster green is live"),
        ("fixed module 1", "fixed module 2"),
        ("version 3.1", "version 3.10"),
        ("A calls B", "B calls A"),
        ("x > 3", "x < 3"),
        ("it is 5 degrees", "it is -5 degrees"),
        ("written in C", "written in C++"),
        ("it works?", "it works"),
        ("the bug is fixed", "the bug was fixed"),
        ("the bug is being fixed", "the bug is fixed"),
        ("took option a", "took option b"),
    ],
)
def test_e17_significant_word_makes_another_fact(one: str, other: str) -> None:
    assert form(one) != form(other)


def fact(
    text: str, mark: str, day: str, label: str = "operational", **more: object
) -> Fact:
    return Fact(text, (mark,), day, label, **more)  # type: ignore[arg-type]


def test_merged_fact_has_all_sources_and_the_newest_wording() -> None:
    old, new = (
        fact("Runs tests", "a", "2026-11-01"),
        fact("runs the tests", "b", "2026-11-05"),
    )
    assert merge_near([old, new]) == [
        Fact("runs the tests", ("b", "a"), "2026-11-05", "operational")
    ]


def test_merged_fact_names_its_newest_sources_and_counts_the_others() -> None:
    message = [
        fact("all tests pass", f"{day:08x}", f"2026-11-{day:02}")
        for day in range(1, 21)
    ]
    (once,) = merge_near(message)
    assert once.sources == tuple(f"{day:08x}" for day in range(20, 14, -1))
    assert (once.more, once.day) == (14, "2026-11-20")
    again = fact("All tests pass", "aaaaaaaa", "2026-11-30")
    assert merge_near([once, again])[0].more == 15


def test_fact_with_another_sensitivity_is_not_merged() -> None:
    both = [
        fact("runs tests", "a", "2026-11-01", "public"),
        fact("runs tests", "b", "2026-11-01", "private-user"),
    ]
    assert merge_near(both) == both


def test_repeated_fact_is_merged_with_the_long_memory() -> None:
    long, new = (
        fact("runs tests", "a", "2026-01-01", ""),
        fact("Runs tests.", "b", "2026-11-01", "public"),
    )
    assert merge_near([new, long]) == [
        Fact("Runs tests.", ("b", "a"), "2026-11-01", "public")
    ]


def test_joint_summary_is_merged_with_no_other_fact() -> None:
    both = [
        fact("runs tests", "a", "2026-11-01"),
        fact("runs tests", "b", "2026-11-01", is_joint=True),
    ]
    assert merge_near(both) == both


WORD_LISTS = st.lists(
    st.lists(
        st.sampled_from(
            ["A", "the", "Runs", "run", "tests", "7", "-", "not", "é", "?"]
        ),
        max_size=5,
    ),
    max_size=6,
)


@given(WORD_LISTS)
def test_facts_are_merged_exactly_if_their_normal_forms_are_equal(
    word_lists: list[list[str]],
) -> None:
    texts = [" ".join(words) for words in word_lists]
    facts = [fact(text, f"{at:08x}", "2026-11-01") for at, text in enumerate(texts)]
    assert len(merge_near(facts)) == len({form(text) for text in texts})
