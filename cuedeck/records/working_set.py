"""What a session knows of its files, and what became of them since."""

from __future__ import annotations

import hashlib
import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from cuedeck.model.session import Role, Session, WorkingFile

Sums = Callable[[str], Sequence[int] | None]
"""Returns the sum of each line of a content, by its hash; None when it is not known any more."""

_ALIKE = 0.5
"""Share of its lines that a file must have kept under another name to be the same file."""


class Change(NamedTuple):
    """What became of a file."""

    path: str
    change: str
    """`+3 -1 lines`, `changed`, `deleted`, `renamed to …`, `back again`."""


def touched(known: WorkingFile | None, hash_: str, role: Role, timestamp: str) -> WorkingFile:
    """Return what is known of a file once it was read or written; one that was written keeps the time of that."""
    if known is not None and known.role != "read" and role == "read" and known.hash == hash_:
        timestamp = known.timestamp
    if known is not None and known.role != role:
        role = "both"
    return WorkingFile(hash_, role, timestamp)


def checksum(working: Mapping[str, str], receipt: str) -> str:
    """Return the context checksum: sha256 (hex) over path and hash of each file, sorted, and over the receipt."""
    rows = (f"{path}\0{hash_}\n" for path, hash_ in sorted(working.items()))
    return hashlib.sha256(("".join(rows) + receipt).encode("utf-8", "surrogatepass")).hexdigest()


def known_files(session: Session) -> dict[str, str]:
    """Return the hash of each file the session knows: its working set, then what the scene showed."""
    return {path: each.hash for path, each in session.working_set.items()} | {
        path: hash_ for path, hash_ in session.shown.items() if path not in session.working_set
    }


def compare(known: Mapping[str, str], now: Mapping[str, str], elsewhere: Mapping[str, str], sums: Sums) -> list[Change]:
    """Return what became of the files that changed, by path.

    `now` has the hash of each known file, empty when it is gone; `elsewhere` that of every file not among them.
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
    """Return where a file went that was changed as well: the file of its name that kept most of its lines."""
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
