"""The query language of recall: words, phrases, dates and names of a query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import NamedTuple

from cuedeck.model.errors import UsageError
from cuedeck.store.cache.unit_filters import ANY_TIME, Period
from cuedeck.text.date_words import NamedDates, find_dates
from cuedeck.text.fold_text import fold_text, normalize
from cuedeck.text.stems import TALK_WORDS, is_stop_word
from cuedeck.text.synonyms import synonym_stems
from cuedeck.text.words import WORD_CHARACTERS, is_latin, read_stems

MAX_QUERY = 2_000
"""Characters of a query that count."""
MAX_TERMS = 64
"""Distinct stems of a query that count."""
STOP_WEIGHT = 0.05
SYNONYM_WEIGHT = 0.5
TALK_WEIGHT = 0.4
"""Weight of words such as `said` next to words for the subject."""
_QUOTES = '"“«'
_PHRASE = r'["“«]([^"“”«»]+)["”»]'
_SENTENCE_ENDS = ("", *'.!?:¿¡"“«')
_STARTS, _ENDS = ".:'-+#", ".:'-"
"""Punctuation around a word that is not part of it; `C++` and `C#` are words."""
_PRONOUN = re.compile(r"I(?:'\w+)?")
"""`I`, `I'm` and the like, whose capital letter makes no name."""

_LEDGER_WORDS = {
    "decision": "decision decisions decide decided decisión decisiones decidir decidimos",
    "attempt": "attempt attempts attempted tried failed intento intentos intentado",
    "assumption": "assumption assumptions assumed suposición suposiciones supuesto",
    "experience": "experience experiences lesson lessons learned learnt experiencia experiencias lección lecciones",
}
"""Words that name the kind of the entries of a ledger."""


class QueryTerm(NamedTuple):
    """One stem that a query searches."""

    stem: str
    weight: float
    origin: str
    """`word`, `synonym` or `stop`."""
    word: str
    """The word of the query that it was read from."""


class RecallQuery(NamedTuple):
    """A parsed query."""

    text: str
    """The characters that count."""
    is_cut: bool
    """Whether the query was longer than `MAX_QUERY`."""
    terms: tuple[QueryTerm, ...]
    """Distinct stems in the order of the query. Empty if the query has no word."""
    phrases: tuple[tuple[str, ...], ...]
    """Stems of the parts in double quotes that have several words."""
    since: str
    """First day that the words name, as an ISO date; empty if they name none."""
    until: str
    """Last day that the words name, inclusive."""
    dates: tuple[str, ...]
    """The words that name dates, as written."""
    names: tuple[str, ...]
    """Folded words that may be the name of a speaker or a session."""

    def content_stems(self) -> list[str]:
        """Return the stems of its words and of their synonyms, without stop words."""
        return [term.stem for term in self.terms if term.origin != "stop"]

    def searched(self) -> Sequence[QueryTerm]:
        """Return its words and their synonyms; of a query without words its terms."""
        if not self.has_content():
            return self.terms
        return [term for term in self.terms if term.origin != "stop"]

    def has_content(self) -> bool:
        """Return whether the query has a word that is more than a stop word or a
        date.
        """
        return any(term.origin == "word" for term in self.terms)


def parse_query(text: str, today: date, synonyms: tuple[str, ...] = ()) -> RecallQuery:
    """Parse the text of a query; relative dates count back from `today`, and `synonyms`
    are groups of words of the user.

    Every text is valid: unbalanced quotes and the operators of search engines are
    text. Several dates give one period from the earliest to the latest day.
    """
    counted = normalize(text[:MAX_QUERY])
    dates = find_dates(counted, today)
    words = list(_read_words(counted, dates))
    since = ""
    until = ""
    if dates:
        since = min(named.first for named in dates).isoformat()
        until = max(named.last for named in dates).isoformat()
    names = [
        fold_text(word.text.removesuffix("'s"))
        for word in words
        if word.is_capitalised and not word.is_stop
    ]
    return RecallQuery(
        text=counted,
        is_cut=len(text) > MAX_QUERY,
        terms=_terms(words, synonyms),
        phrases=_phrases(counted),
        since=since,
        until=until,
        dates=tuple(counted[named.start : named.end] for named in dates),
        names=tuple(dict.fromkeys(names)),
    )


class _Word(NamedTuple):
    text: str
    is_stop: bool
    is_capitalised: bool
    """Whether it starts with a capital letter."""


def _read_words(text: str, dates: Sequence[NamedDates]) -> Iterator[_Word]:
    """Yield the words of a query.

    The words of a relative date are stop words, because a text of that day does not
    contain them. A capital letter inside a sentence makes a stop word a name (`ask
    Will`), except that of `I`, and in a query without lower case.
    """
    # The pattern of Latin text compiles faster.
    characters = r"\w" if is_latin(text) else WORD_CHARACTERS
    pattern = rf"\d+(?:[.:,]\d+)+(?!\w)|[{characters}'.:#+-]+"
    matches = list(re.finditer(pattern, text))
    can_have_names = any(match[0].islower() for match in matches)
    for match in matches:
        word = match[0].lstrip(_STARTS).rstrip(_ENDS) or match[0]
        is_date = any(
            named.is_relative and named.start <= match.start() < named.end
            for named in dates
        )
        is_capitalised = word[:1].isupper() and not _PRONOUN.fullmatch(word)
        is_inside = text[: match.start()].rstrip()[-1:] not in _SENTENCE_ENDS
        is_name = can_have_names and is_capitalised and is_inside and len(word) > 1
        is_stop = is_date or (is_stop_word(word) and not is_name)
        yield _Word(word, is_stop, is_capitalised)


def _terms(words: Sequence[_Word], synonyms: tuple[str, ...]) -> tuple[QueryTerm, ...]:
    content = [word for word in words if not word.is_stop]
    found: dict[str, QueryTerm] = {}
    for word in sorted(words, key=lambda word: word.is_stop):
        weight, origin = 1.0, "word"
        if word.is_stop:
            weight, origin = STOP_WEIGHT if content else 1.0, "stop"
        elif _is_talk(word.text):
            weight = TALK_WEIGHT
        for stem in read_stems(word.text):
            found.setdefault(
                stem,
                QueryTerm(
                    stem,
                    weight,
                    origin,
                    word.text,
                ),
            )
        if len(found) >= MAX_TERMS:
            break
    _add_synonyms(found, synonyms)
    return tuple(found.values())[:MAX_TERMS]


def _is_talk(word: str) -> bool:
    """Return whether a word is about talking or remembering itself: `said`, `last`."""
    return fold_text(word) in TALK_WORDS


def _add_synonyms(found: dict[str, QueryTerm], own: tuple[str, ...]) -> None:
    content = [term for term in found.values() if term.origin == "word"]
    for term in content:
        if len(found) >= MAX_TERMS:
            # Terms after them do not count, and reading them takes long.
            return
        for stem in synonym_stems(term.stem, own):
            synonym = QueryTerm(
                stem,
                SYNONYM_WEIGHT,
                "synonym",
                term.word,
            )
            found.setdefault(stem, synonym)


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    if not any(mark in text for mark in _QUOTES):
        return ()
    parts = re.findall(_PHRASE, text)
    quoted = (tuple(read_stems(part)) for part in parts)
    return tuple(dict.fromkeys(phrase for phrase in quoted if len(phrase) > 1))


def named_kind(query: RecallQuery) -> str:
    """Return the kind of ledger entries that all words of a query name, apart from stop
    words and dates; empty if there is a word of a subject.
    """
    dates = " ".join(query.dates)
    terms = [term for term in query.terms if term.origin == "word"]
    stems = [term.stem for term in terms if term.word not in dates]
    kinds = {_kinds_by_stem().get(stem, "") for stem in stems}
    return kinds.pop() if len(kinds) == 1 else ""


@cache
def _kinds_by_stem() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for kind, words in _LEDGER_WORDS.items():
        for word in words.split():
            found.update(dict.fromkeys(read_stems(word), kind))
    return found


def has_only_dates(query: RecallQuery) -> bool:
    """Return whether every word of a query, except stop words and words about talking,
    is part of a date.
    """
    named = " ".join(query.dates)
    words = [term.word for term in query.terms if term.origin == "word"]
    return all(word in named or _is_talk(word) for word in words)


_INSTANT = timedelta(microseconds=1)


def search_period(since: str, until: str, now: datetime) -> Period:
    """Return the period that two options limit; an empty option does not limit it.

    Options are written as in `card list`: `2026-05`, `2026-05-03`, `yesterday`, `2w`.
    They name whole days, except ages in hours.
    `now` is in the user's zone. Raises: UsageError, also if the period ends before it
    begins.
    """
    if not since and not until:
        return ANY_TIME
    # Most searches are not limited.
    from cuedeck.text.date_filters import parse_date_filter

    period = ANY_TIME
    if since:
        start = parse_date_filter(since, now).start
        if start is None:
            hint = "give a day such as 2026-11-23, or an age such as 2w"
            raise UsageError(f"--since {since} has no first day", hint=hint)
        day = start.astimezone(now.tzinfo).date()
        if not _is_hours(since):
            start = datetime.combine(day, time())
        period = period._replace(first=day.isoformat(), begin=_utc(start))
    if until:
        found = parse_date_filter(until, now)
        stop = found.end or found.start or now
        day = (stop - _INSTANT).astimezone(now.tzinfo).date()
        if not _is_hours(until):
            stop = _after(day)
        period = period._replace(last=day.isoformat(), end=_utc(stop))
    if until and period.last < period.first:
        raise UsageError(
            f"--until {until} is before --since {since}",
            hint="give the earlier day to --since",
        )
    return period


def period_of_days(first: str, last: str) -> Period:
    """Return the period of local days, given as ISO dates."""
    begin = datetime.combine(date.fromisoformat(first), time())
    end = _after(date.fromisoformat(last))
    return Period(
        first,
        last,
        _utc(begin),
        _utc(end),
    )


def _is_hours(option: str) -> bool:
    return option.strip().lower().endswith("h")


def _after(day: date) -> datetime:
    try:
        return datetime.combine(day, time()) + timedelta(days=1)
    except OverflowError:
        return datetime.max


def local_time(moment: str) -> str:
    """Return the date of a unit as a local time without a zone,
    `2026-11-23T10:00:00.000`; a day stays as it is.
    """
    if len(moment) <= len("2026-11-23"):
        return moment
    try:
        local = datetime.fromisoformat(moment).astimezone()
    except (ValueError, OverflowError, OSError):
        return moment
    return local.replace(tzinfo=None).isoformat(timespec="milliseconds")


def _utc(moment: datetime) -> str:
    """Return a moment in UTC, in the format of the dates of units; a naive one is local
    time.
    """
    try:
        utc = moment.astimezone(UTC)
    except (OverflowError, ValueError, OSError):
        utc = moment.replace(tzinfo=UTC)
    return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")
