"""Cards that an import makes or changes, collected until they are written together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cuedeck.knowledge.cortex.card_places import CardPlaces, read_card
from cuedeck.knowledge.cortex.memory_card import format_card
from cuedeck.knowledge.importers.import_plan import ImportRow, row
from cuedeck.store.files.write_files import write_files

if TYPE_CHECKING:
    from cuedeck.knowledge.cortex.memory_card import MemoryCard
    from cuedeck.model.cortex_address import CortexAddress
    from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter


class PlannedCards:
    """The cards of a tree as they will be after an import, while its lock is held."""

    def __init__(self, tree: CortexTree) -> None:
        self.places = CardPlaces(tree)
        self._tree = tree
        self._cards: dict[CortexAddress, MemoryCard | None] = {}
        self._texts: dict[CortexAddress, str] = {}
        """Texts of the new and the changed cards."""

    def add(
        self,
        source: str,
        place: CortexAddress,
        merged: Callable[[MemoryCard | None], MemoryCard],
        reason: str,
        text: str = "",
    ) -> ImportRow:
        """Plan to write the card that `merged` makes of the card at an address, or of
        None; return the row of its source.

        `reason` is that of the row of a new or equal card. `text` is the file of a new
        card; by default it is made from the fields. Raises: StorageError.
        """
        try:
            known = self._card(place)
        except ValueError:
            problem = "a file without a memory is there"
            return row(source, place.text, "refused", problem)
        card = merged(known)
        if card == known:
            return row(source, place.text, "same", reason)
        self._cards[place] = card
        if known is None:
            self._texts[place] = text or format_card(card)
            return row(source, place.text, "new", reason)
        self._texts[place] = format_card(card)
        reason = f"added to the memory `{known.shown_title}`"
        return row(source, place.text, "merged", reason)

    def _card(self, place: CortexAddress) -> MemoryCard | None:
        """Return the card at an address, or None. Raises: ValueError for another file;
        StorageError.
        """
        if place not in self._cards:
            self._cards[place] = read_card(self._tree, place)
        return self._cards[place]

    def write(self, writer: CortexWriter) -> None:
        """Write the new and the changed cards. Raises: TooLong, StorageError."""
        texts = {place: text.encode() for place, text in self._texts.items()}
        write_files(writer.contents(texts), writer.scratch)
