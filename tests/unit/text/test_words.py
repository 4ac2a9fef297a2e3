"""Stems: words, identifiers, numbers, scripts, and independence of the text."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cuedeck.text import words
from cuedeck.text.fold_text import fold_text, normalize
from cuedeck.text.sentences import is_question
from cuedeck.text.words import LONGEST, read_stems


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("dog", "Dogs"),
        ("paint", "painting"),
        ("buy", "bought"),
        ("child", "children"),
        ("Caroline", "Caroline's"),
        ("perro", "perras"),
        ("reunión", "reuniones"),
        ("reunion", "reunión"),
        ("almorcé", "almorce"),
        ("camarón", "camarones"),
        ("pagar", "pagamos"),
        ("pagar", "pagué"),
        ("hablamos", "hablar"),
        ("fácil", "fácilmente"),
        ("calendar", "calendars"),
        ("café", "cafe\u0301"),
        ("don't", "don’t"),
        ("собака", "собаки"),
        ("ＡＢＣ", "abc"),
        ("❤️", "❤"),
        ("👍🏽", "👍"),
    ],
)
def test_forms_of_a_word_have_the_same_stem(one: str, other: str) -> None:
    assert read_stems(one)[-1] == read_stems(other)[-1]


def test_a_word_in_capitals_with_an_accent_is_one_word() -> None:
    assert read_stems("KÖNIGSBERG Éxito ŁÓDŹ") == read_stems("königsberg éxito łódź")
    assert read_stems("ÉcoleTest")[:2] == read_stems("école test")


def test_an_emoji_is_a_word() -> None:
    assert read_stems("it's 🔥🔥, ok ✅") == ["it", "🔥", "🔥", "ok", "✅"]
    assert read_stems("👩‍💻 🇪🇸") == ["👩", "💻", "🇪🇸"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("note", "not"), ("car", "care"), ("plan", "plane"), ("release", "rel")],
)
def test_different_words_have_different_stems(one: str, other: str) -> None:
    assert read_stems(one) != read_stems(other)


def test_an_identifier_gives_its_parts_and_itself() -> None:
    assert read_stems("verify_user") == ["verifi", "user", "verify_user"]
    assert read_stems("parseQuery")[-1] == read_stems("parsequery")[0]
    assert read_stems("YouTube")[-1:] == read_stems("youtube")


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("e-mail", ["e", "mail", "email"]),
        ("E-Mail's", ["e", "mail", "email"]),
        ("мо-сква", ["мо", "сква", "москв"]),
        ("a - b", ["a", "b"]),
        ("--flag", ["flag"]),
        ("foo-bar2", ["foo", "bar2"]),
        ("日本-東京", ["日", "本", "日本", "東", "京", "東京"]),
    ],
)
def test_a_word_with_hyphens_gives_its_parts_and_its_joined_form(
    text: str, stems: list[str]
) -> None:
    assert read_stems(text) == stems


def test_numbers_and_dates_are_kept() -> None:
    assert "2026-11-20" in read_stems("on 2026-11-20.")
    assert "3.12.1" in read_stems("Python 3.12.1")
    assert read_stems("D1:3 port 8080") == ["d1", "3", "port", "8080"]
    assert read_stems("C++ and C#") == ["c++", "and", "c#"]


def test_scripts_without_spaces_give_characters_and_pairs() -> None:
    assert read_stems("東京都") == ["東", "京", "都", "東京", "京都"]
    assert read_stems("猫") == ["猫"]


def test_a_long_run_is_cut() -> None:
    assert read_stems("x" * 1_000_000) == ["x" * LONGEST]


@given(st.lists(st.text(max_size=12), max_size=6))
def test_the_stems_of_a_text_are_those_of_its_lines(lines: list[str]) -> None:
    together = read_stems("\n\n".join(lines))
    one_by_one = [stem for line in lines for stem in read_stems(line)]
    assert together == one_by_one


@given(st.text(max_size=60))
def test_a_stem_is_a_token_of_the_index(text: str) -> None:
    for stem in read_stems(text):
        assert stem
        assert not stem.isspace()
        assert len(stem.split(" ")) == 1
        assert '"' not in stem


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What now?", True),
        ("¿Qué hacemos?", True),
        ("Is it done? (shared a photo)", True),
        ("Really? Yes.", False),
        ("Done.", False),
        ("", False),
    ],
)
def test_a_question_ends_with_a_question_mark(text: str, expected: bool) -> None:
    assert is_question(text) is expected


def test_a_hostile_text_takes_linear_time() -> None:
    started = time.process_time()
    is_question("?(" * 500_000)
    read_stems("a'" * 200_000 + "1." * 200_000 + "_" * 200_000)
    assert time.process_time() - started < 30


_SIGNS = "aZéñß09_-.:,+#' ’“…\u0300か数กह"


@given(st.text(st.one_of(st.sampled_from(_SIGNS), st.characters())))
@example("a co-op's text")
@example("well-known'x-y")
def test_latin_text_is_split_as_by_the_pattern_of_all_scripts(text: str) -> None:
    """Text of Latin letters is split by a pattern that compiles faster."""
    expected = words._run_of_any_script().findall(normalize(text))
    assert words._split_text(text) == expected


@given(st.text(st.one_of(st.sampled_from("aZéÑß09_か"), st.characters()), min_size=1))
def test_identifiers_of_several_parts_give_their_parts(text: str) -> None:
    """The pattern of identifiers is searched only in a run that may be one."""
    for run in words._split_text(text):
        whole = fold_text(run.casefold().strip("_").replace("'", ""))
        stems = words._split_run(run)
        has_parts = re.search(words._HAS_PARTS, run) is not None
        if words._spaceless().fullmatch(run) or "'" in run or not whole:
            continue
        if run[0].isdecimal() and not run.isalnum():
            continue
        if "-" in run:
            assert len(stems) == run.count("-") + 2  # its parts, and the joined word
            continue
        whole_stems = words._read_word(words._fold_word(run))
        assert (len(stems) > len(whole_stems)) == has_parts
