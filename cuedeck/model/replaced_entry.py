"""An entry in a host's configuration file that existed before `cuedeck setup`."""

from __future__ import annotations

from typing import Any, NamedTuple

Keys = tuple[str, ...]
"""The keys that lead to an entry, outermost first."""


class Prior(NamedTuple):
    """A foreign entry in a place that `setup` uses."""

    keys: Keys
    """The keys that lead to the entry."""
    value: Any
    """The JSON value; for a server only the fields that define how to reach it."""

    @property
    def description(self) -> str:
        """Return a short description of the entry: its keys and its command."""
        command = self.value if isinstance(self.value, str) else _command_of(self.value)
        return f"`{'.'.join(self.keys)}`" + (f" ({command})" if command else "")


def _command_of(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    if isinstance(value.get("command"), str):
        return str(value["command"])
    if isinstance(value.get("command"), list):
        return " ".join(map(str, value["command"]))
    inner = value.get("hooks")
    return (
        next(filter(None, map(_command_of, inner)), "")
        if isinstance(inner, list)
        else ""
    )
