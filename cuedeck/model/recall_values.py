"""Values of recall that cross packages: a unit of searchable text."""

from __future__ import annotations

from cuedeck.model.light_typing import NamedTuple
from cuedeck.model.settings_schema import RecallSettings

__all__ = ["KINDS", "LONG_MEMORY", "RecallSettings", "Unit"]

LONG_MEMORY = "long-memory"
KINDS = (
    "record",
    "log",
    LONG_MEMORY,
    "user",
    "decision",
    "attempt",
    "assumption",
    "experience",
    "card",
    "doc",
    "cortex",
    "extra",
)
"""Kinds of units. `log` is prose of MEMORY.md, a daily log or the archive; `cortex` is
a message, a memory or a resource; `extra` is Markdown outside the workspace.
"""


class Unit(NamedTuple):
    """The smallest text that recall finds: a record, a ledger entry, a paragraph, a
    list item or a heading.
    """

    kind: str
    start: int
    """First line, 1-based."""
    end: int
    """Last line, inclusive."""
    text: str
    title: str = ""
    """The headings above the unit, joined with ` > `; its words are searched, too."""
    id: str = ""
    """Id of a record or ledger entry, or name of the file of a message without its
    suffix; empty for prose.
    """
    date: str = ""
    """A time in UTC, `2026-11-23T10:00:00.000Z`, or a local day, `2026-11-23`; empty if
    the unit has no date.
    """
    speaker: str = ""
    """Name before a colon at the start of the text: `Maria` of `Maria: I agree`; the
    author of a message.
    """
    session: str = ""
    category: str = ""
    """Category of a record, role of a message, kind of a memory; else empty."""
    is_evergreen: bool = False
    """Whether the age of a record does not matter; that of some kinds never does."""
