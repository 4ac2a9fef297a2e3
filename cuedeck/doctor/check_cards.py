"""Checks of cards: fields, titles, ids, dates, the active card, and idle cards."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from cuedeck.doctor.check_context import CheckContext
from cuedeck.doctor.check_files import CARD_FIELDS, CARD_IDS
from cuedeck.engine.active_card import find_card_file, has_id
from cuedeck.model.address import name_key
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import CueDeckError, Invalid, StorageError
from cuedeck.model.file import CLOSED, Card, File, Section
from cuedeck.model.formatting import abbreviate, quoted
from cuedeck.model.paths import ACTIVE
from cuedeck.text.date_filters import parse_moment

LONGEST_ACTIVE = timedelta(days=90)
_SIMILARITY = 0.6
"""Minimum `difflib` similarity ratio of a suggested card."""
_EMPTY_VALUES = ("", "~", "null")
_SPELLINGS = {
    "created": ("created", "created_at"),
    "updated": ("updated", "updated_at", "last_modified"),
}
"""Accepted front-matter keys of each date field of a card."""


class OddDate(NamedTuple):
    """A date of a card that is not in RFC 3339."""

    path: str
    line: int
    key: str
    """Front-matter key, as spelled in the card."""
    written: str
    rewritten: str
    """The date in RFC 3339; empty if the written form is not recognised."""


def check_fields(context: CheckContext) -> Iterator[Diagnostic]:
    """Find unknown values of status, priority and budget."""
    return (each for each in context.diagnostics if each.code in CARD_FIELDS)


def _is_title(section: Section) -> bool:
    return section.level == 1 and bool(section.title)


def check_titles(context: CheckContext) -> Iterator[Diagnostic]:
    """Find cards without a title: neither a `title` field nor a heading of level 1."""
    for file, card in _cards(context):
        if card.broken or any(_is_title(section) for section in file.sections):
            continue
        if not context.matter(file.path).text("title"):
            message = "the card has no title"
            yield Diagnostic(
                file.path,
                1,
                "warning",
                "no-title",
                message,
                "add `title: …` or a heading `# …`",
            )


def check_ids(context: CheckContext) -> Iterator[Diagnostic]:
    """Find ids used by several cards, and ids that differ from the file name."""
    duplicates: set[str] = set()
    for file, card in _cards(context):
        other = _earlier_card(context, file.path, card.id)
        if not other:
            continue
        duplicates.add(file.path)
        message = f"the id `{abbreviate(card.id)}` is also used by {other}"
        stem = posixpath.splitext(posixpath.basename(file.path))[0]
        hint = f"change the id in {other}"
        if stem != card.id:
            hint = f"write `id: {stem}`"
        yield Diagnostic(
            file.path,
            context.line_of(file.path, "id"),
            "error",
            "duplicate-id",
            message,
            hint,
        )
    for each in context.diagnostics:
        if each.code in CARD_IDS and each.path not in duplicates:
            yield each


def _earlier_card(context: CheckContext, path: str, identity: str) -> str:
    """Return the first card before `path` with an id; empty if there is none."""
    # Only the files whose names match the id are read: for most cards there are none.
    for other in context.index.named(name_key(identity)):
        if other < path and has_id(context.index, other, identity):
            return other
    return ""


def check_dates(context: CheckContext) -> Iterator[Diagnostic]:
    """Find dates that cannot be parsed, and dates that are not in RFC 3339."""
    for date in find_odd_dates(context):
        written = f"{date.key} `{abbreviate(date.written)}`"
        if date.rewritten:
            level: Level = "warning"
            if parse_moment(date.written):
                level = "info"
            hint = f"`cuedeck doctor --repair` writes `{date.rewritten}`"
            yield Diagnostic(
                date.path,
                date.line,
                level,
                "odd-date",
                f"{written} is not RFC 3339",
                hint,
            )
        else:
            message = f"{written} cannot be read as a date"
            hint = "use the form 2026-05-03 or 2026-05-03T10:00:00Z"
            yield Diagnostic(date.path, date.line, "warning", "bad-date", message, hint)


def find_odd_dates(context: CheckContext) -> Iterator[OddDate]:
    """Yield the dates of cards that are not in RFC 3339, in order of path."""
    for file, card in _cards(context):
        for field, spellings in _SPELLINGS.items():
            written: str = getattr(card, field)
            if written in _EMPTY_VALUES:
                continue
            better = rewrite_date(written)
            if better or parse_moment(written) is None:
                matter = context.matter(file.path)
                key = next(
                    (key for key in spellings if matter.text(key) == written), field
                )
                yield OddDate(
                    path=file.path,
                    line=matter.lines.get(key, 0),
                    key=key,
                    written=written,
                    rewritten=better,
                )


def check_active(context: CheckContext) -> Iterator[Diagnostic]:
    """Find an invalid `.cuedeck/active`, and several active cards without a selected
    one.
    """
    try:
        pointer = context.workspace.active_id()
    except StorageError as error:
        yield Diagnostic(ACTIVE, 0, "error", "bad-active", error.message, error.hint)
        return
    if pointer:
        yield from _check_pointer(context, pointer)
        return
    active = [
        f"{card.id} {card.title}"
        for _, card in _cards(context)
        if card.status == "active"
    ]
    if len(active) > 1:
        message = f"{len(active)} cards have the status active and none is selected: {'; '.join(active)}"
        yield Diagnostic(
            ACTIVE, 0, "warning", "several-active", message, "cuedeck card activate ID"
        )


def _check_pointer(context: CheckContext, pointer: str) -> Iterator[Diagnostic]:
    choose = "choose one: `cuedeck card activate ID`"
    try:
        _, card = find_card_file(context.index, pointer)
    except Invalid as error:
        yield Diagnostic(ACTIVE, 1, "error", "bad-active", error.message, choose)
    except CueDeckError as error:
        several = (
            f"; it matches {', '.join(error.candidates)}" if error.candidates else ""
        )
        similar = suggest_card(context, pointer)
        hint = f"did you mean `{similar}`? {choose}" if similar else choose
        yield Diagnostic(
            ACTIVE,
            1,
            "error",
            "bad-active",
            f"`{pointer}` is not a card{several}",
            hint,
        )
    else:
        if card.status in CLOSED:
            message = f"the active card `{card.id}` is {card.status}"
            hint = f"`cuedeck card reopen {quoted(card.id)}`, or choose another: `cuedeck card activate ID`"
            yield Diagnostic(ACTIVE, 1, "warning", "closed-active", message, hint)


def check_idle(context: CheckContext) -> Iterator[Diagnostic]:
    """Find cards with status active that were last changed more than 90 days ago."""
    for file, card in _cards(context):
        if card.status != "active":
            continue
        moment = parse_moment(card.updated) or parse_moment(card.created)
        if moment is None:
            continue
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=context.now.tzinfo)
        age = context.now - moment
        if age > LONGEST_ACTIVE:
            line = context.line_of(file.path, "status")
            message = f"active for {age.days} days since its last change"
            hint = f"`cuedeck card done {quoted(card.id)}`, or `cuedeck card edit {quoted(card.id)} --status todo`"
            yield Diagnostic(file.path, line, "info", "idle-card", message, hint)


def suggest_card(context: CheckContext, text: str) -> str:
    """Return the id of the card whose id or title is most similar to `text`; empty if
    none is similar.
    """
    ids: dict[str, str] = {}
    for _, card in reversed(_cards(context)):
        ids[card.title] = card.id
        ids[card.id] = card.id
    matches = difflib.get_close_matches(text, sorted(ids), 1, _SIMILARITY)
    if not matches:
        return ""
    return ids[matches[0]]


def _cards(context: CheckContext) -> list[tuple[File, Card]]:
    found: list[tuple[File, Card]] = []
    for file in context.cards:
        if file.card is not None:
            found.append((file, file.card))
    return found


_MOMENT = re.compile(
    r"([0-9]{4})([/.])([0-9]{1,2})\2([0-9]{1,2})"
    r"(?:[ Tt]+([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)(?:\.[0-9]+)?\s*([Zz]|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_SECONDS = re.compile(r"([0-9]{9,10})(?:\.[0-9]+)?")
_MILLISECONDS = re.compile(r"(1[0-9]{9})[0-9]{3}")


def rewrite_date(text: str) -> str:
    """Return a date in RFC 3339; empty if it needs no change or its form is not
    recognised.

    Recognised forms: year first with `/` or `.` as separator, Unix seconds and
    milliseconds. A time without a zone stays without one, because the zone is unknown.
    Example: `rewrite_date("2026/05/03 10:00")` is `"2026-05-03T10:00:00"`.
    """
    for pattern, write in _FORMS:
        if match := pattern.fullmatch(text.strip()):
            return write(match)
    return ""


def _from_numbers(match: re.Match[str]) -> str:
    year, _, month, day, time, zone = match.groups()
    date = f"{year}-{int(month):02}-{int(day):02}"
    if time is None:
        return date if parse_moment(date) else ""
    hour, minute, *seconds = time.split(":")
    second = seconds[0] if seconds else "00"
    zone = (zone or "").upper()
    if len(zone) == len("+0200"):
        zone = f"{zone[:3]}:{zone[3:]}"
    moment = f"{date}T{int(hour):02}:{minute}:{second}{zone}"
    return moment if parse_moment(moment) else ""


def _from_seconds(match: re.Match[str]) -> str:
    return datetime.fromtimestamp(int(match[1]), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_MOMENT, _from_numbers),
    (_SECONDS, _from_seconds),
    (_MILLISECONDS, _from_seconds),
)
