"""Colours by kind, from the Okabe-Ito palette, which stays distinct for colour-blind
readers.
"""

from __future__ import annotations

from typing import NamedTuple


class Ink(NamedTuple):
    """The colours of one kind."""

    plural: str
    """The kind as a heading: `docs`."""
    strong: str
    """Marks and outlines; contrast of at least 3:1 on white."""
    pale: str
    """Background of black text."""
    bright: str
    """Marks and outlines on a dark page."""


INKS: dict[str, Ink] = {
    "card": Ink("cards", "#1273b8", "#d6e8f5", "#55aee8"),
    "doc": Ink("docs", "#0a8f6b", "#d3efe6", "#35c49b"),
    "source": Ink("sources", "#c77700", "#fbe7c6", "#f2a93b"),
    "decision": Ink("decisions", "#6a55b8", "#e3def6", "#a898ee"),
    "record": Ink("records", "#8a7a00", "#f3ecc4", "#dcc93a"),
    "binary": Ink("binaries", "#a8588a", "#f3deea", "#d791bd"),
    "folder": Ink("folders", "#7a7f87", "#e6e8eb", "#9aa1ab"),
    "dead": Ink("dead links", "#cc4a1a", "#fbdfd3", "#f58158"),
}
OTHER = Ink("other", "#7a7f87", "#e6e8eb", "#9aa1ab")
ALL_INKS = {**INKS, "other": OTHER}


def ink(kind: str) -> Ink:
    """Return the colours of `kind`; grey for an unknown kind."""
    return INKS.get(kind, OTHER)
