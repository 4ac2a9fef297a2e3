"""What kind of value a word is."""

from __future__ import annotations

import re

NUMBER = "number"
DAY = "day"
MONTH = "month"
PATH = "path"
OTHER = ""

_NUMBER = re.compile(r"[+-]?v?\d[\d.,:/-]*(?:[^\W\d_]{1,4}|%)?(?:[\w.+-]*\d)?|utc[+-]?\d*|\d+x\d+")
_PATH = re.compile(r"(?:[\w.~-]*/[\w./~@:+%?=#&-]+|[a-z][\w-]*(?:\.[a-z][\w-]*)+|https?://.*)")
_NUMERALS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_NUMERAL_VALUES = {word: str(value) for value, word in enumerate(_NUMERALS)}
_DAYS = (
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag",
    "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag",
    "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
    "lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo",
    "segunda", "terça", "quarta", "quinta", "sexta",
    "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica",
    "poniedział", "wtor", "środ", "czwart", "piąt", "sobot", "niedziel",
    "понедельник", "вторник", "сред", "четверг", "пятниц", "суббот", "воскресен",
    "понеділ", "вівтор", "серед", "четвер", "п'ятниц", "субот", "неділ",
)  # fmt: skip
_DAY = re.compile(f"(?:{'|'.join(_DAYS)})\\w{{0,4}}")
_MONTH = re.compile(
    r"january|february|march|april|may|june|july|august|september|october|november|december"
    r"|januar|februar|märz|mai|juni|juli|oktober|dezember|januari|februari|maart|mei|augustus"
    r"|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre"
    r"|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
    r"|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|dezembro"
    r"|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre"
    r"|(?:январ|феврал|март|апрел|ма[йяе]|июн|июл|август|сентябр|октябр|ноябр|декабр)\w{0,3}"
)


def kind_of(word: str) -> str:
    """Return the kind of a lower-case word."""
    first = word[:1]
    if first.isdecimal() or (first in "+-vu" and _NUMBER.fullmatch(word)):
        return NUMBER
    if word in _NUMERAL_VALUES:
        return NUMBER
    if _DAY.fullmatch(word):
        return DAY
    if _MONTH.fullmatch(word):
        return MONTH
    return PATH if ("/" in word or "." in word) and _PATH.fullmatch(word) else OTHER


def numeral(word: str) -> str:
    """Return a number word in digits, any other word as it is."""
    return _NUMERAL_VALUES.get(word, word)
