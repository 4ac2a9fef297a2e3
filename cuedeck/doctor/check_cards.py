"""Checks of cards: fields, titles, ids, dates, the active card, and idle cards."""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Iterator

from cuedeck.doctor.check_context import (
    CheckContext,
    Run,
    check,
    failure,
    warning,
)
from cuedeck.engine.active_card import active_id, find_card_file, has_id
from cuedeck.model.address import name_key
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import CueDeckError, Invalid, StorageError
from cuedeck.model.file import CLOSED, Card, File
from cuedeck.model.formatting import abbreviate, quoted
from cuedeck.model.paths import ACTIVE
from cuedeck.text.date_filters import parse_moment

_CODES = {
    "front-matter": (
        "bad-yaml", "unclosed-front-matter", "not-a-mapping", "duplicate-key", "bad-value", "conflict",
        "second-front-matter",
    ),
    "card-fields": ("unknown-status", "unknown-priority", "bad-budget", "card-setting"),
    "ref-items": ("bad-ref",),
    "card-ids": ("card-id",),
}  # fmt: skip
"""Codes of the diagnostics of the parsers and the scan, by the check that has them."""
_OWNERS = {code: owner for owner, codes in _CODES.items() for code in codes}
_SIMILARITY = 0.6
"""Minimum `difflib` similarity ratio of a suggested card."""
_EMPTY_VALUES = ("", "~", "null")
_SPELLINGS = {
    "created": ("created", "created_at"),
    "updated": ("updated", "updated_at", "last_modified"),
}
"""Accepted front-matter keys of each date field of a card."""


def _check_parsed(name: str, doc: str) -> Run:
    """Declare the check of the diagnostics that belong to it; those without an owner
    belong to `readable`.
    """

    def run(context: CheckContext) -> Iterator[Diagnostic]:
        return (
            each
            for each in context.diagnostics
            if _OWNERS.get(each.code, "readable") == name
        )

    return check(name, doc)(run)


PARSED = (
    _check_parsed("front-matter", "the front matter of each file can be parsed"),
    _check_parsed("card-fields", "status, priority and budget have valid values"),
    _check_parsed("ref-items", "each item of refs is a ref"),
    _check_parsed("readable", "each file can be read as its type"),
)


@check("card-titles", "each card has a title")
def check_titles(context: CheckContext) -> Iterator[Diagnostic]:
    for file, card in _cards(context):
        titles = [each.title for each in file.sections if each.level == 1]
        if card.broken or any(titles) or context.matter(file.path).text("title"):
            continue
        hint = "add `title: …` or a heading `# …`"
        yield warning(file.path, "no-title", "the card has no title", hint, 1)


@check("card-ids", "ids are unique and equal to the file name")
def check_ids(context: CheckContext) -> Iterator[Diagnostic]:
    duplicates: set[str] = set()
    for file, card in _cards(context):
        path = file.path
        other = _earlier_card(context, path, card.id)
        if not other:
            continue
        duplicates.add(path)
        message = f"the id `{abbreviate(card.id)}` is also used by {other}"
        stem = posixpath.splitext(posixpath.basename(path))[0]
        hint = f"write `id: {stem}`"
        if stem == card.id:
            hint = f"change the id in {other}"
        line = context.line_of(path, "id")
        yield failure(path, "duplicate-id", message, hint, line)
    for each in context.diagnostics:
        if _OWNERS.get(each.code) == "card-ids" and each.path not in duplicates:
            yield each


def _earlier_card(context: CheckContext, path: str, identity: str) -> str:
    """Return the first card before `path` with an id; empty if there is none."""
    # Only the files whose names match the id are read: for most cards there are none.
    for other in context.index.named(name_key(identity)):
        if other < path and has_id(context.index, other, identity):
            return other
    return ""


@check("card-dates", "dates of cards can be read")
def check_dates(context: CheckContext) -> Iterator[Diagnostic]:
    hint = "use the form 2026-05-03 or 2026-05-03T10:00:00Z"
    for file, card in _cards(context):
        for field, keys in _SPELLINGS.items():
            written: str = getattr(card, field)
            if written not in _EMPTY_VALUES and not parse_moment(written):
                message = f"{field} `{abbreviate(written)}` cannot be read as a date"
                line = context.line_of(file.path, *keys)
                yield warning(file.path, "bad-date", message, hint, line)


@check("active", "the active card exists and is open")
def check_active(context: CheckContext) -> Iterator[Diagnostic]:
    choose = "choose one: `cuedeck card activate ID`"
    pointer = ""
    try:
        pointer = active_id(context.workspace.paths)
        if pointer:
            _, card = find_card_file(context.index, pointer)
    except (StorageError, Invalid) as error:
        hint = choose if pointer else error.hint
        yield failure(ACTIVE, "bad-active", error.message, hint, int(bool(pointer)))
    except CueDeckError as error:
        several = ""
        if error.candidates:
            several = f"; it matches {', '.join(error.candidates)}"
        similar = suggest_card(context, pointer)
        hint = f"did you mean `{similar}`? {choose}" if similar else choose
        yield failure(
            ACTIVE, "bad-active", f"`{pointer}` is not a card{several}", hint, 1
        )
    else:
        if not pointer:
            yield from _check_several(context)
        elif card.status in CLOSED:
            message = f"the active card `{card.id}` is {card.status}"
            hint = f"`cuedeck card reopen {quoted(card.id)}`, or choose another: `cuedeck card activate ID`"
            yield warning(ACTIVE, "closed-active", message, hint, 1)


def _check_several(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield a finding if no card is selected and several have the status active."""
    cards = [card for _, card in _cards(context) if card.status == "active"]
    if len(cards) > 1:
        names = "; ".join(f"{card.id} {card.title}" for card in cards)
        message = (
            f"{len(cards)} cards have the status active and none is selected: {names}"
        )
        yield warning(ACTIVE, "several-active", message, "cuedeck card activate ID")


def suggest_card(context: CheckContext, text: str) -> str:
    """Return the id of the card whose id or title is most similar to `text`; empty if
    none is similar.
    """
    ids: dict[str, str] = {}
    for _, card in reversed(_cards(context)):
        ids[card.title] = card.id
        ids[card.id] = card.id
    matches = difflib.get_close_matches(text, sorted(ids), 1, _SIMILARITY)
    return ids[matches[0]] if matches else ""


def _cards(context: CheckContext) -> list[tuple[File, Card]]:
    return [(file, file.card) for file in context.cards if file.card is not None]
