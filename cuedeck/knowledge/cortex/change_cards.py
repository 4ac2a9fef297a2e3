"""Adding the statements of messages and of other programs to memory cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.cortex.card_places import CardPlaces, read_card
from cuedeck.knowledge.cortex.memory_card import (
    PLACES,
    MemoryCard,
    Outcome,
    Statement,
    add_statement,
    format_card,
)
from cuedeck.knowledge.cortex.owner_name import owner_address
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.store.files.write_files import write_files

if TYPE_CHECKING:
    from cuedeck.knowledge.cortex.extract_memories import ExtractedMemory
    from cuedeck.knowledge.cortex.session_owners import SessionOwners
    from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter

_RANKS: Sequence[Outcome] = ("made", "superseded", "older", "repeated", "known")
"""Outcomes of the statements of one card: the first of these counts."""


class CardChange(NamedTuple):
    """A card with a new statement."""

    card: MemoryCard
    outcome: Outcome
    """What happened to the card; of several statements, as a whole."""


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


class CardChanges:
    """The cards of a tree as they will be, while its lock is held."""

    def __init__(self, tree: CortexTree) -> None:
        self._tree = tree
        self._places = CardPlaces(tree)
        self._cards: dict[CortexAddress, MemoryCard | None] = {}
        self._outcomes: dict[CortexAddress, Outcome] = {}
        self._foreign: set[CortexAddress] = set()

    def place_of(self, owner: str, memory: ExtractedMemory) -> CortexAddress:
        """Return the address of the card of a memory. Raises: StorageError."""
        dimension, category = PLACES[memory.kind]
        folder = owner_address(dimension, owner).child(category)
        return self._places.find(folder, memory.key, memory.title)

    def add(self, owner: str, memory: ExtractedMemory) -> CardChange | None:
        """Add a memory to its card; return the card, or None if a file that is not a
        card has its address. Raises: StorageError.
        """
        place = self.place_of(owner, memory)
        if place not in self._cards:
            try:
                self._cards[place] = read_card(self._tree, place)
            except ValueError:
                self._foreign.add(place)
        if place in self._foreign:
            return None
        added = add_statement(
            self._cards[place],
            memory.kind,
            memory.key,
            Statement(memory.text, memory.time, memory.sources),
            memory.title,
        )
        card, outcome = added
        if outcome != "known" and memory.fields:
            card = _with_fields(card, memory)
        if card == self._cards[place]:
            outcome = "known"
        self._cards[place] = card
        before = self._outcomes.get(place, outcome)
        self._outcomes[place] = min(before, outcome, key=_RANKS.index)
        return CardChange(card, outcome)

    def result(self) -> ChangedCards:
        """Return the cards to which a memory was added."""
        changes = {}
        for place in sorted(self._outcomes, key=_text):
            card = self._cards[place]
            assert card is not None
            changes[place] = CardChange(card, self._outcomes[place])
        return ChangedCards(changes, sorted(self._foreign, key=_text))


def change_cards(
    tree: CortexTree,
    owners: SessionOwners,
    memories: Iterable[ExtractedMemory],
) -> ChangedCards:
    """Return the cards of some memories with their statements added; nothing is
    written. Raises: StorageError.
    """
    changes = CardChanges(tree)
    for memory in memories:
        dimension, _ = PLACES[memory.kind]
        changes.add(owners.user if dimension == "user" else owners.agent, memory)
    return changes.result()


def write_cards(writer: CortexWriter, changed: ChangedCards) -> None:
    """Write changed cards durably. Raises: TooLong, StorageError."""
    texts = {}
    for place, change in changed.cards.items():
        texts[place] = format_card(change.card).encode()
    write_files(writer.contents(texts), writer.scratch)


def _with_fields(card: MemoryCard, memory: ExtractedMemory) -> MemoryCard:
    """Return a card with the fields of a memory: lists are united, texts are those of
    the statement in force.
    """
    fields = dict(card.rest)
    for name, value in memory.fields.items():
        known = fields.get(name)
        if isinstance(value, list):
            old = known if isinstance(known, list) else []
            fields[name] = list(dict.fromkeys((*old, *value)))
        elif card.current.text == memory.text:
            fields[name] = value
    return replace(card, rest=tuple(fields.items()))


def _text(address: CortexAddress) -> str:
    return address.text
