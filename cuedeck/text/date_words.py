"""Dates that a query names in words, English or Spanish."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from cuedeck.text.fold_text import fold_text

_DAY = timedelta(days=1)
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
_NAMED_DAY = rf"(?P<weekday>{'|'.join(_WEEKDAY)})"
_NAME = rf"(?P<name>{'|'.join(_MONTH)})"
_COUNT = rf"(?P<count>\d{{1,4}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
_UNIT = r"(?P<unit>days?|weeks?|months?|years?|dias?|semanas?|mes(?:es)?|anos?)"
_NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_ENGLISH, _SPANISH = "(?P<unit>week|month|year)", "(?P<unit>semana|mes|ano)"
_VERBS = ("may", "march")
_TRIGGERS = (
    *("day", "week", "month", "year", "dia", "semana", "mes", "ano", "yesterday"),
    *("ayer", "antier", "today", "tonight", "night", "morning", "hoy", "noche"),
    *("manana", "19", "20", "-", *_MONTH, *_WEEKDAY),
)
"""Texts of which every date has one. Most queries have none of them, so that the rules
are seldom compiled.
"""

Span = tuple[date, date]
"""First and last day."""


class NamedDates(NamedTuple):
    """The dates that a text names."""

    first: date
    last: date
    start: int
    """Position of the first character of the words that name them."""
    end: int
    is_relative: bool
    """Whether the words mean something only together with the current day."""


class _Rule(NamedTuple):
    """A way to write dates, as a pattern with groups that are named for their parts."""

    pattern: str
    unit: str = ""
    """Unit of the period; empty if the words name it."""
    ago: int = 0
    """How many units ago the period was, unless the words say so."""


_RULES = (
    _Rule(r"(?P<year>\d{4})-(?P<month>\d{2})(?:-(?P<day>\d{2}))?"),
    _Rule(rf"{_NUMBER}(?: de| of)? {_NAME}(?:(?: de| of|,)? {_YEAR})?"),
    _Rule(rf"{_NAME} {_NUMBER}(?:,? {_YEAR})?"),
    _Rule(
        rf"(?P<lead>(?:in|during|since|of|last|this|en|durante|desde|de) )?{_NAME}"
        rf"(?:(?: de| del| of|,)? {_YEAR})?"
    ),
    _Rule(r"(?:in|en|during|durante) (?P<year>(?:19|20)\d{2})"),
    _Rule("(?:the )?day before yesterday|antier|anteayer|antes de ayer", "day", 2),
    _Rule("yesterday|last night|ayer|anoche", "day", 1),
    _Rule("today|this morning|tonight|hoy|esta manana", "day"),
    _Rule(rf"hace {_COUNT} {_UNIT}"),
    _Rule(rf"{_COUNT} {_UNIT} ago"),
    _Rule(rf"(?P<until>last|past|ultim[oa]s) {_COUNT} {_UNIT}"),
    _Rule("last weekend|(?:el )?fin de semana pasado", "end of week"),
    _Rule(rf"last {_ENGLISH}", ago=1),
    _Rule(rf"(?:la |el )?{_SPANISH} (?:pasad[oa]|anterior)", ago=1),
    _Rule(rf"(?:la |el )?pasad[oa] {_SPANISH}", ago=1),
    _Rule(rf"this {_ENGLISH}"),
    _Rule(rf"est[ea] {_SPANISH}"),
    _Rule(rf"(?:last|past|on|el|el pasado) {_NAMED_DAY}"),
    _Rule(rf"{_NAMED_DAY} pasado"),
)
"""Order: of two rules that match the same words, the earlier one counts."""
_CALENDAR_RULES = _RULES[:5]
"""Rules whose dates mean something without the current day."""


def find_dates(text: str, today: date) -> list[NamedDates]:
    """Return the dates that a text names, in text order and without overlaps."""
    folded = _fold_same_length(text)
    found: list[NamedDates] = []
    taken: list[tuple[int, int]] = []
    for rule, match in _all_matches(folded):
        start, end = match.span()
        if any(start < old_end and end > old_start for old_start, old_end in taken):
            continue
        taken.append((start, end))
        words = {name: word for name, word in match.groupdict().items() if word}
        try:
            span = _read(rule, words, today)
        except (ValueError, OverflowError):
            continue
        if span is not None:
            is_relative = rule not in _CALENDAR_RULES
            found.append(NamedDates(*span, start, end, is_relative))
    return sorted(found, key=lambda named: named.start)


def _fold_same_length(text: str) -> str:
    folded = [fold_text(char) for char in text]
    return "".join(
        new if len(new) == 1 else old for old, new in zip(text, folded, strict=True)
    )


def _all_matches(text: str) -> Iterator[tuple[_Rule, re.Match[str]]]:
    if any(word in text for word in _TRIGGERS):
        for rule in _RULES:
            for match in _compiled(rule.pattern).finditer(text):
                yield rule, match


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    spaced = pattern.replace(" ", "[ ]+")
    return re.compile(rf"(?<![\w-])(?:{spaced})(?![\w-])")


def _read(rule: _Rule, words: Mapping[str, str], today: date) -> Span | None:
    unit = words.get("unit", rule.unit)
    if unit:
        word = words.get("count", str(rule.ago))
        count = _COUNTS[word] if word in _COUNTS else int(word)
        return _period(unit, count, today, "until" in words)
    if "weekday" in words:
        back = (today.isoweekday() - _WEEKDAY[words["weekday"]]) % 7 or 7
        return today - back * _DAY, today - back * _DAY
    year = int(words.get("year", today.year))
    name = words.get("name", "")
    if not name and "month" not in words:
        return date(year, 1, 1), date(year, 12, 31)
    month = _MONTH[name] if name else int(words["month"])
    if "day" in words:
        exact = date(year, month, int(words["day"]))
        if "year" not in words and exact > today:
            exact = exact.replace(year=year - 1)
        return exact, exact
    if "year" in words:
        return _month_span(year, month)
    if name in _VERBS and "lead" not in words:
        return None
    return _month_span(year - (month > today.month), month)


def _period(unit: str, ago: int, today: date, is_until: bool) -> Span:
    """Return the day, week, month, year or end of a week that was some of them ago;
    with `is_until` as many days, weeks, months or years until today.
    """
    letter = unit[0]
    if is_until and letter in "ws":
        return today - 7 * ago * _DAY, today
    if is_until and letter in "ya":
        return date(today.year - ago, today.month, 1), today
    if letter == "d":
        first = last = today - ago * _DAY
    elif letter == "e":
        first = today - (today.weekday() + 2) * _DAY
        last = first + _DAY
    elif letter in "ws":
        first = today - (7 * ago + today.weekday()) * _DAY
        last = first + 6 * _DAY
    elif letter == "m":
        months = today.year * 12 + today.month - 1 - ago
        first, last = _month_span(months // 12, months % 12 + 1)
    else:
        first, last = date(today.year - ago, 1, 1), date(today.year - ago, 12, 31)
    return first, today if is_until else last


def _month_span(year: int, month: int) -> Span:
    first = date(year, month, 1)
    next_month = date(year + month // 12, month % 12 + 1, 1)
    return first, next_month - _DAY
