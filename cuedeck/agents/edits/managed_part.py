"""Interface of a managed part: CueDeck's own entries of one kind in a file of a host,
in any format.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from cuedeck.model.replaced_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut


class Put(NamedTuple):
    """The result of adding own entries to a file."""

    text: str
    undo: tuple[Cut, ...]
    """The cuts that restore the old text, applied one after the other."""
    made: tuple[Keys, ...]
    """The key paths of the containers that were created for the entries."""


def find_prior(prior: Sequence[Prior], keys: Keys) -> Any:
    """Return the value of the first prior entry at a path of keys, or None."""
    values = [entry.value for entry in prior if entry.keys == keys]
    return values[0] if values else None


class Part(Protocol):
    """Own entries of one kind. Every method raises Invalid if the file cannot be parsed
    or safely changed.
    """

    def holds(self, text: str) -> bool:
        """Return whether the file contains own entries, of any version."""
        ...

    def is_right(self, text: str) -> bool:
        """Return whether each own entry is present exactly once and up to date."""
        ...

    def put(self, text: str) -> Put:
        """Add the own entries to a file without any."""
        ...

    def renew(self, text: str) -> str:
        """Bring the own entries of a file up to date."""
        ...

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the entries for CueDeck that set-up did not write, in file order."""
        ...

    def programs(self, text: str) -> tuple[str, ...]:
        """Return the programs that the own entries start."""
        ...

    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        """Remove the own entries, and the containers in `made` that become empty (None:
        any container).

        Entries in `prior` stay, or are restored if an own entry replaced them. All
        other entries stay.
        """
        ...


class KeyedPart(Part, Protocol):
    """Own entries of one kind at one path of keys."""

    @property
    def keys(self) -> Keys:
        """Return the path of keys."""
        ...


@dataclass(frozen=True, slots=True)
class RetiredServerPart:
    """The managed part for a server that earlier versions of set-up wrote into the
    repository, where it cannot start for people without CueDeck. `renew` removes it.
    """

    part: KeyedPart

    def holds(self, text: str) -> bool:
        """Return whether the file contains an entry that set-up wrote."""
        return self.part.holds(text) and not self.part.prior(text)

    def is_right(self, text: str) -> bool:
        """Return whether the file contains no such entry."""
        return not self.holds(text)

    def put(self, text: str) -> Put:
        """Return the text unchanged."""
        return Put(text, (), ())

    def renew(self, text: str) -> str:
        """Remove the entry."""
        return self.part.strip(text, None)

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return nothing, because entries of others are no own entries here."""
        return ()

    def programs(self, text: str) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        """Remove the entry, or restore its prior connection keys."""
        is_replaced = find_prior(prior, self.part.keys) is not None
        if not is_replaced and not self.holds(text):
            return text
        return self.part.strip(text, made, prior)
