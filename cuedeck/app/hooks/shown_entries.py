"""Ids of ledger entries that a text for an agent names."""

from __future__ import annotations

import re

_ENTRY = re.compile(
    r"`(?:assumption|attempt|decision|experience|record):([\w.-]+)[^`\n]*`"
)


def entries_in(text: str) -> tuple[str, ...]:
    """Return the ids of the entries whose addresses a text contains."""
    return tuple(dict.fromkeys(_ENTRY.findall(text)))
