from __future__ import annotations

from cuedeck.model.formatting import abbreviate, counted, replace_surrogates, shorten


def test_a_cut_is_shown_and_counts() -> None:
    assert shorten("four", 4) == "four"
    assert shorten("fives", 4) == "fiv…"


def test_a_long_value_is_shown_with_its_length() -> None:
    assert (abbreviate("a" * 200), abbreviate("a" * 5_000)) == (
        "a" * 200,
        "… (5,000 characters)",
    )


def test_a_number_has_its_noun() -> None:
    assert [counted(number, "file") for number in (0, 1, 2_000)] == [
        "0 files",
        "1 file",
        "2,000 files",
    ]


def test_half_a_character_is_replaced_and_all_else_stays() -> None:
    assert replace_surrogates("a\ud800ü") == "a?ü"
