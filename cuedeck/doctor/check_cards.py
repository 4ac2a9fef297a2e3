"""Checks of cards: fields, titles, ids, dates, the active card, and idle cards."""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext, check, failure, warning
from cuedeck.engine.active_card import find_card_file, has_id
from cuedeck.model.address import name_key
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import CueDeckError, Invalid, StorageError
from cuedeck.model.file import CLOSED, Card, File, Section
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
_SIMILARITY = 0.6
"""Minimum `difflib` similarity ratio of a suggested card."""
_EMPTY_VALUES = ("", "~", "null")
_SPELLINGS = {
    "created": ("created", "created_at"),
    "updated": ("updated", "updated_at", "last_modified"),
}
"""Accepted front-matter keys of each date field of a card."""


@check("front-matter", "the front matter of each file can be parsed")
def check_front_matter(context: CheckContext) -> Iterator[Diagnostic]:
    return _parsed(context, "front-matter")


@check("card-fields", "status, priority and budget have valid values")
def check_fields(context: CheckContext) -> Iterator[Diagnostic]:
    return _parsed(context, "card-fields")


@check("ref-items", "each item of refs is a ref")
def check_ref_items(context: CheckContext) -> Iterator[Diagnostic]:
    return _parsed(context, "ref-items")


@check("readable", "each file can be read as its type")
def check_readable(context: CheckContext) -> Iterator[Diagnostic]:
    return _parsed(context, "")


PARSED = (check_front_matter, check_fields, check_ref_items, check_readable)


def _parsed(context: CheckContext, name: str) -> Iterator[Diagnostic]:
    """Yield the diagnostics that belong to a check; without a name, those that belong
    to none.
    """
    owners = {code: check for check, codes in _CODES.items() for code in codes}
    return (each for each in context.diagnostics if owners.get(each.code, "") == name)


def _is_title(section: Section) -> bool:
    return section.level == 1 and bool(section.title)


@check("card-titles", "each card has a title")
def check_titles(context: CheckContext) -> Iterator[Diagnostic]:
    for file, card in _cards(context):
        if card.broken or any(_is_title(section) for section in file.sections):
            continue
        if not context.matter(file.path).text("title"):
            message = "the card has no title"
            yield warning(
                file.path, "no-title", message, "add `title: …` or a heading `# …`", 1
            )


@check("card-ids", "ids are unique and equal to the file name")
def check_ids(context: CheckContext) -> Iterator[Diagnostic]:
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
        yield failure(
            file.path, "duplicate-id", message, hint, context.line_of(file.path, "id")
        )
    for each in context.diagnostics:
        if each.code in _CODES["card-ids"] and each.path not in duplicates:
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
    for file, card in _cards(context):
        for field, keys in _SPELLINGS.items():
            written: str = getattr(card, field)
            if written in _EMPTY_VALUES or parse_moment(written):
                continue
            message = f"{field} `{abbreviate(written)}` cannot be read as a date"
            hint = "use the form 2026-05-03 or 2026-05-03T10:00:00Z"
            line = context.line_of(file.path, *keys)
            yield warning(file.path, "bad-date", message, hint, line)


@check("active", "the active card exists and is open")
def check_active(context: CheckContext) -> Iterator[Diagnostic]:
    try:
        pointer = context.workspace.active_id()
    except StorageError as error:
        yield failure(ACTIVE, "bad-active", error.message, error.hint)
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
        yield warning(ACTIVE, "several-active", message, "cuedeck card activate ID")


def _check_pointer(context: CheckContext, pointer: str) -> Iterator[Diagnostic]:
    choose = "choose one: `cuedeck card activate ID`"
    try:
        _, card = find_card_file(context.index, pointer)
    except Invalid as error:
        yield failure(ACTIVE, "bad-active", error.message, choose, 1)
    except CueDeckError as error:
        several = (
            f"; it matches {', '.join(error.candidates)}" if error.candidates else ""
        )
        similar = suggest_card(context, pointer)
        hint = f"did you mean `{similar}`? {choose}" if similar else choose
        yield failure(
            ACTIVE, "bad-active", f"`{pointer}` is not a card{several}", hint, 1
        )
    else:
        if card.status in CLOSED:
            message = f"the active card `{card.id}` is {card.status}"
            hint = f"`cuedeck card reopen {quoted(card.id)}`, or choose another: `cuedeck card activate ID`"
            yield warning(ACTIVE, "closed-active", message, hint, 1)


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
