"""What CueDeck puts into a file of a host: a part of it, whatever the format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from cuedeck.model.prior_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut


class Put(NamedTuple):
    """A file after own entries were put into it."""

    text: str
    undo: tuple[Cut, ...]
    """Cuts that bring the old text back, one after the other."""
    made: tuple[Keys, ...]
    """Containers that were made for them, by their keys."""


class Part(Protocol):
    """Own entries of one kind. All of it raises Invalid for a file that cannot be read or safely changed."""

    def holds(self, text: str) -> bool:
        """Tell whether own entries are there, whatever their version."""
        ...

    def is_right(self, text: str) -> bool:
        """Tell whether they are there as they should be, once."""
        ...

    def put(self, text: str) -> Put:
        """Put them into a file that has none."""
        ...

    def renew(self, text: str) -> str:
        """Put them right in a file that has some."""
        ...

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the entries in their places that set-up did not write, in order."""
        ...

    def programs(self, text: str) -> tuple[str, ...]:
        """Return what own entries start."""
        ...

    def strip(self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()) -> str:
        """Take them out, and with them the containers in `made` that this empties; None for all it empties.

        What is in `prior` stays, or comes back where own entries replaced it; what others wrote stays, too.
        """
        ...
