"""The bounds of a token budget; a module of its own, so that commands know them without
the values of a scene.
"""

from __future__ import annotations

SMALLEST_BUDGET = 200
"""Tokens below which title, receipt and one line of the card no longer fit together."""
LARGEST_BUDGET = 10_000_000
BAD_BUDGET = "bad-budget"
"""Code of the diagnostic of a card with another limit."""
