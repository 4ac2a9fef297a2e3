"""Marks: the short names by which facts tell whose they are.

A uuid goes by its beginning: eight characters, or as many as tell it from every other id that is known. Any other id
goes by `=` and itself, or by `~` and a hash where it is long or has a blank, a bracket or a plus in it.
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
    """Finds the mark of an id among all ids that are known."""

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
    """Tell whether a mark stands for an id. A beginning that two ids have stands for both."""
    if mark.startswith("="):
        return mark[1:] == identity
    if mark.startswith("~"):
        return mark[1:] == _hash(identity)
    return identity.startswith(mark)


class Named:
    """Ids to which marks are held, many at once."""

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
    """Return how many characters two ids begin with in common."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (mine, its) in enumerate(pairs) if mine != its), min(len(one), len(other)))


def _hash(identity: str) -> str:
    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:12]
