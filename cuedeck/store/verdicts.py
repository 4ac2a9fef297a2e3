"""What the ignore rules say of a path and its kind.

It stands for everything but plain visible files, so that a second look at a tree in which nothing changed asks
no rule at all.
"""

from __future__ import annotations

from collections.abc import Mapping

FOLDER = 0
HIDDEN_FOLDER = 1
SPECIAL = 2
"""Visible, and neither a folder nor a plain file: a symbolic link, a socket."""
HIDDEN = 3


def changes(old: Mapping[str, int], new: Mapping[str, int]) -> dict[str, int | None]:
    """Return the verdicts of `new` that are not those of `old`; None for one that is gone."""
    if old == new:
        return {}
    changed: dict[str, int | None] = {path: verdict for path, verdict in new.items() if old.get(path) != verdict}
    changed.update((path, None) for path in old.keys() - new.keys())
    return changed
