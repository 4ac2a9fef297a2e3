"""Detection of languages, stems and stop words."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cuedeck.text.languages import detect_language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("the user wants the dark theme", "en"),
        ("el usuario quiere el tema oscuro", "es"),
        ("der Nutzer will das dunkle Thema", "de"),
        ("l'utilisateur veut le mode sombre dans la page", "fr"),
        ("тёмная тема", "ru"),
        ("verify_token", "en"),
        ("", "en"),
    ],
)
def test_language_is_detected_by_its_stop_words(text: str, code: str) -> None:
    assert detect_language(text.replace("'", " ").lower().split()).code == code


def test_words_are_stemmed_without_accents() -> None:
    spanish = detect_language(["el", "usuario", "de", "la", "casa"])
    assert spanish.stem("ejecutó") == spanish.stem("ejecuta") == "ejecut"


def test_negations_and_numbers_have_an_exact_form() -> None:
    english = detect_language(["the"])
    assert [english.exact_word(word) for word in ("not", "two", "only", "table")] == [
        "=not",
        "=2",
        "=only",
        "",
    ]


def test_libraries_are_imported_only_when_texts_are_compared() -> None:
    program = (
        "import sys, cuedeck.knowledge.experiences.add_experience, cuedeck.knowledge.experiences.extract_experiences;"
        "import cuedeck.knowledge.recall.recall;"
        "print(sorted({'snowballstemmer', 'stopwordsiso'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
