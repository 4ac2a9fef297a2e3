"""Marks: short unique names of record ids, used as the sources of facts.

The mark of a UUID is its shortest unique prefix, at least eight characters. The mark of
any other id is `=` and the id, or `~` and a hash if it is long or contains a blank, a
bracket or a plus.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from posixpath import commonprefix

SHORTEST = 8
MARK = r"(?:[0-9a-f]{8}[0-9a-f-]*|=[^\s\[\]+]{1,40}|~[0-9a-f]{12})"
_UUID = re.compile(r"[0-9a-f]{8}[0-9a-f-]*")
_PLAIN = re.compile(r"[^\s\[\]+]{1,40}")


class Marks:
    """Computes marks that are unique among the known ids."""

    def __init__(self, known: Iterable[str]) -> None:
        self._by_prefix: dict[str, list[str]] = {}
        for identity in known:
            rivals = self._by_prefix.setdefault(identity[:SHORTEST], [])
            if identity not in rivals:
                rivals.append(identity)

    def of(self, identity: str) -> str:
        """Return the mark of an id."""
        if not _UUID.fullmatch(identity):
            return (
                f"={identity}" if _PLAIN.fullmatch(identity) else f"~{_hash(identity)}"
            )
        length = SHORTEST
        for rival in self._by_prefix.get(identity[:SHORTEST], ()):
            if rival != identity:
                length = max(length, len(commonprefix((identity, rival))) + 1)
        is_prefix_of_rival = length > len(identity)
        if is_prefix_of_rival:
            return f"={identity}"
        return identity[:length]


def names(mark: str, identity: str) -> bool:
    """Return whether a mark matches an id; a prefix shared by two ids matches both."""
    if mark.startswith("="):
        return mark[1:] == identity
    if mark.startswith("~"):
        return mark[1:] == _hash(identity)
    return identity.startswith(mark)


class Named:
    """Set of ids that can be tested for marks."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._complete_marks: set[str] = set()
        self._by_prefix: dict[str, list[str]] = {}
        for identity in ids:
            self._complete_marks.add(f"={identity}")
            self._complete_marks.add(f"~{_hash(identity)}")
            self._by_prefix.setdefault(identity[:SHORTEST], []).append(identity)

    def __contains__(self, mark: str) -> bool:
        if mark[:1] in ("=", "~"):
            return mark in self._complete_marks
        candidates = self._by_prefix.get(mark[:SHORTEST], ())
        return any(identity.startswith(mark) for identity in candidates)


def _hash(identity: str) -> str:
    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:12]
