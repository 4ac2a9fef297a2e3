"""Marks: short unique names of record ids, used as the sources of facts.

The mark of a UUID is its shortest unique prefix, at least eight characters. The mark of any other id is `=` and the id,
or `~` and a hash if it is long or contains a blank, a bracket or a plus.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

SHORTEST = 8
MARK = r"(?:[0-9a-f]{8}[0-9a-f-]*|=[^\s\[\]+]{1,40}|~[0-9a-f]{12})"
_UUID = re.compile(r"[0-9a-f]{8}[0-9a-f-]*")
_PLAIN = re.compile(r"[^\s\[\]+]{1,40}")


class Marks:
    """Computes marks that are unique among the known ids."""

    def __init__(self, known: Iterable[str]) -> None:
        self._by_start: dict[str, list[str]] = {}
        for identity in known:
            near = self._by_start.setdefault(identity[:SHORTEST], [])
            if identity not in near:
                near.append(identity)

    def of(self, identity: str) -> str:
        """Return the mark of an id."""
        if not _UUID.fullmatch(identity):
            return f"={identity}" if _PLAIN.fullmatch(identity) else f"~{_hash(identity)}"
        rivals = [each for each in self._by_start.get(identity[:SHORTEST], ()) if each != identity]
        length = max((_shared(identity, each) + 1 for each in rivals), default=SHORTEST)
        if length > len(identity):
            return f"={identity}"
        return identity[: max(length, SHORTEST)]


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
        self._whole: set[str] = set()
        self._by_start: dict[str, list[str]] = {}
        for each in ids:
            self._whole.update((f"={each}", f"~{_hash(each)}"))
            self._by_start.setdefault(each[:SHORTEST], []).append(each)

    def __contains__(self, mark: str) -> bool:
        if mark[:1] in ("=", "~"):
            return mark in self._whole
        return any(each.startswith(mark) for each in self._by_start.get(mark[:SHORTEST], ()))


def _shared(one: str, other: str) -> int:
    """Return the length of the common prefix of two ids."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (mine, its) in enumerate(pairs) if mine != its), min(len(one), len(other)))


def _hash(identity: str) -> str:
    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:12]
