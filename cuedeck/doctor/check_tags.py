"""Check for misspelt tags: a tag that is used once and is similar to another tag."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cuedeck.doctor.check_context import CheckContext
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.file import File
from cuedeck.model.formatting import counted

_SHORTEST = 4
"""Minimum length of a checked tag: in shorter ones a single letter makes another word
(`api`, `app`).
"""
_SIMILARITY = 0.85
"""Minimum `difflib` similarity ratio: the share of the letters of two names that match
in the same order.
"""
_NUMBER = re.compile(r"[0-9]+")


class _TagUse(NamedTuple):
    """One file that uses a tag."""

    path: str
    tag: str
    """The tag as the file spells it."""


def check_tags(context: CheckContext) -> Iterator[Diagnostic]:
    """Find tags used once that look like a typo of another tag, ignoring case."""
    uses = _read_uses((*context.cards, *context.docs))
    near = _names_by_variant(uses)
    for name in sorted(uses):
        if len(uses[name]) > 1 or len(name) < _SHORTEST:
            continue
        others = {other for each in _variants(name) for other in near[each]}
        others.discard(name)
        meant = [each for each in sorted(others) if _may_be_meant(name, each, uses)]
        matches = difflib.get_close_matches(name, meant, 1, _SIMILARITY)
        if not matches:
            continue
        path, tag = uses[name][0]
        found = uses[matches[0]]
        hint = f"did you mean `{found[0].tag}`, used {counted(len(found), 'time')}?"
        line = context.line_of(path, "tags")
        yield Diagnostic(
            path, line, "info", "lone-tag", f"the tag `{tag}` is used only here", hint
        )


def _names_by_variant(names: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        for variant in _variants(name):
            found.setdefault(variant, []).append(name)
    return found


def _variants(name: str) -> set[str]:
    """Return a name, and the name without each of its letters: two names with a common
    variant differ in one letter, added, missing, moved or replaced.
    """
    without = {name[:at] + name[at + 1 :] for at in range(len(name))}
    return {name, *without}


def _read_uses(files: Iterable[File]) -> dict[str, list[_TagUse]]:
    """Return the uses of each tag, by the tag in lower case."""
    uses: dict[str, list[_TagUse]] = {}
    for file in files:
        for tag in dict.fromkeys(file.tags):
            uses.setdefault(tag.casefold(), []).append(_TagUse(file.path, tag))
    return uses


def _may_be_meant(name: str, other: str, uses: Mapping[str, list[_TagUse]]) -> bool:
    """Return whether a tag used once may be a typo of another tag.

    Tags that differ only in numbers (`v1`, `v2`) are not typos; of two tags used once,
    the later one is suspect.
    """
    if _NUMBER.sub("0", name) == _NUMBER.sub("0", other):
        return False
    if len(uses[other]) > 1:
        return True
    return uses[other] < uses[name]
