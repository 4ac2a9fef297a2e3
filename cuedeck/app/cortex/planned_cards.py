"""Cards that an import makes or changes, collected until they are written together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.app.cortex.card_places import CardPlaces, read_card
from cuedeck.records.cortex.memory_card import format_card
from cuedeck.store.fs.write_files import write_files

if TYPE_CHECKING:
    from cuedeck.model.cortex_address import CortexAddress
    from cuedeck.records.cortex.memory_card import MemoryCard
    from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter


class PlannedCards:
    """The cards of a tree as they will be after an import, while its lock is held."""

    def __init__(self, tree: CortexTree) -> None:
        self.places = CardPlaces(tree)
        self._tree = tree
        self._cards: dict[CortexAddress, MemoryCard | None] = {}
        self._texts: dict[CortexAddress, str] = {}
        """Texts of the new and the changed cards."""

    def card(self, place: CortexAddress) -> MemoryCard | None:
        """Return the card at an address, or None. Raises: ValueError for another file;
        StorageError.
        """
        if place not in self._cards:
            self._cards[place] = read_card(self._tree, place)
        return self._cards[place]

    def put(self, place: CortexAddress, card: MemoryCard, text: str = "") -> None:
        """Plan to write a card; by default its text is made from its fields."""
        if card != self.card(place):
            self._cards[place] = card
            self._texts[place] = text or format_card(card)

    def write(self, writer: CortexWriter) -> None:
        """Write the new and the changed cards. Raises: TooLong, StorageError."""
        texts = {place: text.encode() for place, text in self._texts.items()}
        write_files(writer.contents(texts), writer.scratch)
