"""Splitting of prose into sentences."""

from __future__ import annotations

import pytest

from cuedeck.text.sentences import LONGEST, first_sentence, split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("See e.g. Paris, i.e. France.", ["See e.g. Paris, i.e. France."]),
        ("Dr. Ana Ruiz came. She left.", ["Dr. Ana Ruiz came.", "She left."]),
        ("J. Smith wrote it.", ["J. Smith wrote it."]),
        ("Version 3.11 is out. Use it.", ["Version 3.11 is out.", "Use it."]),
        ("Call `a. B` first. Then stop.", ["Call `a. B` first.", "Then stop."]),
        ("It works. `run` it.", ["It works.", "`run` it."]),
        ("See https://a.example/x.y. Next.", ["See https://a.example/x.y.", "Next."]),
        ('He said "Stop." Then left.', ['He said "Stop."', "Then left."]),
        ("¿Vienes? ¡Sí! Vale.", ["¿Vienes?", "¡Sí!", "Vale."]),
        ("ends with etc. and goes on.", ["ends with etc. and goes on."]),
        ("今日は晴れ。明日は雨！", ["今日は晴れ。", "明日は雨！"]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("", []),
        (" \n \n", []),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def test_a_sentence_without_end_is_divided() -> None:
    parts = split_sentences("word " * 1_000)
    assert all(len(part) <= LONGEST for part in parts)
    assert " ".join(parts).split() == ["word"] * 1_000


def test_a_long_run_without_spaces_is_divided() -> None:
    assert "".join(split_sentences("x" * 5_000)) == "x" * 5_000


def test_first_sentence() -> None:
    assert first_sentence("\n Do it. Then rest.") == "Do it."
    assert first_sentence("") == ""


def test_a_long_line_is_split_in_parts_without_losing_text() -> None:
    line = "`a. b`. Then so. " * 60_000
    sentences = split_sentences(line)
    assert "".join(sentences).replace(" ", "") == line.replace(" ", "")
    assert max(map(len, sentences)) <= LONGEST
