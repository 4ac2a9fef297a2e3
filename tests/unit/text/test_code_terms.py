from __future__ import annotations

import re
from collections.abc import Container

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.text.fold_text import fold_text
from cuedeck.text.stems import stem_word
from cuedeck.text.words import (
    LONGEST,
    name_term,
    read_terms,
    spelled_part,
    terms,
    word_terms,
)

TEXTS = st.text(st.sampled_from("abEK éß設7_-.(`\n"), max_size=40)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("verify_token", "verifi token"),
        ("verifyToken", "verifi token"),
        ("VERIFY_TOKEN", "verifi token"),
        ("HTTPServer", "http serv"),
        ("parseHTML5Doc", "pars html doc"),
        ("userIDs", "user id"),
        ("URLs", "url"),
        ("café_au_lait", "cafe au lait"),
        ("İstanbul_Straße", "istanbul strass"),
        ("設計_文書", "設計 文書"),
    ],
)
def test_an_identifier_is_its_parts_and_itself(word: str, parts: str) -> None:
    assert word_terms(word) == (*parts.split(), name_term(word))


@pytest.mark.parametrize(
    "word", ["token", "Größe", "étage", "Überprüfung", "設計文書", "__init__"]
)
def test_a_single_word_is_no_identifier(word: str) -> None:
    assert word_terms(word) == (stem_word(fold_text(word.strip("_"))),)


def test_a_name_is_folded_without_outer_underscores() -> None:
    assert name_term("__Verify_Token_") == name_term("verify_token") == "=verify_token"
    assert "=verify_token" in terms("_verify_token()")


@pytest.mark.parametrize(
    ("word", "term", "found", "spelled"),
    [
        ("verify_Tokens", "token", {"token"}, "Tokens"),
        ("parseHTTPBody", "http", {"http", "body"}, "HTTP"),
        ("Expired", "expir", {"expir"}, "Expired"),
        ("verify_token", "token", terms("verify_token"), "verify_token"),
        ("Login.verify_token", "login", {"login", "token"}, "Login"),
        ("Login.verify_token", "verifi", terms("verify_token"), "verify_token"),
        ("Login.verify", "verifi", {"login", "verifi"}, "Login.verify"),
    ],
)
def test_term_is_spelled_as_the_part_of_its_word_that_was_found(
    word: str, term: str, found: Container[str], spelled: str
) -> None:
    assert spelled_part(word, term, found) == spelled


def test_words_are_counted() -> None:
    assert terms("Token, token; TOKENS of tokenStore") == {
        "token": 4,
        "store": 1,
        "=tokenstore": 1,
    }


def test_stop_words_are_dropped() -> None:
    assert not terms(
        "Fix the tests: this should return self, and def is not a function"
    )
    assert terms("is_test") == {"=is_test": 1}


def test_single_letters_and_numbers_are_dropped() -> None:
    assert not terms("a = b + 2024 * 0 _ __")
    assert terms("3times") == terms("times")


def test_a_very_long_word_is_data() -> None:
    assert terms("x" * LONGEST) and not terms("x" * (LONGEST + 1))
    assert not terms("deadbeef_" * 20)


def test_a_word_begins_after_digits() -> None:
    assert terms("12_verify 007token 9é 3") == terms("_verify token é")
    assert terms("٣token") == terms("token")


@given(TEXTS)
def test_plain_text_has_the_words_that_any_text_has(text: str) -> None:
    """Plain text is read in another way."""
    plain = text.encode("ascii", "ignore").decode()
    assert terms(plain) == terms(f"{plain} …")
    assert list(terms(plain)) == list(terms(f"{plain} …"))


@given(TEXTS)
def test_terms_are_in_text_order(text: str) -> None:
    found = [
        term for word in re.findall(r"[^\W\d]\w*", text) for term in word_terms(word)
    ]
    assert read_terms(text) == found


@given(TEXTS, TEXTS)
def test_the_terms_of_a_text_are_those_of_its_lines(one: str, other: str) -> None:
    assert terms(f"{one}\n{other}") == terms(one) + terms(other)


@given(st.text(max_size=60))
def test_any_text_has_terms_in_lower_case_without_blanks(text: str) -> None:
    for term, times in terms(text).items():
        assert times > 0 and len(term) > 1 and term.split() == [term]
        assert term.lower() == term
