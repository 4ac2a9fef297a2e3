"""Categories of memory records: one row of the table defines the treatment of the
records of a category.
"""

from __future__ import annotations

from typing import NamedTuple

COMPACTION = "compaction"


class Category(NamedTuple):
    """Treatment of the records of one category. The defaults apply to unknown
    categories of other programs.
    """

    title: str = ""
    """Heading of a list of such records; empty for the name of the category."""
    is_protected: bool = False
    """Never merged by a compaction, and shown first if space is short."""
    has_content: bool = True
    """False if records report an event without content, which is never promoted."""
    ages: bool = True
    """Reported as stale if old. Events do not become stale: compaction merges them."""
    states_claims: bool = True
    """Checked for contradictions. False if records repeat other records."""
    is_turn_report: bool = False
    """Written by an agent about one turn: announcements and sentences about the moment
    are ignored.
    """
    becomes_experience: bool = False
    """Source of experiences."""


CATEGORIES: dict[str, Category] = {
    "note": Category("notes", becomes_experience=True),
    "learned": Category("lessons", is_protected=True, becomes_experience=True),
    "user-preference": Category(
        "preferences", is_protected=True, becomes_experience=True
    ),
    "decision": Category("decisions", is_protected=True, becomes_experience=True),
    "profile": Category(is_protected=True),
    "turn-summary": Category(
        "turns", ages=False, is_turn_report=True, becomes_experience=True
    ),
    "heartbeat": Category(has_content=False, ages=False, states_claims=False),
    COMPACTION: Category(ages=False, states_claims=False),
}
"""Categories that CueDeck writes, in the order of lists; records of other programs may
have others.
"""
_UNKNOWN = Category()


def category_of(name: str) -> Category:
    """Return the treatment of records of a category."""
    return CATEGORIES.get(name, _UNKNOWN)
