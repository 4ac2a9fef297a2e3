"""Import of memory cards of another CueDeck tree.

A card is copied with its text unchanged to the address that it has there. If the tree
has a card of the same key, the two are merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.cortex.merge_cards import merge_cards
from cuedeck.knowledge.cortex.owner_name import owner_address
from cuedeck.knowledge.importers.import_plan import (
    ImportRow,
    MappedAddress,
    mapped_address,
)

if TYPE_CHECKING:
    from cuedeck.knowledge.cortex.memory_card import MemoryCard
    from cuedeck.knowledge.cortex.planned_cards import PlannedCards
    from cuedeck.model.cortex_address import CortexAddress, Dimension


class ForeignCard(NamedTuple):
    """A card of the source."""

    path: str
    """Path in the source folder; its last names are owner, category and file."""
    text: str
    """Masked."""
    card: MemoryCard


def copy_cards(
    planned: PlannedCards,
    dimension: Dimension,
    cards: Sequence[ForeignCard],
) -> list[ImportRow]:
    """Add cards to the planned ones; return their rows. Raises: StorageError."""
    places = planned.places
    copied: dict[CortexAddress, MemoryCard] = {}
    rows: list[ImportRow] = []
    for each in cards:
        mapped = _mapped(dimension, each.path)
        place = places.find_copy(mapped.address, each.card)
        merged = partial(_merged, each.card)
        made = planned.add(each.path, place, merged, mapped.reason, each.text)
        rows.append(made)
        if made.action != "refused":
            copied[place] = each.card
    # Only now, so that two cards of one key keep their own addresses.
    for place, card in copied.items():
        places.add_copy(place, card)
    return rows


def _merged(card: MemoryCard, known: MemoryCard | None) -> MemoryCard:
    """Return a card of the source, merged with the one that the tree has."""
    return card if known is None else merge_cards(known, card)


def _mapped(dimension: Dimension, path: str) -> MappedAddress:
    """Return the address of a card with this path."""
    names = path.split("/")
    owner, category, name = names[-3:]
    folder = owner_address(dimension, owner)
    return mapped_address(
        folder.child(category),
        name,
    )
