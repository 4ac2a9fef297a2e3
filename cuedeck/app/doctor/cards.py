"""Checks of cards: their fields, their ids, which is active, and which has been for too long."""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from cuedeck.app.active import active_id, find_card_file, has_id
from cuedeck.app.doctor.dates import rewritten
from cuedeck.app.doctor.files import CARD_FIELDS, CARD_IDS
from cuedeck.app.doctor.view import View
from cuedeck.model.address import name_key
from cuedeck.model.errors import CueDeckError, Invalid, StorageError
from cuedeck.model.node import CLOSED, Card, Diagnostic, File, Level
from cuedeck.model.places import ACTIVE
from cuedeck.model.shown import quoted, told
from cuedeck.parse.dates import parse_moment

LONGEST_ACTIVE = timedelta(days=90)
_NOTHING = ("", "~", "null")
_SPELLINGS = (("created", ("created", "created_at")), ("updated", ("updated", "updated_at", "last_modified")))


class Dated(NamedTuple):
    """A date of a card that is not in RFC 3339."""

    path: str
    line: int
    key: str
    """As the card spells it."""
    written: str
    rewritten: str
    """In RFC 3339; empty when it is not clear what is meant."""


def check_fields(view: View) -> Iterator[Diagnostic]:
    """Find words for status, priority and budget that nobody knows."""
    return (each for each in view.troubles if each.code in CARD_FIELDS)


def check_titles(view: View) -> Iterator[Diagnostic]:
    """Find cards that only their file name tells apart."""
    for file, card in _cards(view):
        headed = any(section.title for section in file.sections)
        if not card.broken and not headed and not view.matter(file.path).text("title"):
            message = "the card has no title"
            yield Diagnostic(file.path, 1, "warning", "no-title", message, "add `title: …` or a heading")


def check_ids(view: View) -> Iterator[Diagnostic]:
    """Find ids that two cards share, and ids that differ from the file name."""
    shared: set[str] = set()
    for file, card in _cards(view):
        # Of all that goes by the id, only what stands before it is read: for most cards that is nothing.
        before = (path for path in view.index.named(name_key(card.id)) if path < file.path)
        other = next((path for path in before if has_id(view.project, path, card.id)), "")
        if other:
            shared.add(file.path)
            message = f"the id `{told(card.id)}` is also used by {other}"
            hint = f"write `id: {_stem(file)}`" if _stem(file) != card.id else f"change the id in {other}"
            yield Diagnostic(file.path, view.line_of(file.path, "id"), "error", "duplicate-id", message, hint)
    yield from (each for each in view.troubles if each.code in CARD_IDS and each.path not in shared)


def check_dates(view: View) -> Iterator[Diagnostic]:
    """Find dates that cannot be read, and readable ones in a form other tools do not know."""
    for path, line, key, written, better in odd_dates(view):
        if better:
            level: Level = "info" if parse_moment(written) else "warning"
            hint = f"`cuedeck doctor --repair` writes `{better}`"
            message = f"{key} `{told(written)}` is not RFC 3339"
            yield Diagnostic(path, line, level, "odd-date", message, hint)
        else:
            hint = "use the form 2026-05-03 or 2026-05-03T10:00:00Z"
            yield Diagnostic(
                path, line, "warning", "bad-date", f"{key} `{told(written)}` cannot be read as a date", hint
            )


def odd_dates(view: View) -> Iterator[Dated]:
    """Yield the dates of cards that are not in RFC 3339, by path."""
    for file, card in _cards(view):
        for field, spellings in _SPELLINGS:
            written: str = getattr(card, field)
            better = rewritten(written)
            if written not in _NOTHING and (better or parse_moment(written) is None):
                matter = view.matter(file.path)
                key = next((each for each in spellings if matter.text(each) == written), field)
                yield Dated(file.path, matter.lines.get(key, 0), key, written, better)


def check_active(view: View) -> Iterator[Diagnostic]:
    """Find a pointer that names no open card, and the lack of one where it is needed."""
    try:
        pointer = active_id(view.project)
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


def _pointer(view: View, pointer: str) -> Iterator[Diagnostic]:
    choose = "choose one: `cuedeck card activate ID`"
    try:
        _, card = find_card_file(view.project, pointer)
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


def check_idle(view: View) -> Iterator[Diagnostic]:
    """Find cards that have been active without a change for more than 90 days."""
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


def near_card(view: View, text: str) -> str:
    """Return the id of the card that `text` most likely means, or empty."""
    names = {name: card.id for _, card in reversed(_cards(view)) for name in (card.title, card.id)}
    near = difflib.get_close_matches(text, sorted(names), 1, 0.6)
    return names[near[0]] if near else ""


def _cards(view: View) -> list[tuple[File, Card]]:
    return [(file, file.card) for file in view.cards if file.card is not None]


def _stem(file: File) -> str:
    return posixpath.splitext(posixpath.basename(file.path))[0]
