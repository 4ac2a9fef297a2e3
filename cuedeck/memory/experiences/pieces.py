"""A text as pieces: words, numbers, code, and runs of letters that stand without blanks between words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.memory.experiences.spelling import fold

_KANA_LETTERS, _HAN_LETTERS = "\u3041-\u3096", "\u3400-\u4dbf\u4e00-\u9fff\u3005"
SPACELESS = f"{_KANA_LETTERS}\u30a1-\u30fa\u30fc{_HAN_LETTERS}"
_LETTER = rf"[^\W{SPACELESS}]"
_RUN = re.compile(
    rf"""(?P<kana>[{_KANA_LETTERS}][{_KANA_LETTERS}ー]*)
    |(?P<katakana>[\u30a1-\u30fa\u30fc]+)
    |(?P<han>[{_HAN_LETTERS}]+)
    |(?P<run>(?:@|--)?{_LETTER}+(?:(?:[./:\#@'-]|(?<=\d),(?=\d{{3}}(?!\d))){_LETTER}+)*)""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_PLAIN = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_APART = re.compile("['-]| (?=not$)")
_NOT_SHORT = re.compile("n't$")
_CODE = re.compile(r"[/#@_]")
_SENTENCE = re.compile(r"[.!?:\n“\"(*-]")


class Piece(NamedTuple):
    text: str
    kind: str
    is_name: bool = False
    follows: bool = False
    """Whether it stands directly behind a character."""


def read_pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of an even text. Order: of the text."""
    end, last = 0, ""
    for match in _RUN.finditer(text):
        kind, raw = match.lastgroup or "", match[0]
        if kind != "run":
            yield Piece(raw, kind, False, match.start() == end and last == "han")
        elif raw.islower() and raw.isalpha():
            yield Piece(fold(raw), "word")
        else:
            begins = not end or _SENTENCE.search(text, end, match.start()) is not None
            yield from _words_of(raw, not begins)
        end, last = match.end(), kind


def _words_of(raw: str, is_within: bool) -> Iterator[Piece]:
    """Take a run of letters apart: code and numbers as they are, else words."""
    is_name = is_within and raw[0].isupper() and not raw.isupper()
    if raw.isalpha():
        yield Piece(fold(raw), "word", is_name)
    elif _NUMBER.fullmatch(raw):
        yield Piece(raw.replace(",", "") if _GROUPED.fullmatch(raw) else raw, "number")
    elif _PLAIN.fullmatch(raw):
        for at, part in enumerate(_APART.split(_NOT_SHORT.sub(" not", fold(raw)))):
            yield Piece(part, "word", is_name and not at)
    elif "-" in raw and not raw.startswith("--") and not _CODE.search(raw):
        for part in raw.split("-"):
            yield from _words_of(part, is_within)
    else:
        yield Piece(fold(raw).removesuffix("'s"), "code")
