"""Similarity of statements: equal, changed or different."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.experiences.duplicates import find_near
from cuedeck.text.similarity import CHANGED, prepare, similarity

THRESHOLD = 0.85
WORDS = """
    not the user users prefers dark mode 80 81 red blue Anna tabs over spaces and friday test tests
    設定 赤 青 しない する тест тесты не écrit verify_token
"""
TEXTS = st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join)


def similarity_of(one: str, other: str) -> float:
    return similarity(prepare(one), prepare(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user prefers to run tests", "The user prefers NOT to run tests"),
        (
            "meeting on the first Monday of the month",
            "meeting on the first Tuesday of the month",
        ),
        ("deploys to cluster blue", "deploys to cluster green"),
        ("The API timeout is 30s", "The API timeout is 60s"),
        ("The limit is two hundred", "The limit is three hundred"),
        ("Config lives in src/app.py", "Config lives in src/api.py"),
        (
            "Call verify_token before the redirect",
            "Call verify_tokens before the redirect",
        ),
        ("Marta owns the parser module", "Martin owns the parser module"),
        ("prefers tabs over spaces", "prefers spaces over tabs"),
        ("Service billing calls service mail", "Service mail calls service billing"),
        ("Run the tests with -v", "Run the tests with -V"),
        ("The guard checks x == 1", "The guard checks x != 1"),
        ("The offset is -5 in the table", "The offset is 5 in the table"),
        ("A seat costs 5€ a month", "A seat costs 5$ a month"),
        ("The core is written in C++", "The core is written in C#"),
        ("Use tabs", "Do not use tabs"),
        ("Usa tabuladores en el código", "No usa tabuladores en el código"),
        (
            "Vuelca la caché antes del despliegue",
            "Vuelca la caché después del despliegue",
        ),
        ("Usamos dos réplicas", "Usamos tres réplicas"),
        ("Der Server darf neu starten", "Der Server darf nicht neu starten"),
        ("Il cliente vuole il tema scuro", "Il cliente non vuole il tema scuro"),
        ("O utilizador gosta do modo escuro", "O utilizador não gosta do modo escuro"),
        ("Use tabs in Makefiles", "Use tabs only in Makefiles"),
        ("The build server is up", "The build server is down"),
        ("likes short answers", "enjoys brief replies"),
        (
            "the team keeps the model in the cellar",
            "the team keeps the modem in the cellar",
        ),
        ("Le client veut du thé", "Le client ne veut pas de thé"),
        ("Используй пробелы, а не табы", "Используй табы, а не пробелы"),
        ("テストを実行する", "テストを実行しない"),
        ("会議は三時から", "会議は四時から"),
        ("りんごを買う", "みかんを買う"),
        ("用户喜欢红茶", "用户不喜欢红茶"),
    ],
)
def test_correction_is_a_different_statement_e17(one: str, other: str) -> None:
    assert similarity_of(one, other) <= CHANGED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user prefers dark mode.", "the user prefers dark-mode"),
        ("The user prefers dark mode", "Users prefer dark mode"),
        (
            "The user prefers short answers",
            "Please remember: the user really prefers short answers, thanks!",
        ),
        ("Uses Redis, Kafka and Postgres", "Uses Postgres, Kafka, and Redis"),
        ("Fixed `verify_token()` in src/auth.py", "Fixed verify_token in src/auth.py."),
        ("Allow 1,000 requests per token", "Allow 1000 requests per token"),
        ("Do not deploy on Friday", "Don’t deploy on Fridays!"),
        ("The guard checks x != 1", "The guard checks x ≠ 1"),
        ("Ports 3-5 are free", "Ports 3–5 are free"),
        ("**Use** tabs", "- Use *tabs*"),
        (
            "Los usuarios prefieren el modo oscuro",
            "El usuario prefiere el modo oscuro, gracias",
        ),
        (
            "L’utilisateur préfère le mode sombre",
            "l'utilisateur prefere le mode sombre",
        ),
        ("Пользователь любит тёмную тему", "пользователь любит темную тему."),
        ("ＡＰＩのキーを更新した", "APIのキーを更新しました"),
        ("用户更喜欢深色模式", "用户更喜欢深色模式。谢谢！"),
    ],
)
def test_rephrased_statement_is_similar(one: str, other: str) -> None:
    assert similarity_of(one, other) >= THRESHOLD


def test_case_17_text_without_one_word_is_a_duplicate() -> None:
    message = "The user prefers to run tests before committing code"
    assert similarity_of(message, message.removesuffix(" code")) >= THRESHOLD


def test_case_18_different_texts_share_nothing() -> None:
    assert (
        similarity_of(
            "User prefers dark mode", "We deployed the new API to production yesterday"
        )
        == 0
    )


def test_informative_addition_changes_a_long_text() -> None:
    message = (
        "We deploy the payments service of the shop from the release branch by hand"
    )
    assert similarity_of(message, f"{message} quickly") >= THRESHOLD
    for added in (
        "after 5 minutes",
        "in two steps",
        "through deploy_all",
        "only",
        "with --force",
        "if x != 1",
        "never",
    ):
        assert similarity_of(message, f"{message} {added}") <= CHANGED


@pytest.mark.parametrize("text", ["", "please", "!!!", "-", "+ ", "ありがとう", "的"])
def test_text_without_content_words_equals_only_itself(text: str) -> None:
    assert similarity_of(text, text) == 1
    assert similarity_of(text, "The user prefers dark mode") == 0


@given(TEXTS, TEXTS)
def test_similarity_is_symmetric_and_one_for_equal_texts(one: str, other: str) -> None:
    found = similarity_of(one, other)
    assert found == similarity_of(other, one)
    assert 0 <= found <= 1
    assert similarity_of(one, one) == 1


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_compared(one: str, other: str) -> None:
    assert 0 <= similarity_of(one, other) <= 1
    assert similarity_of(one, f" {one}\n") == 1


def test_texts_are_compared_by_words_or_by_vectors_of_the_original() -> None:
    one, other = "prefers to run tests", "prefers NOT to run tests"
    assert find_near("words", CHANGED + 0.01, {"1": one}, other) is None
    assert find_near("hash128", THRESHOLD, {"1": one}, other) is not None
    assert find_near("hash128", 1, {"1": "тест"}, "тест") is not None
