"""Interface of a managed part: CueDeck's own entries of one kind in a file of a host,
in any format.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from cuedeck.model.replaced_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut


class Put(NamedTuple):
    """The result of adding own entries to a file."""

    text: str
    undo: tuple[Cut, ...]
    """The cuts that restore the old text, applied one after the other."""
    made: tuple[Keys, ...] = ()
    """The key paths of the containers that were created for the entries."""


def find_prior(prior: Sequence[Prior], keys: Keys) -> Any:
    """Return the value of the first prior entry at a path of keys, or None."""
    values = [entry.value for entry in prior if entry.keys == keys]
    return values[0] if values else None


class Part(ABC):
    """Own entries of one kind. Every method raises Invalid if the file cannot be parsed
    or safely changed.
    """

    __slots__ = ()
    name = ""
    """The entries as a finding names them."""

    @abstractmethod
    def holds(self, text: str) -> bool:
        """Return whether the file contains own entries, of any version."""

    @abstractmethod
    def is_right(self, text: str) -> bool:
        """Return whether each own entry is present exactly once and up to date."""

    @abstractmethod
    def put(self, text: str) -> Put:
        """Add the missing own entries to a file."""

    def renew(self, text: str) -> str:
        """Bring the own entries of a file up to date."""
        return self.put(text).text

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the entries for CueDeck that set-up did not write, in file order."""
        return ()

    def programs(self, text: str) -> tuple[str, ...]:
        """Return the programs that the own entries start."""
        return ()

    @abstractmethod
    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        """Remove the own entries, and the containers in `made` that become empty (None:
        any container).

        Entries in `prior` stay, or are restored if an own entry replaced them. All
        other entries stay.
        """
