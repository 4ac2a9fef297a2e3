"""Chains of replacement."""

from __future__ import annotations

from collections.abc import Mapping


def leads_to(start: str, end: str, after: Mapping[str, str]) -> bool:
    """Tell whether following `after` from `start` comes by `end`."""
    seen = set()
    while start in after and start not in seen:
        seen.add(start)
        start = after[start]
        if start == end:
            return True
    return False
