"""Whether two canonical addresses are about one place."""

from __future__ import annotations


def overlaps(one: str, other: str) -> bool:
    """Tell whether two addresses are equal, or one is a whole file and the other a part of it."""
    return one == other or one.startswith(f"{other}#") or other.startswith(f"{one}#")


def is_within(address: str, wanted: str) -> bool:
    """Tell whether an address overlaps what is asked for, or lies in the folder (`src/`) that is."""
    return overlaps(address, wanted) or (wanted.endswith("/") and address.startswith(wanted))
