"""Adding the statements of messages and of other programs to memory cards.

The name of a card's file is made from the title that its first statement had, and stays
the same, so that links to it stay valid. A later statement finds the card by the key in
its header, whatever its file is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.cortex.cortex_sessions import owner_address
from cuedeck.knowledge.cortex.memory_card import (
    PLACES,
    MemoryCard,
    Outcome,
    Statement,
    add_statement,
    format_card,
    memory_key,
    memory_name,
    parse_card,
)
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import CueDeckError, Invalid, NotFound

if TYPE_CHECKING:
    from cuedeck.knowledge.cortex.extract_memories import ExtractedMemory
    from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter

_RANKS: Sequence[Outcome] = ("made", "superseded", "older", "repeated", "known")
"""Outcomes of the statements of one card: the first of these counts."""


class CardChange(NamedTuple):
    """A card with a new statement."""

    card: MemoryCard
    outcome: Outcome
    """What happened to the card; of several statements, as a whole."""


class CardChanges:
    """The cards of a tree as they will be, while its lock is held."""

    def __init__(self, tree: CortexTree) -> None:
        self._tree = tree
        self._names: dict[CortexAddress, dict[str, str]] = {}
        """Names of the cards of a folder by their keys."""
        self._changes: dict[CortexAddress, CardChange] = {}
        self._foreign: set[CortexAddress] = set()

    @property
    def cards(self) -> Mapping[CortexAddress, CardChange]:
        """The cards to which a memory was added, sorted by address."""
        return dict(sorted(self._changes.items(), key=lambda each: each[0].text))

    @property
    def foreign(self) -> Sequence[CortexAddress]:
        """Files in the places of cards that are not cards, sorted; they stay."""
        return sorted(self._foreign, key=lambda each: each.text)

    def add(
        self,
        owner: str,
        memory: ExtractedMemory,
    ) -> tuple[CortexAddress, CardChange | None]:
        """Add a memory to its card; return its address, and the card, or None if a file
        that is not a card has the address. Raises: StorageError.
        """
        dimension, category = PLACES[memory.kind]
        folder = owner_address(dimension, owner).child(category)
        if folder not in self._names:
            self._names[folder] = dict(self._read_folder(folder))
        names = self._names[folder]
        name = names.get(memory.key) or memory_name(memory.title, memory.key)
        if memory.key not in names and name in names.values():
            name = memory_name(memory.title, memory.key, hashed=True)
        place = folder.child(name)
        before = self._changes.get(place)
        try:
            known = before.card if before else read_card(self._tree, place)
        except ValueError:
            self._foreign.add(place)
            return place, None
        names[memory.key] = name
        statement = Statement(memory.text, memory.time, memory.sources)
        card, outcome = add_statement(
            known,
            memory.kind,
            memory.key,
            statement,
            memory.title,
        )
        if card == known:
            outcome = "known"
        as_whole = min(outcome, before.outcome if before else outcome, key=_RANKS.index)
        self._changes[place] = CardChange(card, as_whole)
        return place, CardChange(card, outcome)

    def _read_folder(self, folder: CortexAddress) -> Iterator[tuple[str, str]]:
        """Yield the key and the name of each card; one that was written by hand may
        have its key in its title or its name only.
        """
        for entry in self._tree.entries(folder):
            try:
                card = read_card(self._tree, entry.address)
            except (ValueError, CueDeckError):
                continue
            if card is not None:
                words = entry.name.removesuffix(".md").replace("-", " ")
                yield card.key or memory_key(card.title or words), entry.name


def add_memories(
    changes: CardChanges,
    user: str,
    agent: str,
    memories: Iterable[ExtractedMemory],
) -> None:
    """Add memories to the cards of a user and an agent. Raises: StorageError."""
    for memory in memories:
        dimension, _ = PLACES[memory.kind]
        changes.add(user if dimension == "user" else agent, memory)


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


def write_cards(writer: CortexWriter, changes: CardChanges) -> None:
    """Write changed cards durably. Raises: TooLong, StorageError."""
    for place, change in changes.cards.items():
        writer.write(place, format_card(change.card).encode())
