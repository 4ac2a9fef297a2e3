"""Dates that a query names in words, English or Spanish."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from cuedeck.text.fold_text import fold_text

_DAY = timedelta(days=1)
_SUNDAY = 6
_WEEKDAYS = """
    monday lunes, tuesday martes, wednesday miercoles, thursday jueves, friday viernes,
    saturday sabado, sunday domingo
"""
_MONTHS = """
    january enero, february febrero, march marzo, april abril, may mayo, june junio,
    july julio, august agosto, september septiembre setiembre, october octubre,
    november noviembre, december diciembre
"""
_NUMBERS = """
    a an one un una, two dos, three tres, four cuatro, five cinco, six seis, seven siete,
    eight ocho, nine nueve, ten diez
"""


def _numbered(names: str) -> dict[str, int]:
    groups = enumerate(names.split(","), 1)
    return {word: number for number, words in groups for word in words.split()}


_WEEKDAY = _numbered(_WEEKDAYS)
_MONTH = _numbered(_MONTHS)
_COUNTS = _numbered(_NUMBERS)
_WEEKDAY_NAME = rf"({'|'.join(_WEEKDAY)})"
_MONTH_NAME = rf"({'|'.join(_MONTH)})"
_COUNT = rf"(\d{{1,4}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
_UNIT = r"(days?|weeks?|months?|years?|dias?|semanas?|mes(?:es)?|anos?)"
_DAY_NUMBER = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(\d{4})"
_ENGLISH, _SPANISH = "(week|month|year)", "(semana|mes|ano)"

Span = tuple[date, date]
"""First and last day."""
_Reader = Callable[[list[str], date], Span | None]
"""Returns the days that the words in the groups of a match name."""


class NamedDates(NamedTuple):
    """The dates that a text names."""

    first: date
    last: date
    start: int
    """Position of the first character of the words that name them."""
    end: int
    is_relative: bool
    """Whether the words mean something only together with the current day."""


def find_dates(text: str, today: date) -> list[NamedDates]:
    """Return the dates that a text names, in text order and without overlaps."""
    folded = _fold_same_length(text)
    found: list[NamedDates] = []
    taken: list[tuple[int, int]] = []
    for match, span, is_relative in _all_dates(folded, today):
        start, end = match.span()
        if any(start < old_end and end > old_start for old_start, old_end in taken):
            continue
        taken.append((start, end))
        if span is not None:
            found.append(NamedDates(*span, start, end, is_relative))
    return sorted(found, key=lambda named: named.start)


def _fold_same_length(text: str) -> str:
    folded = [fold_text(char) for char in text]
    return "".join(
        new if len(new) == 1 else old for old, new in zip(text, folded, strict=True)
    )


def _all_dates(
    text: str, today: date
) -> Iterator[tuple[re.Match[str], Span | None, bool]]:
    for rule in RULES:
        if not any(part in text for part in rule.parts):
            continue
        for match in compile_rule(rule.pattern).finditer(text):
            words = [word for word in match.groups() if word is not None]
            try:
                yield match, rule.read(words, today), rule.is_relative
            except (ValueError, OverflowError):
                yield match, None, rule.is_relative


def _read_calendar(words: list[str], today: date) -> Span:
    year, month, *days = map(int, words)
    if days:
        exact = date(year, month, days[0])
        return exact, exact
    return _month_span(year, month)


def _read_day_of_month(words: list[str], today: date) -> Span:
    (month,) = (_MONTH[word] for word in words if word in _MONTH)
    day, *years = sorted(int(word) for word in words if word.isdecimal())
    exact = date(years[0] if years else today.year, month, day)
    if not years and exact > today:
        exact = date(today.year - 1, month, day)
    return exact, exact


def _read_month(words: list[str], today: date) -> Span | None:
    (name,) = (word for word in words if word in _MONTH)
    month = _MONTH[name]
    if words[-1].isdecimal():
        return _month_span(int(words[-1]), month)
    is_verb = name in ("may", "march") and words[0] == name
    if is_verb:
        return None
    year = today.year if month <= today.month else today.year - 1
    return _month_span(year, month)


def _read_year(words: list[str], today: date) -> Span:
    year = int(words[0])
    return date(year, 1, 1), date(year, 12, 31)


def _read_days_before(days: int) -> _Reader:
    def read(words: list[str], today: date) -> Span:
        day = today - days * _DAY
        return day, day

    return read


def _read_periods_ago(count: int | None) -> _Reader:
    """Return the reader of the period that was some periods ago; by default as many as
    the words say.
    """

    def read(words: list[str], today: date) -> Span:
        unit = words[-1]
        ago = _count(words[0]) if count is None else count
        if unit.startswith("d"):
            day = today - ago * _DAY
            return day, day
        if unit.startswith(("w", "s")):
            monday = today - (7 * ago + today.weekday()) * _DAY
            return monday, monday + 6 * _DAY
        if unit.startswith("m"):
            return _months_before(today, ago)
        return date(today.year - ago, 1, 1), date(today.year - ago, 12, 31)

    return read


def _read_last_n(words: list[str], today: date) -> Span:
    count, unit = _count(words[0]), words[1]
    if unit.startswith(("d", "w", "s")):
        days = 1 if unit.startswith("d") else 7
        return today - days * count * _DAY, today
    if unit.startswith("m"):
        return _months_before(today, count)[0], today
    return date(today.year - count, today.month, 1), today


def _read_weekday(words: list[str], today: date) -> Span:
    back = (today.isoweekday() - _WEEKDAY[words[0]]) % 7 or 7
    day = today - back * _DAY
    return day, day


def _read_weekend(words: list[str], today: date) -> Span:
    saturday = today - ((today.weekday() - 5) % 7 or 7) * _DAY
    if today.weekday() == _SUNDAY:
        saturday -= 7 * _DAY
    return saturday, saturday + _DAY


def _count(text: str) -> int:
    return int(text) if text.isdecimal() else _COUNTS[text]


def _months_before(today: date, count: int) -> Span:
    months = today.year * 12 + today.month - 1 - count
    return _month_span(months // 12, months % 12 + 1)


def _month_span(year: int, month: int) -> Span:
    first = date(year, month, 1)
    next_month = date(year + month // 12, month % 12 + 1, 1)
    return first, next_month - _DAY


class Rule(NamedTuple):
    """A way to write dates."""

    parts: tuple[str, ...]
    """Texts of which every match has one. Most queries have none of them, so most rules
    are never compiled.
    """
    pattern: str
    read: _Reader
    is_relative: bool = True
    """Whether the words mean something only together with the current day."""


RULES = (
    Rule(("-",), r"(\d{4})-(\d{2})(?:-(\d{2}))?", _read_calendar, is_relative=False),
    Rule(
        tuple(_MONTH),
        rf"{_DAY_NUMBER}(?: de| of)? {_MONTH_NAME}(?:(?: de| of|,)? {_YEAR})?"
        rf"|{_MONTH_NAME} {_DAY_NUMBER}(?:,? {_YEAR})?",
        _read_day_of_month,
        is_relative=False,
    ),
    Rule(
        tuple(_MONTH),
        rf"((?:in|during|since|of|last|this|en|durante|desde|de) )?{_MONTH_NAME}"
        rf"(?:(?: de| del| of|,)? {_YEAR})?",
        _read_month,
        is_relative=False,
    ),
    Rule(
        ("19", "20"),
        r"(?:in|en|during|durante) ((?:19|20)\d{2})",
        _read_year,
        is_relative=False,
    ),
    Rule(
        ("yesterday", "antier", "ayer"),
        r"(?:the )?day before yesterday|antier|anteayer|antes de ayer",
        _read_days_before(2),
    ),
    Rule(
        ("yesterday", "night", "ayer", "anoche"),
        r"yesterday|last night|ayer|anoche",
        _read_days_before(1),
    ),
    Rule(
        ("today", "morning", "tonight", "hoy", "manana"),
        r"today|this morning|tonight|hoy|esta manana",
        _read_days_before(0),
    ),
    Rule(
        ("hace", "ago"),
        rf"hace {_COUNT} {_UNIT}|{_COUNT} {_UNIT} ago",
        _read_periods_ago(None),
    ),
    Rule(
        ("last", "past", "ultim"),
        rf"(?:last|past|ultim[oa]s) {_COUNT} {_UNIT}",
        _read_last_n,
    ),
    Rule(
        ("weekend", "semana"),
        r"last weekend|(?:el )?fin de semana pasado",
        _read_weekend,
    ),
    Rule(
        ("last", "pasad", "anterior"),
        rf"last {_ENGLISH}|(?:la |el )?{_SPANISH} (?:pasad[oa]|anterior)"
        rf"|(?:la |el )?pasad[oa] {_SPANISH}",
        _read_periods_ago(1),
    ),
    Rule(
        ("this", "este", "esta"),
        rf"this {_ENGLISH}|est[ea] {_SPANISH}",
        _read_periods_ago(0),
    ),
    Rule(
        tuple(_WEEKDAY),
        rf"(?:last|past|on) {_WEEKDAY_NAME}|(?:el )?{_WEEKDAY_NAME} pasado"
        rf"|el (?:pasado )?{_WEEKDAY_NAME}",
        _read_weekday,
    ),
)
"""Order: of two rules that match the same words, the earlier one counts."""


@cache
def compile_rule(pattern: str) -> re.Pattern[str]:
    """Return the pattern of a rule as a regular expression that matches whole words."""
    return re.compile(rf"(?<![\w-])(?:{pattern.replace(' ', r'[ ]+')})(?![\w-])")
