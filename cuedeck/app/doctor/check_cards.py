"""Checks of cards: fields, titles, ids, dates, the active card, and idle cards."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from cuedeck.app.cards.active_card import active_id, find_card_file, has_id
from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.app.doctor.check_files import CARD_FIELDS, CARD_IDS
from cuedeck.model.address import name_key
from cuedeck.model.display import abbreviate, quoted
from cuedeck.model.errors import CueDeckError, Invalid, StorageError
from cuedeck.model.file import CLOSED, Card, Diagnostic, File, Level
from cuedeck.model.paths import ACTIVE
from cuedeck.parse.dates import parse_moment

LONGEST_ACTIVE = timedelta(days=90)
_NOTHING = ("", "~", "null")
_SPELLINGS = (("created", ("created", "created_at")), ("updated", ("updated", "updated_at", "last_modified")))


class Dated(NamedTuple):
    """A date of a card that is not in RFC 3339."""

    path: str
    line: int
    key: str
    """Front-matter key, as spelled in the card."""
    written: str
    rewritten: str
    """The date in RFC 3339; empty if the written form is not recognised."""


def check_fields(view: CheckContext) -> Iterator[Diagnostic]:
    """Find unknown values of status, priority and budget."""
    return (each for each in view.troubles if each.code in CARD_FIELDS)


def check_titles(view: CheckContext) -> Iterator[Diagnostic]:
    """Find cards without a title: neither a `title` field nor a heading."""
    for file, card in _cards(view):
        headed = any(section.title for section in file.sections)
        if not card.broken and not headed and not view.matter(file.path).text("title"):
            message = "the card has no title"
            yield Diagnostic(file.path, 1, "warning", "no-title", message, "add `title: …` or a heading")


def check_ids(view: CheckContext) -> Iterator[Diagnostic]:
    """Find ids used by several cards, and ids that differ from the file name."""
    shared: set[str] = set()
    for file, card in _cards(view):
        # Only files that match the id and precede this one are checked: for most cards there are none.
        before = (path for path in view.index.named(name_key(card.id)) if path < file.path)
        other = next((path for path in before if has_id(view.workspace, path, card.id)), "")
        if other:
            shared.add(file.path)
            message = f"the id `{abbreviate(card.id)}` is also used by {other}"
            hint = f"write `id: {_stem(file)}`" if _stem(file) != card.id else f"change the id in {other}"
            yield Diagnostic(file.path, view.line_of(file.path, "id"), "error", "duplicate-id", message, hint)
    yield from (each for each in view.troubles if each.code in CARD_IDS and each.path not in shared)


def check_dates(view: CheckContext) -> Iterator[Diagnostic]:
    """Find dates that cannot be parsed, and dates that are not in RFC 3339."""
    for path, line, key, written, better in odd_dates(view):
        if better:
            level: Level = "info" if parse_moment(written) else "warning"
            hint = f"`cuedeck doctor --repair` writes `{better}`"
            message = f"{key} `{abbreviate(written)}` is not RFC 3339"
            yield Diagnostic(path, line, level, "odd-date", message, hint)
        else:
            hint = "use the form 2026-05-03 or 2026-05-03T10:00:00Z"
            yield Diagnostic(
                path, line, "warning", "bad-date", f"{key} `{abbreviate(written)}` cannot be read as a date", hint
            )


def odd_dates(view: CheckContext) -> Iterator[Dated]:
    """Yield the dates of cards that are not in RFC 3339, in order of path."""
    for file, card in _cards(view):
        for field, spellings in _SPELLINGS:
            written: str = getattr(card, field)
            better = rewritten(written)
            if written not in _NOTHING and (better or parse_moment(written) is None):
                matter = view.matter(file.path)
                key = next((each for each in spellings if matter.text(each) == written), field)
                yield Dated(file.path, matter.lines.get(key, 0), key, written, better)


def check_active(view: CheckContext) -> Iterator[Diagnostic]:
    """Find an invalid `.cuedeck/active`, and several active cards without a selected one."""
    try:
        pointer = active_id(view.workspace)
    except StorageError as error:
        yield Diagnostic(ACTIVE, 0, "error", "bad-active", error.message, error.hint)
        return
    if pointer:
        yield from _pointer(view, pointer)
        return
    named = [f"{card.id} {card.title}" for _, card in _cards(view) if card.status == "active"]
    if len(named) > 1:
        message = f"{len(named)} cards have the status active and none is selected: {'; '.join(named)}"
        yield Diagnostic(ACTIVE, 0, "warning", "several-active", message, "cuedeck card activate ID")


def _pointer(view: CheckContext, pointer: str) -> Iterator[Diagnostic]:
    choose = "choose one: `cuedeck card activate ID`"
    try:
        _, card = find_card_file(view.workspace, pointer)
    except Invalid as error:
        yield Diagnostic(ACTIVE, 1, "error", "bad-active", error.message, choose)
    except CueDeckError as error:
        several = f"; it matches {', '.join(error.candidates)}" if error.candidates else ""
        near = near_card(view, pointer)
        hint = f"did you mean `{near}`? {choose}" if near else choose
        yield Diagnostic(ACTIVE, 1, "error", "bad-active", f"`{pointer}` is not a card{several}", hint)
    else:
        if card.status in CLOSED:
            message = f"the active card `{card.id}` is {card.status}"
            hint = f"`cuedeck card reopen {quoted(card.id)}`, or choose another: `cuedeck card activate ID`"
            yield Diagnostic(ACTIVE, 1, "warning", "closed-active", message, hint)


def check_idle(view: CheckContext) -> Iterator[Diagnostic]:
    """Find cards with status active that were last changed more than 90 days ago."""
    for file, card in _cards(view):
        moment = parse_moment(card.updated) or parse_moment(card.created)
        if card.status != "active" or moment is None:
            continue
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=view.now.tzinfo)
        age = view.now - moment
        if age > LONGEST_ACTIVE:
            line = view.line_of(file.path, "status")
            message = f"active for {age.days} days since its last change"
            hint = f"`cuedeck card done {quoted(card.id)}`, or `cuedeck card edit {quoted(card.id)} --status todo`"
            yield Diagnostic(file.path, line, "info", "idle-card", message, hint)


def near_card(view: CheckContext, text: str) -> str:
    """Return the id of the card whose id or title is most similar to `text`; empty if none is similar."""
    names = {name: card.id for _, card in reversed(_cards(view)) for name in (card.title, card.id)}
    near = difflib.get_close_matches(text, sorted(names), 1, 0.6)
    return names[near[0]] if near else ""


def _cards(view: CheckContext) -> list[tuple[File, Card]]:
    return [(file, file.card) for file in view.cards if file.card is not None]


def _stem(file: File) -> str:
    return posixpath.splitext(posixpath.basename(file.path))[0]


_MOMENT = re.compile(
    r"([0-9]{4})([/.])([0-9]{1,2})\2([0-9]{1,2})"
    r"(?:[ Tt]+([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)(?:\.[0-9]+)?\s*([Zz]|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_SECONDS = re.compile(r"([0-9]{9,10})(?:\.[0-9]+)?")
_MILLISECONDS = re.compile(r"(1[0-9]{9})[0-9]{3}")


def rewritten(text: str) -> str:
    """Return a date in RFC 3339; empty if it needs no change or its form is not recognised.

    Recognised forms: year first with `/` or `.` as separator, Unix seconds and milliseconds. A time without a zone
    stays without one, because the zone is unknown.
    Example: `rewritten("2026/05/03 10:00")` is `"2026-05-03T10:00:00"`.
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
    hour, *rest = time.split(":")
    zone = (zone or "").upper()
    if len(zone) == len("+0200"):
        zone = f"{zone[:3]}:{zone[3:]}"
    moment = f"{date}T{int(hour):02}:{':'.join(rest) if len(rest) > 1 else rest[0] + ':00'}{zone}"
    return moment if parse_moment(moment) else ""


def _from_seconds(match: re.Match[str]) -> str:
    return datetime.fromtimestamp(int(match[1]), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_MOMENT, _from_numbers),
    (_SECONDS, _from_seconds),
    (_MILLISECONDS, _from_seconds),
)
