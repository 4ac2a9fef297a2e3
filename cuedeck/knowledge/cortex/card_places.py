"""Addresses of the cards of memories, found by their keys.

The name of a card's file is made from the title that its first statement had, and stays
the same, so that links to it stay valid. A later statement finds the card by the key in
its header, whatever its file is called.
"""

from __future__ import annotations

from cuedeck.knowledge.cortex.memory_card import MemoryCard, parse_card
from cuedeck.knowledge.cortex.memory_key import memory_key, memory_name
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import CueDeckError, Invalid, NotFound
from cuedeck.store.cortex.cortex_tree import CortexTree

_SUFFIX = ".md"


class CardPlaces:
    """The cards of a tree, read while its lock is held. A folder is read when a key is
    looked up that neither of its usual names has.
    """

    def __init__(self, tree: CortexTree) -> None:
        self._tree = tree
        self._names: dict[CortexAddress, dict[str, str]] = {}
        """Names of the cards of a folder by their keys."""
        self._planned: dict[CortexAddress, str] = {}
        """Keys of the cards that the caller is about to write."""

    def find(self, folder: CortexAddress, key: str, title: str) -> CortexAddress:
        """Return the address of the card with a key, or the address for a new one.

        The new address may be that of another file. Raises: StorageError.
        """
        usual = [folder.child(memory_name(name, key)) for name in (title, key)]
        for place in usual:
            if key in self._keys_at(place):
                return place
        name = self._names_in(folder).get(key)
        if name:
            return folder.child(name)
        place = usual[0]
        if self._keys_at(place):  # another key has the same name
            place = folder.child(memory_name(title, key, hashed=True))
        self._planned[place] = key
        self._names_in(folder)[key] = place.name
        return place

    def _keys_at(self, place: CortexAddress) -> tuple[str, ...]:
        """Return the keys of the card at an address; empty without a card."""
        if place in self._planned:
            return (self._planned[place],)
        try:
            card = read_card(self._tree, place)
        except ValueError:
            return ()
        return _keys_of(place, card) if card is not None else ()

    def _names_in(self, folder: CortexAddress) -> dict[str, str]:
        if folder not in self._names:
            self._names[folder] = self._read_folder(folder)
        return self._names[folder]

    def _read_folder(self, folder: CortexAddress) -> dict[str, str]:
        names: dict[str, str] = {}
        others: dict[str, str] = {}
        for entry in self._tree.entries(folder):
            if entry.is_folder or not entry.name.endswith(_SUFFIX):
                continue
            place = folder.child(entry.name)
            try:
                card = read_card(self._tree, place)
            except (ValueError, CueDeckError):
                continue
            if card is not None:
                key, *more = _keys_of(place, card)
                names.setdefault(key, entry.name)
                others.update(dict.fromkeys(more, entry.name))
        return {**others, **names}


def read_card(tree: CortexTree, place: CortexAddress) -> MemoryCard | None:
    """Return an existing card, or None. Raises: ValueError for another file;
    StorageError.
    """
    try:
        data = tree.read(place)
    except NotFound:
        return None
    except Invalid:  # a folder
        raise ValueError from None
    return parse_card(data.decode())


def _keys_of(place: CortexAddress, card: MemoryCard) -> tuple[str, ...]:
    """Return the key in the header of a card, then the same by the present rules for
    keys, if it differs; a card that was written by hand may have no key.
    """
    words = place.name.removesuffix(_SUFFIX).replace("-", " ")
    key = card.key or memory_key(card.title or words)
    return tuple(dict.fromkeys((key, memory_key(key) or key)))
