"""An entry of a host's file that was there before set-up."""

from __future__ import annotations

from typing import Any, NamedTuple

Keys = tuple[str, ...]
"""The keys that lead to an entry, outermost first."""


class Prior(NamedTuple):
    """An entry in an own place that set-up did not write."""

    keys: Keys
    """The keys that lead to it."""
    value: Any
    """Its JSON value; of a server only the fields that say how it is reached."""

    @property
    def told(self) -> str:
        """Return it in a few words."""
        command = self.value if isinstance(self.value, str) else _command_of(self.value)
        return f"`{'.'.join(self.keys)}`" + (f" ({command})" if command else "")


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
