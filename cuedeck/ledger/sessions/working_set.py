"""Working set of a session: content hashes of its files, and the changes since they
were recorded.
"""

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


def touched(
    known: WorkingFile | None, hash_: str, role: Role, timestamp: str
) -> WorkingFile:
    """Return the entry of a file after a read or write; reading an unchanged file keeps
    the time of its last write.
    """
    if known is None or known.role == role == "read":
        return WorkingFile(hash_, role, timestamp)
    if role == "read" and known.hash == hash_:
        timestamp = known.timestamp
    if known.role != role:
        role = "both"
    return WorkingFile(hash_, role, timestamp)


def checksum(working: Mapping[str, str], receipt: str) -> str:
    """Return the context checksum: sha256 (hex) over path and hash of each file,
    sorted, and the receipt.
    """
    rows = []
    for path, hash_ in sorted(working.items()):
        rows.append(f"{path}\0{hash_}\n")
    data = "".join([*rows, receipt]).encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()


def known_files(session: Session) -> dict[str, str]:
    """Return the hash of each file known to the session: its working set, then the
    files shown in the scene.
    """
    files = {path: file.hash for path, file in session.working_set.items()}
    for path, hash_ in session.shown.items():
        files.setdefault(path, hash_)
    return files


def compare(
    known: Mapping[str, str],
    now: Mapping[str, str],
    elsewhere: Mapping[str, str],
    sums: Sums,
) -> list[Change]:
    """Return the changes of known files, by path.

    `now` maps each known file to its hash, empty if deleted; `elsewhere` maps every
    other file to its hash.
    """
    by_hash: dict[str, str] = {}
    for path, hash_ in sorted(elsewhere.items()):
        by_hash.setdefault(hash_, path)
    changes: list[Change] = []
    for path in sorted(known):
        before = known[path]
        after = now.get(path, "")
        if before == after:
            continue
        if not after:
            moved = by_hash.get(before) or _alike(path, before, elsewhere, sums)
            change = f"renamed to {moved}" if moved else "deleted"
        elif not before:
            change = "back again"
        else:
            change = _changed_lines(sums(before), sums(after))
        changes.append(Change(path, change))
    return changes


def _changed_lines(before: Sequence[int] | None, after: Sequence[int] | None) -> str:
    if before is None or after is None:
        return "changed"
    old, new = Counter(before), Counter(after)
    return f"+{(new - old).total()} -{(old - new).total()} lines"


def _alike(path: str, hash_: str, elsewhere: Mapping[str, str], sums: Sums) -> str:
    """Return the new path of a file that was moved and edited: the file of its name
    that kept most lines, or empty.
    """
    before = sums(hash_)
    if not before:
        return ""
    old = Counter(before)
    best, best_share = "", 0.0
    for other in _namesakes(path, elsewhere):
        after = sums(elsewhere[other]) or ()
        common = (old & Counter(after)).total()
        share = common / max(len(before), len(after))
        if share >= _ALIKE and share > best_share:
            best, best_share = other, share
    return best


def _namesakes(path: str, paths: Iterable[str]) -> list[str]:
    name = posixpath.basename(path)
    return sorted(each for each in paths if posixpath.basename(each) == name)
