"""Merge of two cards of one memory, such as those of two copies of a tree.

A statement that both cards have becomes one, with the later time and the sources of
both. The latest statement is in force, and the others are superseded. So a merge with a
card that contributes nothing returns the first card unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cuedeck.knowledge.cortex.header_lines import HeaderValue, list_field
from cuedeck.knowledge.cortex.memory_card import MemoryCard, Statement, is_same_text

_Fields = tuple[tuple[str, HeaderValue], ...]

_OF_STATEMENT = ("confidence", "created", "archived")
"""Unknown fields that describe the statement in force, not the memory."""


def merge_cards(card: MemoryCard, other: MemoryCard) -> MemoryCard:
    """Return a card with the statements and the fields that only another card of the
    same memory has.
    """
    statements = _merged_statements(card, other)
    current, *superseded = statements
    first, second = card, other
    if not is_same_text(current.text, card.current.text):
        first, second = other, card
    title, rest = first.title, second.rest
    if is_same_text(card.current.text, other.current.text):
        title = first.title or second.title
    else:
        rest = tuple(field for field in rest if field[0] not in _OF_STATEMENT)
    return replace(
        card,
        current=current,
        superseded=tuple(superseded),
        title=title,
        rest=_with_ids(_joined(first.rest, rest), (*card.rest, *other.rest)),
    )


def _merged_statements(card: MemoryCard, other: MemoryCard) -> list[Statement]:
    """Return the statements of both cards, the latest first.

    Statements of the same second keep the order of the card that has all of them, so
    that two copies that exchange their statements become equal.
    """
    base = (card.current, *card.superseded)
    added = (other.current, *other.superseded)
    if len(added) > len(base) and _have_all(added, base):
        base, added = added, base
    merged = list(base)
    if is_same_text(base[0].text, added[0].text):
        merged[0] = _united(base[0], added[0])
        added = added[1:]
    for statement in added:
        _add(merged, statement)
    if merged != list(base):
        merged.sort(key=_time_of, reverse=True)
    return merged


def _have_all(statements: Sequence[Statement], wanted: Iterable[Statement]) -> bool:
    return all(
        any(_is_same_statement(known, each) for known in statements) for each in wanted
    )


def _add(statements: list[Statement], added: Statement) -> None:
    """Add a statement to a list, or unite it with the same statement there."""
    for position, known in enumerate(statements):
        if _is_same_statement(known, added):
            statements[position] = _united(known, added)
            return
    statements.append(added)


def _is_same_statement(one: Statement, other: Statement) -> bool:
    if not is_same_text(one.text, other.text):
        return False
    return one.time == other.time or not set(one.sources).isdisjoint(other.sources)


def _united(one: Statement, other: Statement) -> Statement:
    sources = dict.fromkeys((*one.sources, *other.sources))
    time = max(one.time, other.time)
    return one._replace(time=time, sources=tuple(sources))


def _joined(first: _Fields, second: _Fields) -> _Fields:
    """Return the fields of the first card, then those that only the second one has."""
    names = {name for name, _ in first}
    return (*first, *(field for field in second if field[0] not in names))


def _with_ids(
    fields: _Fields, all_fields: Iterable[tuple[str, HeaderValue]]
) -> _Fields:
    """Return the fields with the ids of both cards in `ids`."""
    ids: dict[str, None] = {}
    for field in all_fields:
        ids.update(dict.fromkeys(list_field(dict([field]), "ids")))
    if tuple(ids) == list_field(dict(fields), "ids"):
        return fields
    return tuple(
        (name, list(ids) if name == "ids" else value) for name, value in fields
    )


def _time_of(statement: Statement) -> str:
    return statement.time
