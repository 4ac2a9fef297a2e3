"""Freshness of the code cited by decisions and attempts: unchanged, changed or gone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cuedeck.graph.resolve_ref import resolve_citation
from cuedeck.model.ports import Lookup, Texts
from cuedeck.model.scene_values import Unresolved

FRESH = "fresh"
GONE = "cited code is gone"
CHANGED_SINCE = "cited code changed since "
CHANGED_IN_TREE = "cited code changed in the working tree"
UNCONFIRMED = "not confirmed yet"
"""The address exists, but no hash was recorded for it."""
NOWHERE = "names nothing"
"""The address does not exist, and no hash was recorded for it."""

_MARKS = ((GONE, "gone"), (CHANGED_SINCE, "changed"), (CHANGED_IN_TREE, "changed"), (NOWHERE, "missing"),
          (UNCONFIRMED, "unconfirmed"), (FRESH, "fresh"))  # fmt: skip
"""Label for each state, matched by prefix; worst state first."""


class Freshness(NamedTuple):
    """The state of one cited address."""

    address: str
    state: str

    @property
    def is_stale(self) -> bool:
        """True if the cited code has changed or is gone."""
        return self.state.startswith((GONE, CHANGED_SINCE, CHANGED_IN_TREE))


def judge(
    addresses: Sequence[str],
    proof: Mapping[str, str],
    commit: str,
    head: str,
    current: Callable[[str], str],
) -> tuple[Freshness, ...]:
    """Compare the recorded hash of each address with its current hash.

    `commit` is HEAD when the hashes were recorded, `head` is HEAD now; both are empty
    without a repository. `current` returns the hash of an address, as `hash_of` does.
    """
    judged: list[Freshness] = []
    for address in addresses:
        state = _state(proof.get(address, ""), current(address), commit, head)
        judged.append(Freshness(address, state))
    return tuple(judged)


def _state(recorded: str, current: str, commit: str, head: str) -> str:
    if not recorded:
        return UNCONFIRMED if current else NOWHERE
    if not current:
        return GONE
    if current == recorded:
        return FRESH
    moved = commit and head and commit != head
    if moved:
        return f"{CHANGED_SINCE}{commit[:7]}"
    return CHANGED_IN_TREE


def hash_of(address: str, lookup: Lookup, texts: Texts) -> str:
    """Return the sha256 (hex) of the content at a canonical address; empty if it is
    missing or ambiguous.

    The hash covers the bytes of a whole file, the text of a section, symbol or line
    range, or the paths in a folder. A file of the same name in another folder does not
    count as the cited file.
    """
    found = resolve_citation(address, lookup)
    if isinstance(found, Unresolved):
        return ""
    if address != found.path and not address.startswith(f"{found.path}#"):
        return ""
    if found.kind == "folder":
        paths = lookup.folder(found.path.rstrip("/"))
        return _sha256("".join(f"{path}\n" for path in paths))
    if found.whole:
        return lookup.hash(found.path)
    lines = texts.text(found.path).split("\n")
    return _sha256("\n".join(lines[found.start - 1 : found.end]))


def mark(found: Sequence[Freshness]) -> str:
    """Return the label of the worst of several states; empty if nothing is cited."""
    states = [each.state for each in found]
    for prefix, label in _MARKS:
        if any(state.startswith(prefix) for state in states):
            return label
    return ""


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
