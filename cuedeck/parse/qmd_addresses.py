"""Match of addresses of qmd, `qmd://collection/path`, with paths of files.

qmd before 2.5.3 prints such addresses only, with other punctuation than on disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_SEPARATORS = re.compile(r"[\W_]+")


def match_addresses(
    addresses: Iterable[str], files: Iterable[str]
) -> Mapping[str, str]:
    """Return, for each address `qmd://collection/path`, the only path of the index that
    ends with its path, by address; empty if there is none or several.
    """
    by_name: dict[str, list[tuple[str, list[str]]]] = {}
    found = {}
    for address in addresses:
        if not by_name:
            for path in files:
                names = _folded(path)
                same = by_name.setdefault(names[-1], [])
                same.append((path, names))
        sought = _names_of(address)
        if not sought:
            found[address] = ""
            continue
        length = len(sought)
        ends = []
        for path, other in by_name.get(sought[-1], []):
            if other[-length:] == sought:
                ends.append(path)
        found[address] = ends[0] if len(ends) == 1 else ""
    return found


def _names_of(address: str) -> list[str]:
    """Return the folded names of an address below the name of the collection."""
    written = address.removeprefix("qmd://")
    path, _, _ = written.partition("?")
    return _folded(path)[1:]


def _folded(path: str) -> list[str]:
    """Return the names of a path without case and punctuation."""
    names = []
    for name in path.casefold().split("/"):
        folded = _SEPARATORS.sub("-", name)
        names.append(folded.strip("-"))
    return [name for name in names if name] or [""]
