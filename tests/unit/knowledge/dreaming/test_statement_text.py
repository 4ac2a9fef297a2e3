"""Statements: the part of a text that can be promoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.dreaming.score_facts import read_statement


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# 2026-11-19",
        "2026-11-19 10:30",
        "19 November 2026",
        "Session notes 2026-11-19",
        "### Deploy",
        "---",
        "```python",
        "**Open questions**",
        "Next steps for the release:",
        "- [ ] TODO",
    ],
)
def test_headers_and_labels_state_nothing(text: str) -> None:
    assert read_statement(text).fault == "no statement"


@pytest.mark.parametrize(
    "text",
    [
        "The staging database listens on port 5433",
        "Deploys go out on Tuesdays",
        "Prefers small commits",
        "今日は東京でデプロイしました",
        "Never deploy on Friday",
        "- [x] Login.verify compares signatures in constant time",
    ],
)
def test_facts_of_all_scripts_are_statements(text: str) -> None:
    assert read_statement(text).fault == ""


def test_two_terms_suffice_for_a_record_that_states_a_claim() -> None:
    assert read_statement("Prefers pytest").fault == "no statement"
    assert read_statement("Prefers pytest", is_claim=True).fault == ""


def test_a_question_is_not_a_fact() -> None:
    assert read_statement("Which port does staging use now?").fault == "a question"


def test_headings_and_list_marks_are_left_out_of_the_text() -> None:
    text = "## Staging\n\n> - The database\n  listens on port 5433\n"
    assert read_statement(text).text == "The database listens on port 5433"


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    found = read_statement(text)
    assert "\n" not in found.text
