"""Known paths that are similar to a path that does not exist."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.model.address import name_key

if TYPE_CHECKING:
    from cuedeck.store.index.database import IndexFile

_MOST_NAMES = 3_000
"""Maximum number of compared names: all names of a small workspace, otherwise names
with the same beginning.
"""

_LEAST = 0.6
"""Minimum `difflib` similarity ratio of two names."""

_NAMED = "SELECT path FROM names WHERE key = ?"


def nearest(path: str, index: IndexFile) -> Sequence[str]:
    """Return up to five known paths that are most similar to `path`, best first."""
    import difflib

    base = posixpath.basename(path)
    # Sources are known by their file names, cards and docs also by their stems: each
    # needs a key of its own kind.
    keys = dict.fromkeys((name_key(posixpath.splitext(base)[0]), name_key(base)))
    known = _keys_like(next(iter(keys)), index)
    similar_keys: set[str] = set()
    for key in keys:
        close = difflib.get_close_matches(key, known, 8, _LEAST)
        similar_keys.update(each for each in close if _is_near(key, each))
    paths: set[str] = set()
    for key in similar_keys:
        paths.update(row[0] for row in index.ask(_NAMED, (key,)))
    likeness = {
        found: difflib.SequenceMatcher(None, path, found).ratio() for found in paths
    }
    ranked = sorted(paths, key=lambda found: (-likeness[found], found))
    return ranked[:5]


def _is_near(key: str, other: str) -> bool:
    """Return whether two names are similar without their suffixes, which many names
    share.
    """
    import difflib

    stem = posixpath.splitext(key)[0]
    other_stem = posixpath.splitext(other)[0]
    return difflib.SequenceMatcher(None, stem, other_stem).ratio() >= _LEAST


def _keys_like(key: str, index: IndexFile) -> list[str]:
    """Return the names to compare."""
    count = index.ask(
        f"SELECT count(*) FROM (SELECT 1 FROM names LIMIT {_MOST_NAMES + 1})"
    )[0][0]
    start = "" if count <= _MOST_NAMES else key[:2]
    query = f"SELECT DISTINCT key FROM names WHERE key >= ? AND key < ? ORDER BY key LIMIT {_MOST_NAMES}"
    return [row[0] for row in index.ask(query, (start, start + "\U0010ffff"))]
