"""Files of the workspace by their names, kinds and states."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuedeck.store.index import Index

_LONGEST_NAME = 4_096
"""Characters of a name that is looked for; SQLite refuses a pattern of more than 50,000 bytes."""
_SPECIAL = re.compile(r"([%_\\])")


def active_cards(index: Index) -> Sequence[str]:
    """Return the sorted paths of the cards whose status is `active`."""
    return [row[0] for row in index.ask("SELECT path FROM nodes WHERE status = 'active' ORDER BY path")]


def paths_of_kind(index: Index, kind: str) -> Sequence[str]:
    """Return the paths of all files of a kind, sorted."""
    return [row[0] for row in index.ask("SELECT path FROM nodes WHERE kind = ? ORDER BY path", (kind,))]


def paths_named_like(index: Index, piece: str, most: int) -> Sequence[str]:
    """Return up to `most` paths with a stem, file name, title or alias that holds `piece`, a folded name, sorted."""
    if not piece or len(piece) > _LONGEST_NAME:
        return ()
    like = "%" + _SPECIAL.sub(r"\\\1", piece) + "%"
    query = "SELECT DISTINCT path FROM names WHERE key LIKE ? ESCAPE '\\' ORDER BY path LIMIT ?"
    return [row[0] for row in index.ask(query, (like, most))]
