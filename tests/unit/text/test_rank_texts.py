"""Ranking of texts for a query."""

from __future__ import annotations

import pytest

from cuedeck.text.rank_texts import MAX_RESULTS, Search

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
    ranked = Search().rank(TEXTS, query, 3)
    assert ranked[0].id == best
    assert ranked[0].score > 0


def test_only_texts_with_a_word_of_the_query_are_found() -> None:
    search = Search()
    assert search.rank(TEXTS, "kubernetes", 8) == []
    assert search.rank(TEXTS, "please", 8) == []
    assert search.rank({}, "login", 8) == []


def test_ties_are_broken_by_id_and_results_are_limited() -> None:
    texts = {f"{number}": "document with some words" for number in (3, 1, 2)}
    ranked = Search().rank(texts, "document", 2)
    assert [each.id for each in ranked] == ["1", "2"]
    assert ranked[0].score == ranked[1].score > 0
    many = {f"{number:03d}": f"document number {number}" for number in range(100)}
    assert len(Search().rank(many, "document", 1_000)) == MAX_RESULTS


def test_rare_words_count_most() -> None:
    texts = {
        **{f"{at}": f"the service restarts at {at}" for at in range(9)},
        "x": "the printer jams",
    }
    assert Search().rank(texts, "the service printer", 1)[0].id == "x"


def test_vectors_of_the_original_rank_as_the_original_did() -> None:
    ranked = Search().rank(TEXTS, "deployment preferences", 5, "hash128")
    assert ranked[0] == ("friday", 0.316228)
    assert Search().rank(TEXTS, "тёмные темы", 5, "hash128") == []


def test_cached_data_of_removed_texts_is_dropped() -> None:
    search = Search()
    search.rank(TEXTS, "login", 3)
    search.keep([TEXTS["login"]])
    assert [each.id for each in search.rank({"login": TEXTS["login"]}, "login", 3)] == [
        "login"
    ]
