"""Working set of a session: content hashes of its files, and the changes since they were recorded."""

from __future__ import annotations

import hashlib
import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from cuedeck.model.session import Role, Session, WorkingFile

Sums = Callable[[str], Sequence[int] | None]
"""Returns the checksum of each line of a content, given its hash; None if unknown."""

_ALIKE = 0.5
"""Minimum share of lines that a renamed file must have kept to be recognised."""


class Change(NamedTuple):
    """A change of a file."""

    path: str
    change: str
    """`+3 -1 lines`, `changed`, `deleted`, `renamed to …`, `back again`."""


def touched(known: WorkingFile | None, hash_: str, role: Role, timestamp: str) -> WorkingFile:
    """Return the entry of a file after a read or write; reading an unchanged file keeps the time of its last write."""
    if known is not None and known.role != "read" and role == "read" and known.hash == hash_:
        timestamp = known.timestamp
    if known is not None and known.role != role:
        role = "both"
    return WorkingFile(hash_, role, timestamp)


def checksum(working: Mapping[str, str], receipt: str) -> str:
    """Return the context checksum: sha256 (hex) over path and hash of each file, sorted, and the receipt."""
    rows = (f"{path}\0{hash_}\n" for path, hash_ in sorted(working.items()))
    return hashlib.sha256(("".join(rows) + receipt).encode("utf-8", "surrogatepass")).hexdigest()


def known_files(session: Session) -> dict[str, str]:
    """Return the hash of each file known to the session: its working set, then the files shown in the scene."""
    return {path: each.hash for path, each in session.working_set.items()} | {
        path: hash_ for path, hash_ in session.shown.items() if path not in session.working_set
    }


def compare(known: Mapping[str, str], now: Mapping[str, str], elsewhere: Mapping[str, str], sums: Sums) -> list[Change]:
    """Return the changes of known files, by path.

    `now` maps each known file to its hash, empty if deleted; `elsewhere` maps every other file to its hash.
    """
    found: list[Change] = []
    homes: dict[str, str] = {}
    for path, hash_ in sorted(elsewhere.items(), reverse=True):
        homes[hash_] = path
    for path in sorted(known):
        before, after = known[path], now.get(path, "")
        if before == after:
            continue
        if not after:
            moved = homes.get(before) or _alike(path, before, elsewhere, sums)
            found.append(Change(path, f"renamed to {moved}" if moved else "deleted"))
        elif not before:
            found.append(Change(path, "back again"))
        else:
            found.append(Change(path, _lines(sums(before), sums(after))))
    return found


def _lines(before: Sequence[int] | None, after: Sequence[int] | None) -> str:
    if before is None or after is None:
        return "changed"
    old, new = Counter(before), Counter(after)
    return f"+{(new - old).total()} -{(old - new).total()} lines"


def _alike(path: str, hash_: str, elsewhere: Mapping[str, str], sums: Sums) -> str:
    """Return the new path of a file that was moved and edited: the file of its name that kept most lines, or empty."""
    before = sums(hash_)
    if not before:
        return ""
    old, best, most = Counter(before), "", _ALIKE
    for other in _namesakes(path, elsewhere):
        after = sums(elsewhere[other]) or ()
        kept = (old & Counter(after)).total() / max(len(before), len(after), 1)
        if kept > most or (kept == most and not best):
            best, most = other, kept
    return best


def _namesakes(path: str, paths: Iterable[str]) -> list[str]:
    name = posixpath.basename(path)
    return sorted(each for each in paths if posixpath.basename(each) == name)
