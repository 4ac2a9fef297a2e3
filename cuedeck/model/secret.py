"""The place of a secret in a text."""

from __future__ import annotations

from cuedeck.model.light_typing import NamedTuple


class Secret(NamedTuple):
    """A range of text to mask: half-open character offsets and a kebab-case kind."""

    start: int
    end: int
    kind: str
