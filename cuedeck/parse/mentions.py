"""Mentions in running text: `@doc/api#Login` and `@ref[docs/api.md#Error Handling]`.

`@doc/` names a doc and runs to a blank or a closing mark; a heading of several words needs `@ref[…]` or its
slug.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# The `@` comes before the look behind it, so that the scan jumps from one to the next.
# Neither inside a word nor after a slash: mail addresses and URLs hold such text too.
_MENTION = re.compile(
    r"@(?<![^\W_]@)(?<![/\\@.:-]@)(?:doc/(?P<doc>[^\s()\[\]{}<>\"'`|,;“”‘’«»、。，；）」』]+)|ref\[(?P<ref>[^\[\]\n]+)\])"
)
# What ends a sentence or an emphasis belongs to the text around the mention.
_TRAILING = ".,;:!?*_~#…"


class Mention(NamedTuple):
    """One mention in a text."""

    offset: int
    """Characters before the `@`."""
    target: str
    """`api#Login` for `@doc/api#Login`; what stands in the brackets for `@ref[…]`."""


def has_mentions(text: str) -> bool:
    """Tell quickly whether a scan of `text` can find anything."""
    return "@doc/" in text or "@ref[" in text


def find_mentions(text: str) -> Iterator[Mention]:
    """Yield the mentions of `text` in order; code and comments are the caller's to leave out."""
    for match in _MENTION.finditer(text):
        target = _target(match)
        if target:
            yield Mention(match.start(), target)


def mention_target(text: str) -> str:
    """Return the target of a text that is one mention as a whole; empty when it is none.

    Blanks may stand in it, because its end is known: `@doc/api#Error Handling`.
    """
    if text.startswith("@doc/"):
        return text[5:].strip().rstrip("#")
    match = _MENTION.fullmatch(text)
    return _target(match) if match else ""


def _target(match: re.Match[str]) -> str:
    doc: str | None = match["doc"]
    if doc is not None:
        return doc.rstrip(_TRAILING)
    return match["ref"].strip()
