"""Adding the statements of messages and of other programs to memory cards.

The name of a card's file is made from the title that its first statement had, and stays
the same, so that links to it stay valid. A later statement finds the card by the key in
its header, whatever its file is called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.cortex.memory_card import (
    PLACES,
    MemoryCard,
    Outcome,
    Statement,
    add_statement,
    format_card,
    parse_card,
)
from cuedeck.knowledge.cortex.memory_key import memory_key, memory_name
from cuedeck.knowledge.cortex.session_owners import owner_address
from cuedeck.model.cortex_address import CortexAddress
from cuedeck.model.errors import CueDeckError, Invalid, NotFound

if TYPE_CHECKING:
    from cuedeck.knowledge.cortex.extract_memories import ExtractedMemory
    from cuedeck.store.cortex.cortex_tree import CortexTree, CortexWriter

_SUFFIX = ".md"
_RANKS: Sequence[Outcome] = ("made", "superseded", "older", "repeated", "known")
"""Outcomes of the statements of one card: the first of these counts."""


class CardChange(NamedTuple):
    """A card with a new statement."""

    card: MemoryCard
    outcome: Outcome
    """What happened to the card; of several statements, as a whole."""


class CardChanges:
    """The cards of a tree as they will be, while its lock is held. A folder is read
    when a key is looked up that neither of its usual names has.
    """

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

    def place_of(self, owner: str, memory: ExtractedMemory) -> CortexAddress:
        """Return the address of the card of a memory, or the address for a new one,
        which may be that of another file. Raises: StorageError.
        """
        dimension, category = PLACES[memory.kind]
        folder = owner_address(dimension, owner).child(category)
        key = memory.key
        usual = [folder.child(memory_name(name, key)) for name in (memory.title, key)]
        for place in usual:
            if key in self._keys_at(place):
                return place
        if folder not in self._names:
            self._names[folder] = dict(self._read_folder(folder))
        name = self._names[folder].get(key)
        if name:
            return folder.child(name)
        if self._keys_at(usual[0]):  # another key has the same name
            return folder.child(memory_name(memory.title, key, hashed=True))
        return usual[0]

    def add(self, owner: str, memory: ExtractedMemory) -> CardChange | None:
        """Add a memory to its card; return the card, or None if a file that is not a
        card has its address. Raises: StorageError.
        """
        place = self.place_of(owner, memory)
        before = self._changes.get(place)
        try:
            known = before.card if before else read_card(self._tree, place)
        except ValueError:
            self._foreign.add(place)
            return None
        statement = Statement(memory.text, memory.time, memory.sources)
        card, outcome = add_statement(
            known, memory.kind, memory.key, statement, memory.title
        )
        if outcome != "known" and memory.fields:
            card = _with_fields(card, memory)
        if card == known:
            outcome = "known"
        as_whole = min(outcome, before.outcome if before else outcome, key=_RANKS.index)
        self._changes[place] = CardChange(card, as_whole)
        self._names.setdefault(place.parent or place, {})[memory.key] = place.name
        return CardChange(card, outcome)

    def _keys_at(self, place: CortexAddress) -> tuple[str, ...]:
        """Return the keys of the card at an address; empty without a card."""
        if place in self._changes:
            return (self._changes[place].card.key,)
        try:
            card = read_card(self._tree, place)
        except ValueError:
            return ()
        return _keys_of(place, card) if card is not None else ()

    def _read_folder(self, folder: CortexAddress) -> Iterator[tuple[str, str]]:
        """Yield the key and the name of each card; a key by the rules of today comes
        before one that is written in a header, which overrides it.
        """
        written: dict[str, str] = {}
        for entry in self._tree.entries(folder):
            place = folder.child(entry.name)
            try:
                card = None if entry.is_folder else read_card(self._tree, place)
            except (ValueError, CueDeckError):
                continue
            if card is not None:
                key, *more = _keys_of(place, card)
                yield from ((each, entry.name) for each in more)
                written.setdefault(key, entry.name)
        yield from written.items()


def add_memories(
    changes: CardChanges, user: str, agent: str, memories: Iterable[ExtractedMemory]
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


def _keys_of(place: CortexAddress, card: MemoryCard) -> tuple[str, ...]:
    """Return the key in the header of a card, then the same by the present rules for
    keys, if it differs; a card that was written by hand may have no key.
    """
    words = place.name.removesuffix(_SUFFIX).replace("-", " ")
    key = card.key or memory_key(card.title or words)
    return tuple(dict.fromkeys((key, memory_key(key) or key)))


def write_cards(writer: CortexWriter, changes: CardChanges) -> None:
    """Write changed cards durably. Raises: TooLong, StorageError."""
    for place, change in changes.cards.items():
        writer.write(place, format_card(change.card).encode())


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
