"""Check of tags: one that stands once and looks like another is most likely a slip of the finger."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from cuedeck.app.doctor.view import View
from cuedeck.model.node import Diagnostic
from cuedeck.model.shown import counted

_SHORTEST = 4
"""Characters below which one letter makes another word: `api`, `app`."""
_LIKENESS = 0.85
_NUMBER = re.compile(r"[0-9]+")


def check_tags(view: View) -> Iterator[Diagnostic]:
    """Find tags used once that look like a typo of another tag; capitals do not count."""
    used: dict[str, list[tuple[str, str]]] = {}
    for file in (*view.cards, *view.docs):
        for tag in dict.fromkeys(file.tags):
            used.setdefault(tag.casefold(), []).append((file.path, tag))
    for name in sorted(used):
        if len(used[name]) > 1 or len(name) < _SHORTEST:
            continue
        others = sorted(other for other in used if _may_be_meant(name, other, used))
        near = difflib.get_close_matches(name, others, 1, _LIKENESS)
        if near:
            path, tag = used[name][0]
            times = len(used[near[0]])
            message = f"the tag `{tag}` stands here alone"
            hint = f"did you mean `{used[near[0]][0][1]}`, used {counted(times, 'time')}?"
            yield Diagnostic(path, view.line_of(path, "tags"), "info", "lone-tag", message, hint)


def _may_be_meant(name: str, other: str, used: dict[str, list[tuple[str, str]]]) -> bool:
    """Compare a tag with the others; of two that both stand once only the later one is suspected."""
    if other == name or (len(used[other]) == 1 and used[other] > used[name]):
        return False
    # `v1` and `v2` are two versions, not one misspelt.
    return _NUMBER.sub("0", name) != _NUMBER.sub("0", other)
