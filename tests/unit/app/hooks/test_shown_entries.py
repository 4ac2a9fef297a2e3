"""Ids of the ledger entries that a text for an agent names."""

from __future__ import annotations

from cuedeck.app.hooks.shown_entries import entries_in


def test_entries_are_named_by_their_addresses() -> None:
    text = (
        "- “We use it” (`decision:h4w7tn`, accepted)\n"
        "- “A fact” (`record:5d1e8f70-1a` from MEMORY.md), `record:5d1e8f70-1a`\n"
        "decision:plain, `card:abc`, `decision:\nbroken`\n"
    )
    assert entries_in(text) == ("h4w7tn", "5d1e8f70-1a")
