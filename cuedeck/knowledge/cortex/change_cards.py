"""Adding the statements of messages to memory cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.cortex.card_places import CardPlaces, read_card
from cuedeck.knowledge.cortex.memory_card import (
    PLACES,
    MemoryCard,
    Outcome,
    Statement,
    add_statement,
)
from cuedeck.knowledge.cortex.owner_name import owner_address
from cuedeck.model.cortex_address import CortexAddress

if TYPE_CHECKING:
    from cuedeck.knowledge.cortex.extract_memories import ExtractedMemory
    from cuedeck.knowledge.cortex.session_owners import SessionOwners
    from cuedeck.store.cortex.cortex_tree import CortexTree

_RANKS: Sequence[Outcome] = ("made", "superseded", "older", "repeated", "known")
"""Outcomes of the statements of one card: the first of these counts."""


class CardChange(NamedTuple):
    """A card with new statements."""

    card: MemoryCard
    outcome: Outcome
    """What happened to the card as a whole."""


class ChangedCards(NamedTuple):
    """Cards that some memories change."""

    cards: Mapping[CortexAddress, CardChange]
    """Sorted by address."""
    foreign: Sequence[CortexAddress]
    """Files in the places of cards that are not cards, sorted; they stay."""


def merge_changes(first: ChangedCards, second: ChangedCards) -> ChangedCards:
    """Return the cards of two changes, of which the second was made after the first."""
    cards = dict(first.cards)
    for place, change in second.cards.items():
        before = cards.get(place, change).outcome
        outcome = min(before, change.outcome, key=_RANKS.index)
        cards[place] = CardChange(change.card, outcome)
    foreign = {*first.foreign, *second.foreign}
    return ChangedCards(
        {place: cards[place] for place in sorted(cards, key=_text)},
        sorted(foreign, key=_text),
    )


def change_cards(
    tree: CortexTree,
    owners: SessionOwners,
    memories: Iterable[ExtractedMemory],
) -> ChangedCards:
    """Return the cards of some memories with their statements added; nothing is
    written. Raises: StorageError.
    """
    cards: dict[CortexAddress, MemoryCard | None] = {}
    outcomes: dict[CortexAddress, Outcome] = {}
    foreign: set[CortexAddress] = set()
    places = CardPlaces(tree)
    for memory in memories:
        folder = _card_folder(owners, memory)
        place = places.find(folder, memory.key, memory.title)
        if place not in cards:
            try:
                cards[place] = read_card(tree, place)
            except ValueError:
                foreign.add(place)
        if place in foreign:
            continue
        added = add_statement(
            cards[place],
            memory.kind,
            memory.key,
            Statement(memory.text, memory.time, (memory.source,)),
            memory.title,
        )
        cards[place] = added.card
        before = outcomes.get(place, added.outcome)
        outcomes[place] = min(before, added.outcome, key=_RANKS.index)
    changes = {}
    for place in sorted(outcomes, key=_text):
        card = cards[place]
        assert card is not None
        changes[place] = CardChange(card, outcomes[place])
    return ChangedCards(
        cards=changes,
        foreign=sorted(foreign, key=_text),
    )


def _card_folder(owners: SessionOwners, memory: ExtractedMemory) -> CortexAddress:
    """Return the address of the folder of the card of a memory."""
    dimension, category = PLACES[memory.kind]
    owner = owners.agent
    if dimension == "user":
        owner = owners.user
    return owner_address(dimension, owner).child(category)


def _text(address: CortexAddress) -> str:
    return address.text
