"""Matches that are certain to be about a message."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from cuedeck.model.settings_schema import RecallSettings
from cuedeck.records.recall import request_words, synonyms
from cuedeck.records.recall.recall_candidate import Statistics
from cuedeck.records.recall.recall_query import parse_query
from cuedeck.records.recall.recall_terms import read_stems
from cuedeck.records.recall.request_words import is_common, is_request
from cuedeck.records.recall.sure_match import message_words

_SPREAD = Counter({"stage": 4, "port": 6, "house": 5, "page": 2_000})


def is_sure(message: str, text: str, total: int = 5_000) -> bool:
    query = parse_query(message, date(2026, 11, 23), RecallSettings())
    words = message_words(query, Statistics(total, 8.0, _SPREAD, ""), stemming=True)
    return any(words.covered(read_stems(text)))


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("staging port", "The staging server listens on port 5433"),
        ("Which port does the staging server have?", "Staging has the port 5433"),
        ("Look at this first. It takes long. What is the port of staging?", "staging: port 1"),
        ("staging?", "Staging is on Hetzner"),
        ("la casa de staging", "The staging house is closed"),
        ("Why don't we use Adyen?", "Adyen was rejected"),
        ("What does the parser count?", "The parser counts lines from one"),
        ("where is `tide_windows` filled", "The migration that adds tide_windows"),
        ("the overlapping_bookings test", "Overlapping bookings are flaky"),
    ],
)  # fmt: skip
def test_a_unit_that_covers_a_sentence_is_sure(message: str, text: str) -> None:
    assert is_sure(message, text)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("Fix the failing test", "The test fails because of the range types"),
        ("page?", "This page is empty"),
        ("Which port do the ferries to Oslo use in winter?", "The port is 5433"),
        ("sort a list in Python", "The staging list is sorted"),
        ("Please explain it", "Staging"),
        ("Compare FastAPI and Django", "We read the release notes of FastAPI"),
        ("Explain FastAPI again", "We read the release notes of FastAPI"),
        ("Cache the result for ten minutes", "Forecasts are cached for 30 minutes"),
        ("Add a column for the length of videos", "The line length is 88 columns"),
        ("Look at the rotation and brakes", "It looks as if the rotation is new"),
        ("What does the port want from us?", "Nothing is in the port"),
        ("cache?", "The cache is keyed by a hash"),
        ("Write a test for empty input", "Wrote a test for empty input"),
        ("Split the class into two files", "The class was split into two files"),
        ("write a bash loop that renames jpegs", "A bash loop renames the fixtures"),
    ],
)
def test_a_unit_that_shares_a_frequent_or_general_word_is_not(
    message: str, text: str
) -> None:
    assert not is_sure(message, text)


def test_a_word_is_covered_once() -> None:
    """An identifier counted once for itself and once for each of its parts."""
    query = parse_query("MapLibre", date(2026, 11, 23), RecallSettings())
    words = message_words(query, Statistics(1_000, 8.0, Counter(), ""), stemming=True)
    assert words.covered(read_stems("MapLibre renders")) == [1.0]
    assert words.covered(read_stems("map, libre")) == [1.0]
    assert words.covered(read_stems("the map")) == [0.0]


def test_sentences_are_covered_apart() -> None:
    message = "The staging port is closed. Who repairs the boiler of Lugo?"
    query = parse_query(message, date(2026, 11, 23), RecallSettings())
    words = message_words(query, Statistics(1_000, 8.0, Counter(), ""), stemming=True)
    first, second = words.covered(read_stems("Iria repairs the boiler in Lugo"))
    assert not first
    assert second > 2


@pytest.mark.parametrize("total", [1, 12, 1_000, 1_000_000])
def test_certainty_does_not_need_a_large_index(total: int) -> None:
    assert is_sure("staging port", "The staging port is 5433", total)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("fix", "request"),
        ("tries", "request"),
        ("quiero", "request"),
        ("columns", "common"),
        ("left", "common"),
        ("página", "common"),
        ("staging", ""),
        ("webhook", ""),
    ],
)
def test_words_that_name_no_subject_are_known_in_each_form(
    word: str, kind: str
) -> None:
    (stem,) = read_stems(word)
    assert is_request(stem) is (kind == "request")
    assert is_common(stem) is (kind == "common")


def test_the_stems_of_request_words_are_known_and_no_others() -> None:
    words = f"{request_words._ENGLISH} {request_words._SPANISH}"
    stems = read_stems(words)
    assert all(map(is_request, stems))
    others = read_stems(f"{synonyms._PAIRS} {words[::-1]}")
    found = {stem for stem in others if is_request(stem)}
    assert found == set(others) & set(stems)


def test_a_stop_word_in_an_identifier_finds_no_units() -> None:
    query = parse_query("run check-the-docs", date(2026, 11, 23), RecallSettings())
    words = message_words(query, Statistics(5_000, 8.0, _SPREAD, ""), stemming=True)
    (stems,) = words.stems
    assert {"check", "doc", "checkthedoc"} <= stems
    assert "the" not in stems
