"""What CueDeck puts into a file of a host: a part of it, whatever the format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from cuedeck.parse.hosts.edit import Cut

Keys = tuple[str, ...]


class Put(NamedTuple):
    """A file after own entries were put into it."""

    text: str
    undo: tuple[Cut, ...]
    """Cuts that bring the old text back, one after the other."""
    made: tuple[Keys, ...]
    """Containers that were made for them, by their keys."""


class Prior(NamedTuple):
    """An entry in an own place that set-up did not write."""

    keys: Keys
    """Where it stands."""
    value: Any
    """What it says, as JSON has it; of a server only how it is reached."""

    @property
    def told(self) -> str:
        """Return it in a few words."""
        command = self.value if isinstance(self.value, str) else _command_of(self.value)
        return f"`{'.'.join(self.keys)}`" + (f" ({command})" if command else "")


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


def _command_of(value: Any) -> str:
    """Return the first command that a value names."""
    if not isinstance(value, dict):
        return ""
    if isinstance(value.get("command"), str):
        return str(value["command"])
    if isinstance(value.get("command"), list):
        return " ".join(map(str, value["command"]))
    inner = value.get("hooks")
    return next(filter(None, map(_command_of, inner)), "") if isinstance(inner, list) else ""
