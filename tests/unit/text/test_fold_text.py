"""One form for equal characters."""

from __future__ import annotations

import pytest

from cuedeck.text import stems, synonyms
from cuedeck.text.fold_text import fold_text, fold_word_list

WORD_LISTS = {
    "irregular forms": stems._FORMS,
    "English stop words": stems._ENGLISH,
    "Spanish stop words": stems._SPANISH,
    "words of talk": stems._TALK,
    "synonyms": synonyms._PAIRS,
}


@pytest.mark.parametrize("name", WORD_LISTS)
def test_word_lists_are_folded_like_other_texts(name: str) -> None:
    assert fold_word_list(WORD_LISTS[name]) == fold_text(WORD_LISTS[name])


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("İstanbul", "istanbul"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("cafe\u0301", "cafe"),
        ("Łódź", "lodz"),
        ("Αθήνα", "αθηνα"),
        ("ﬁle Ⅷ", "file viii"),
        ("한국어", "한국어"),
    ],
)
def test_case_and_marks_do_not_count(text: str, folded: str) -> None:
    assert fold_text(text) == folded
