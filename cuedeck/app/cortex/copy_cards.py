"""Import of memory cards of another CueDeck tree.

A card is copied with its text unchanged to the address that it has there. If the tree
has a card of the same key, the two are merged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.cortex.import_plan import (
    ImportRow,
    MappedAddress,
    mapped_address,
    row,
)
from cuedeck.records.cortex.merge_cards import merge_cards
from cuedeck.records.cortex.owner_name import owner_address

if TYPE_CHECKING:
    from cuedeck.app.cortex.planned_cards import PlannedCards
    from cuedeck.model.cortex_address import CortexAddress, Dimension
    from cuedeck.records.cortex.memory_card import MemoryCard


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
        try:
            known = planned.card(place)
        except ValueError:
            problem = "a file without a memory is there"
            rows.append(row(each.path, place.text, "refused", problem))
            continue
        copied[place] = each.card
        if known is None:
            planned.put(place, each.card, each.text)
            rows.append(row(each.path, place.text, "new", mapped.reason))
            continue
        merged = merge_cards(known, each.card)
        if merged == known:
            rows.append(row(each.path, place.text, "same", mapped.reason))
            continue
        planned.put(place, merged)
        reason = f"added to the memory `{known.shown_title}`"
        rows.append(row(each.path, place.text, "merged", reason))
    # Only now, so that two cards of one key keep their own addresses.
    for place, card in copied.items():
        places.add_copy(place, card)
    return rows


def _mapped(dimension: Dimension, path: str) -> MappedAddress:
    """Return the address of a card with this path."""
    names = path.split("/")
    owner, category, name = names[-3:]
    folder = owner_address(dimension, owner)
    return mapped_address(
        folder.child(category),
        name,
    )
