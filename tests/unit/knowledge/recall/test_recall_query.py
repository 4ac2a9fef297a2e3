"""The query language: stop words, phrases, dates, names, synonyms, bad input."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.recall.recall_query import (
    MAX_QUERY,
    MAX_TERMS,
    RecallQuery,
    parse_query,
)
from cuedeck.text.words import read_stems

TODAY = date(2026, 11, 23)


def parse(text: str) -> RecallQuery:
    return parse_query(text, TODAY)


def words(query: RecallQuery, origin: str = "word") -> list[str]:
    return [term.word for term in query.terms if term.origin == origin]


def test_the_query_of_the_seed() -> None:
    query = parse("¿qué hablamos ayer sobre el proyecto Cookie?")
    assert words(query) == ["hablamos", "proyecto", "Cookie"]
    assert (query.since, query.until) == ("2026-11-22", "2026-11-22")
    assert query.dates == ("ayer",)
    assert query.names == ("cookie",)
    assert "project" in {term.stem for term in query.terms}


def test_stop_words_weigh_little_next_to_content() -> None:
    query = parse("where is the invoice")
    weights = {term.stem: term.weight for term in query.terms}
    assert weights["invoic"] == 1
    assert 0 < weights["the"] < 0.1
    assert query.has_content()


def test_stop_words_are_not_searched_next_to_words() -> None:
    terms = parse("how long do we keep the backups").searched()

    assert [term.word for term in terms if term.origin == "word"] == [
        "long",
        "keep",
        "backups",
    ]
    assert {term.origin for term in terms} == {"word", "synonym"}


@pytest.mark.parametrize("text", ["when will it be?", "the", "¿y qué es lo que hay?"])
def test_a_query_of_stop_words_is_searched(text: str) -> None:
    query = parse(text)
    assert query.terms
    assert not query.has_content()
    assert {term.weight for term in query.terms} == {1}


@pytest.mark.parametrize(
    ("text", "word"),
    [("did Will come?", "Will"), ("ask the IT team", "IT"), ("see May Smith", "May")],
)
def test_a_capitalised_stop_word_is_a_name(text: str, word: str) -> None:
    assert word in words(parse(text))
    assert word.lower() in parse(text).names


@pytest.mark.parametrize(
    "text", ["where did I put the keys", "WHERE IS THE PLAN", "What Is The Plan"]
)
def test_other_capitalised_stop_words_stay_stop_words(text: str) -> None:
    assert len(words(parse(text))) <= 2
    assert "I" not in words(parse(text))
    assert "the" in [word.lower() for word in words(parse(text), "stop")]


@pytest.mark.parametrize("word", ["I", "I'm", "I’ve", "I'd", "I'll"])
def test_the_pronoun_is_no_name(word: str) -> None:
    """`I'm` inside a sentence was taken for a name and searched as a word."""
    query = parse(f"where {word} told that {word} asked Ana")
    assert query.names == ("ana",)
    content = {term.stem for term in query.terms if term.origin == "word"}
    assert "i" not in content


@pytest.mark.parametrize("text", ["record", "note this", "Will"])
def test_words_about_memory_are_searched(text: str) -> None:
    assert parse(text).terms


def test_quoted_words_are_a_phrase() -> None:
    assert parse('the "blue green deploy" plan').phrases == (
        ("blue", "green", "deploy"),
    )
    assert parse("«plan de ventas»").phrases


@pytest.mark.parametrize(
    "text",
    [
        '"unbalanced quote',
        'a" OR "b',
        "NEAR(x, 2)",
        "a AND NOT b*",
        "col:x ^y -z",
        "''",
    ],
)
def test_operators_and_unbalanced_quotes_are_text(text: str) -> None:
    query = parse(text)
    assert all('"' not in term.stem for term in query.terms)


def test_only_the_beginning_of_a_long_query_counts() -> None:
    query = parse("word" + " other" * 200_000)
    assert query.is_cut
    assert len(query.text) == MAX_QUERY


def test_the_number_of_terms_is_bounded_and_keeps_content() -> None:
    text = " ".join(f"the topic{number}" for number in range(100))
    query = parse(text)
    assert len(query.terms) == MAX_TERMS
    assert {term.origin for term in query.terms} == {"word"}


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("perros", "dog"),
        ("dogs", "perr"),
        ("cumpleaños", "birthday"),
        ("shrimp", "camaron"),
        ("reuniones", "meet"),
    ],
)
def test_a_word_finds_its_synonym_in_the_other_language(word: str, stem: str) -> None:
    synonyms = [term for term in parse(word).terms if term.origin == "synonym"]
    assert stem in {term.stem for term in synonyms}
    assert all(0 < term.weight < 1 for term in synonyms)


def test_the_user_adds_synonyms() -> None:
    own = ("deploy release despliegue",)
    for word in ("deploys", "despliegues"):
        query = parse_query(word, TODAY, own)
        assert "releas" in {term.stem for term in query.terms}


def test_an_empty_query_has_no_terms() -> None:
    for text in ("", "   ", "?!", "\n"):
        assert parse(text).terms == ()


@pytest.mark.parametrize(
    "text",
    [
        "हिन्दी में लिखा",
        "שָׁלוֹם",
        "ข้อมูล",
        "データベース",
        "C++ and C#",
        "10,000 euros at 10:30",
        "1.250,50",
        "fire🔥 🇪🇸",
    ],
)
def test_a_query_has_the_stems_that_the_same_text_has_in_the_index(text: str) -> None:
    found = {term.stem for term in parse(text).terms}
    assert found.issuperset(read_stems(text))


WRITTEN = st.one_of(st.characters(), st.sampled_from("abDE12_'-.:,#+ ह्दी🔥🇪ñ中ข้"))


@given(st.text(WRITTEN, max_size=12))
def test_every_stem_of_a_query_is_searched(text: str) -> None:
    found = {term.stem for term in parse(text).terms}
    assert found.issuperset(read_stems(text))


@given(st.text(max_size=200))
def test_every_text_is_a_query(text: str) -> None:
    query = parse_query(text, TODAY)
    stems = [term.stem for term in query.terms]
    assert len(stems) == len(set(stems))
    assert all(stems)
    assert (query.since == "") == (query.until == "")
    assert query.since <= query.until
