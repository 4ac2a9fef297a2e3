"""Values of layers: their levels and limits, and the pair of one text or folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["L0", "L1"]

ABSTRACT_TOKENS = 100
OVERVIEW_TOKENS = 2_000
LIMITS: dict[Level, int] = {"L0": ABSTRACT_TOKENS, "L1": OVERVIEW_TOKENS}
"""Tokens of the body of a layer at most, by level."""
LEVELS: tuple[Level, ...] = ("L0", "L1")


@dataclass(frozen=True, slots=True)
class LayerPair:
    """The layers of one text or folder. No text ends with a line break."""

    abstract: str
    """L0."""
    overview: str
    """L1."""
    is_whole: bool = False
    """Whether the overview is the whole text, which fits its limit."""

    def text(self, level: Level) -> str:
        """Return the text of one level."""
        return self.abstract if level == "L0" else self.overview
