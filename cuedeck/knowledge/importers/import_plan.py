"""Rows of an import: what happens to each file or line of the source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, get_args

from cuedeck.model.cortex_address import CortexAddress, CortexAddressError
from cuedeck.model.formatting import replace_surrogates

ForeignKind = Literal["cortex", "clawcode", "cursorclaw"]
Action = Literal["new", "same", "merged", "refused", "left out"]

KINDS: tuple[ForeignKind, ...] = get_args(ForeignKind)
ACTIONS: tuple[Action, ...] = get_args(Action)
RESOURCE = CortexAddress(("resources",)).child("imported")
"""Folder for files that have no place of their own in the tree."""
_MAX_ENDING = 12
"""Characters of the longest suffix that a mapped name keeps."""


class ImportRow(NamedTuple):
    """The outcome of a file, or of a line of it."""

    source: str
    """Path in the source folder, for a line with `#L7`."""
    target: str
    """Address or workspace-relative path; empty if nothing is written."""
    action: Action
    """`refused` for invalid or different content, `left out` for files without data."""
    reason: str = ""


class MappedAddress(NamedTuple):
    """The address of a foreign path."""

    address: CortexAddress
    reason: str
    """Explanation if a name was changed; else empty."""


def row(
    source: str, target: str, action: Action, reason: str = "", line: int = 0
) -> ImportRow:
    """Return a row; bytes in the path that are not UTF-8 are replaced."""
    shown = replace_surrogates(source)
    if line:
        shown += f"#L{line}"
    return ImportRow(shown, target, action, reason)


def answer_rows(rows: Iterable[ImportRow]) -> dict[str, Any]:
    """Return rows, sorted by file, and their numbers by action as JSON."""
    listed = [each._asdict() for each in sorted(rows, key=_file)]
    counts = dict.fromkeys(ACTIONS, 0)
    for each in listed:
        counts[each["action"]] += 1
    return {"rows": listed, "counts": counts}


def mapped_address(folder: CortexAddress, path: str) -> MappedAddress:
    """Return the address of a path below a folder. A name that no address can have is
    replaced by its hash.
    """
    address = folder
    reasons = []
    for name in path.split("/"):
        try:
            below = address.child(name)
        except CortexAddressError as error:
            below = address.child(_hashed(name))
            reasons.append(error.message)
        else:
            if below.name != name:
                reasons.append("a name is written in Unicode form NFC")
        address = below
    return MappedAddress(address, "; ".join(dict.fromkeys(reasons)))


def _file(each: ImportRow) -> str:
    return each.source.partition("#L")[0]


def _hashed(name: str) -> str:
    from hashlib import sha256

    digest = sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    stem, dot, ending = name.rpartition(".")
    is_ending = ending.isascii() and ending.isalnum() and len(ending) <= _MAX_ENDING
    if stem and dot and is_ending:
        return f"{digest}.{ending}"
    return digest
