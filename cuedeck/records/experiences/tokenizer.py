"""A text as pieces: words, numbers, code, and runs of letters that stand without blanks between words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from cuedeck.records.experiences import symbols
from cuedeck.records.experiences.languages import negations
from cuedeck.records.experiences.normalization import fold

_KANA_LETTERS, _HAN_LETTERS = "\u3041-\u3096", "\u3400-\u4dbf\u4e00-\u9fff\u3005"
SPACELESS = f"{_KANA_LETTERS}\u30a1-\u30fa\u30fc{_HAN_LETTERS}"
_UNSPACED = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1780-\u17d3"
"""Thai, Lao, Khmer."""
VOWELS = "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0900-\u0963\u0980-\u0dff\u102b-\u103e"
"""Marks that belong to a word, though they are no letters."""
_LETTER = rf"(?:[^\W{SPACELESS}{_UNSPACED}]|[{VOWELS}])"
_OPEN = r"\s(\[`'\""
"""What may stand before a flag or the sign of a number."""
_SPACELESS_RUNS = rf"""
    (?P<kana>[{_KANA_LETTERS}][{_KANA_LETTERS}ー]*)
    |(?P<katakana>[\u30a1-\u30fa\u30fc]+)
    |(?P<han>[{_HAN_LETTERS}]+)
    |(?P<unspaced>[{_UNSPACED}]+)
    |"""
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_PLAIN = re.compile(rf"(?:[^\W\d_]|[{VOWELS}])+(?:['-](?:[^\W\d_]|[{VOWELS}])+)*")
_BROKEN = re.compile(r"\w+")
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


@cache
def _runs(is_ascii: bool) -> re.Pattern[str]:
    """Return what finds the runs of a text. In ASCII, as most texts are, it is made and looked for much faster."""
    letter, spaceless = (r"\w", "") if is_ascii else (_LETTER, _SPACELESS_RUNS)
    return re.compile(
        rf"""{spaceless}(?P<run>(?:@|--|(?<![^{_OPEN}=<>:,/*+])[-–](?=\d))?{letter}+
            (?:(?:[./:\#@'-]|(?<=\d),(?=\d{{3}}(?!\d))){letter}+)*(?:(?<=[A-Za-z])(?:\+\+\d*|\#)(?![\w+\#]))?)
        |(?P<flag>(?<![^{_OPEN}])-[A-Za-z](?:(?![\w-])|(?:(?<=\S[ ]-.)|(?<=[`'"(\[]-.))[\w-]*))
        |(?P<tag></?[A-Za-z][^<>\s]{{0,60}}>)
        |(?P<sign>{symbols.PATTERN})""",
        re.VERBOSE,
    )


def read_pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of an even text. Order: of the text."""
    end, last = 0, ""
    for match in _runs(text.isascii()).finditer(text):
        kind, raw = match.lastgroup or "", match[0]
        if kind in _STANDING_APART:
            yield from _STANDING_APART[kind](raw)
            continue
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
    if raw[0] in "-–" and not raw.startswith("--"):
        first, *rest = _words_of(raw[1:], is_within)
        yield first._replace(text=f"-{first.text}")
        yield from rest
        return
    is_name = is_within and raw[0].isupper() and not raw.isupper()
    if raw.isalpha():
        yield Piece(fold(raw), "word", is_name)
    elif _NUMBER.fullmatch(raw):
        yield Piece(raw.replace(",", "") if _GROUPED.fullmatch(raw) else raw, "number")
    elif _PLAIN.fullmatch(raw):
        for at, part in enumerate(_APART.split(_NOT_SHORT.sub(" not", fold(raw)))):
            if part:
                yield Piece(part, "word", is_name and not at)
    elif "-" in raw and not raw.startswith("--") and not _CODE.search(raw):
        for part in raw.split("-"):
            yield from _words_of(part, is_within)
    else:
        # Case makes another flag.
        yield Piece(raw if raw.startswith("--") else fold(raw).removesuffix("'s"), "code")


def _unspaced(raw: str) -> Iterator[Piece]:
    """Take a run without blanks apart at its negations, and where marks break it."""
    for part in negations.SPACELESS.split(raw):
        words = (part,) if negations.SPACELESS.fullmatch(part) else _BROKEN.findall(part)
        yield from (Piece(fold(word), "word") for word in words)


def _flag(raw: str) -> Iterator[Piece]:
    yield Piece(raw, "code")


def _tag(raw: str) -> Iterator[Piece]:
    yield from read_pieces(raw[1:-1])


def _sign(raw: str) -> Iterator[Piece]:
    yield Piece(raw, "sign")


_STANDING_APART = {"unspaced": _unspaced, "flag": _flag, "tag": _tag, "sign": _sign}
