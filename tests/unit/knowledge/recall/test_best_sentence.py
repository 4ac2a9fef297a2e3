"""The sentence of a text that answers a query."""

from __future__ import annotations

import pytest

from cuedeck.knowledge.recall.recall_answer import best_sentence
from cuedeck.text.words import read_stems, stem_key

_WEIGHTS = {"port": 1.0, "stage": 0.5}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met. The port is 5433. Bye.", "The port is 5433."),
        ("Version 1.5 of e.g. the port\nis new. Next.", "Version 1.5 of e.g. the port is new."),
        ("¿Y ayer? Staging has the port 1. Port 2 is free.", "Staging has the port 1."),
        ("No word here. Nor here.", "No word here."),
        ("One — the port — two", "the port"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_sentence_with_most_of_the_words_is_shown(text: str, expected: str) -> None:
    assert best_sentence(text, _WEIGHTS, 100) == expected


def test_a_long_sentence_is_cut_around_its_match() -> None:
    text = "word " * 300 + "the port is 5433 " + "end " * 300
    shown = best_sentence(text, _WEIGHTS, 80)
    assert len(shown) <= 80
    assert "the port is 5433" in shown
    assert shown.startswith("…") and shown.endswith("…")


def test_a_long_word_is_cut_too() -> None:
    shown = best_sentence("x" * 1_000 + " port", _WEIGHTS, 60)
    assert len(shown) <= 60 and "port" in shown


@pytest.mark.parametrize(
    "text",
    [
        "Hello team. The port is 5433. Bye.",
        "Hello team, the staff of the harbour\nThe port is 5433\nor so",
        "Hello team. | Ana | the PORT is 5433 | open |",
        "Note: the port is 5433",
        "[x] The port\nis 5433!",
        "word " * 300 + "the port is 5433",
    ],
)
def test_a_sentence_that_ends_with_a_secret_text_is_not_shown(text: str) -> None:
    keys = {stem_key(read_stems("The port is 5433."))}
    assert best_sentence(text, _WEIGHTS, 100)
    assert best_sentence(text, _WEIGHTS, 100, secret_keys=keys) == ""


def test_a_sentence_next_to_a_secret_text_is_shown() -> None:
    keys = {stem_key(read_stems("The key is 5433"))}
    text = "The port of staging is new. The key is 5433."
    shown = best_sentence(text, _WEIGHTS, 100, secret_keys=keys)
    assert shown == "The port of staging is new."
