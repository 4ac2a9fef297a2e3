"""A text as what it says: words by their stem, numbers, code, characters; what says nothing is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from cuedeck.records.experiences import symbols
from cuedeck.records.experiences.languages import chinese, japanese, negations, sequence_words
from cuedeck.records.experiences.languages.base import Language
from cuedeck.records.experiences.languages.detection import choose
from cuedeck.records.experiences.languages.russian import RUSSIAN
from cuedeck.records.experiences.normalization import even
from cuedeck.records.experiences.tokenizer import SPACELESS, Piece, read_pieces

WORD, NAME, TELLING, SIGN, KANA = range(5)
"""Kinds: a word; one with a capital; what changes a text wherever it is added; one Chinese character; hiragana."""
NOT = "=not"
LONGEST = 20_000
"""Characters of a text that are looked at."""

_HAS_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_HAS_SPACELESS = re.compile(f"[{SPACELESS}]")
_BLANKS = re.compile(r"[^\S\n]+")
_LONG_KATAKANA = 3
_MARK = -1
"""Kind of what is no token: a word that only says where things stand."""


class Token(NamedTuple):
    """One thing a text says."""

    form: str
    """Equal forms say the same."""
    kind: int
    word: str
    """As it stands in the text, folded."""
    joins: bool = False
    """Whether it stands directly behind the token before, as characters of one word do."""


class Said(NamedTuple):
    """What a text says."""

    tokens: tuple[Token, ...]
    marks: tuple[tuple[str, int], ...]
    """Words between things that cannot change places, and the number of tokens before each."""
    is_list: bool
    """Whether something in it is listed, so that order may mean nothing."""


def read_said(text: str) -> Said:
    """Return what a text says."""
    text = _BLANKS.sub(" ", even(text[:LONGEST])).strip()
    has_kana = False
    if not text.isascii() and _HAS_SPACELESS.search(text):
        has_kana = _HAS_KANA.search(text) is not None
        text = (japanese if has_kana else chinese).SAID_IN_VAIN.sub(" ", text)
        text = text if has_kana else text.replace(chinese.THEN, chinese.THEN_SHORT)
    tokens: list[Token] = []
    marks: list[tuple[str, int]] = []
    for found in _said(list(read_pieces(text)), text, has_kana):
        if found.kind == _MARK:
            marks.append((found.form, len(tokens)))
        else:
            tokens.append(found)
            if found.form == NOT:
                marks.append((NOT, len(tokens) - 1))
    if marks and not marks[0][1] and marks[0][0] in sequence_words.OPENING and (end := sequence_words.clause_end(text)):
        before = _said(list(read_pieces(text[:end])), text, has_kana)
        marks.append((f"{marks[0][0]},", sum(token.kind != _MARK for token in before)))
    return Said(tuple(tokens), tuple(marks), sequence_words.LISTED.search(text) is not None)


def _said(pieces: Sequence[Piece], text: str, has_kana: bool) -> Iterator[Token]:
    """Yield the tokens and the marks."""
    latin = choose((piece.text for piece in pieces if piece.kind == "word"), text)
    at, opens = 0, True
    while at < len(pieces):
        piece = pieces[at]
        if piece.kind != "word":
            opens = opens and piece.kind == "sign"
            yield from _READ[piece.kind](piece, has_kana)
        else:
            known = RUSSIAN if "\u0400" <= piece.text[0] <= "\u052f" else latin
            if piece.text in known.phrases and (size := _phrase(pieces, at, known)):
                at += size
                continue
            if not (opens and piece.text in known.opening):
                found = _word(piece.text, piece.is_name, known)
                opens = opens and not any(token.kind != _MARK for token in found)
                yield from found
        at += 1


def _phrase(pieces: Sequence[Piece], at: int, known: Language) -> int:
    """Return how many words of a phrase that says nothing begin here."""
    for phrase in known.phrases[pieces[at].text]:
        if tuple(piece.text for piece in pieces[at : at + len(phrase)]) == phrase:
            return len(phrase)
    return 0


@lru_cache(30_000)
def _word(word: str, is_name: bool, known: Language) -> tuple[Token, ...]:
    found = (Token(word, _MARK, word),) if word in known.sides else ()
    if word in known.empty:
        return found
    if word in known.negations or negations.BENT.fullmatch(word):
        return (Token(NOT, TELLING, word),)
    if negations.turns(word, known.empty):
        # By itself: `nu` is `now` in one language and `not` in another.
        return (*found, Token(f"={word}", TELLING, word))
    if word in known.numbers:
        return (*found, Token(f"={known.numbers[word]}", TELLING, word))
    form = known.stem(word)
    if form in known.telling:
        return (*found, Token(f"={form}", TELLING, word))
    return (*found, Token(form, NAME if is_name and known.capitals else WORD, word))


def _exact(piece: Piece, has_kana: bool) -> Iterator[Token]:
    yield Token(f"={piece.text}", TELLING, piece.text)


def _sign(piece: Piece, has_kana: bool) -> Iterator[Token]:
    sign = symbols.EQUAL.get(piece.text, piece.text)
    if sign in symbols.TURNING:
        yield Token(NOT, TELLING, sign)
    elif sign in symbols.TELLING or symbols.is_currency(sign):
        yield Token(f"={sign}", TELLING, sign)
    else:
        yield Token(sign, SIGN, sign)


def _katakana(piece: Piece, has_kana: bool) -> Iterator[Token]:
    word = piece.text.rstrip("ー") if len(piece.text) > _LONG_KATAKANA else piece.text
    yield Token(word, NAME, word)


def _han(piece: Piece, has_kana: bool) -> Iterator[Token]:
    joins = False
    for sign in piece.text:
        if sign in chinese.SIDES and not has_kana:
            yield Token(sign, _MARK, sign)
        if sign in chinese.NEGATIONS:
            yield Token(NOT, TELLING, sign)
        elif has_kana or sign not in chinese.EMPTY:
            kind = TELLING if sign in chinese.TELLING else SIGN
            yield Token(f"={sign}" if kind == TELLING else sign, kind, sign, joins)
            joins = True


def _hiragana(piece: Piece, has_kana: bool) -> Iterator[Token]:
    for text, kind, _ in japanese.read_kana(piece.text, follows=piece.follows):
        if kind in ("side", "limit"):
            yield Token(text, _MARK, text)
        if kind == "not":
            yield Token(NOT, TELLING, text)
        elif kind in ("must", "maybe"):
            yield Token(f"={kind}", TELLING, text)
        elif kind in ("limit", "word"):
            yield Token(text, KANA, text)


_READ = {"number": _exact, "code": _exact, "katakana": _katakana, "han": _han, "kana": _hiragana, "sign": _sign}
