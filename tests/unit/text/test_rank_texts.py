"""Ranking of texts for a query."""

from __future__ import annotations

import pytest

from cuedeck.text.rank_texts import MAX_RESULTS, rank_texts

TEXTS = {
    "dark": "User prefers dark mode and keyboard shortcuts",
    "login": "We fixed the login bug by validating the token",
    "friday": "Operator prefers deployment on Fridays",
    "types": "The project uses TypeScript and Vitest",
    "pizza": "Pizza is the team lunch preference",
    "russian": "Пользователь предпочитает тёмную тему",
    "japanese": "ユーザーは暗い画面を好む",
    "chinese": "用户喜欢深色模式",
    "french": "L'utilisateur préfère les thèmes foncés",
    "code": "Call verifyToken in src/auth.py before the redirect",
}


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("user preferences dark mode", "dark"),
        ("login bug fix", "login"),
        ("deployment preferences", "friday"),
        ("when are deploys done on friday", "friday"),
        ("тёмные темы", "russian"),
        ("暗い画面", "japanese"),
        ("深色", "chinese"),
        ("thème foncé", "french"),
        ("verify_token", "code"),
        ("src/auth.py", "code"),
        ("TYPESCRIPT", "types"),
    ],
)
def test_case_16_the_answering_text_is_first(query: str, best: str) -> None:
    ranked = rank_texts(TEXTS, query, 3)
    assert ranked[0].id == best
    assert ranked[0].score > 0


def test_only_texts_with_a_word_of_the_query_are_found() -> None:
    assert rank_texts(TEXTS, "kubernetes", 8) == []
    assert rank_texts(TEXTS, "please", 8) == []
    assert rank_texts({}, "login", 8) == []


def test_ties_are_broken_by_id_and_results_are_limited() -> None:
    texts = {f"{number}": "document with some words" for number in (3, 1, 2)}
    ranked = rank_texts(texts, "document", 2)
    assert [each.id for each in ranked] == ["1", "2"]
    assert ranked[0].score == ranked[1].score > 0
    many = {f"{number:03d}": f"document number {number}" for number in range(100)}
    assert len(rank_texts(many, "document", 1_000)) == MAX_RESULTS


def test_rare_words_count_most() -> None:
    texts = {
        **{f"{at}": f"the service restarts at {at}" for at in range(9)},
        "x": "the printer jams",
    }
    assert rank_texts(texts, "the service printer", 1)[0].id == "x"


def test_vectors_of_the_original_rank_as_the_original_did() -> None:
    ranked = rank_texts(TEXTS, "deployment preferences", 5, "hash128")
    assert ranked[0] == ("friday", 0.316228)
    assert rank_texts(TEXTS, "тёмные темы", 5, "hash128") == []
