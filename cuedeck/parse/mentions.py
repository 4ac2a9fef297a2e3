"""Mentions in running text: `@doc/api#Login` and `@ref[docs/api.md#Error Handling]`.

`@doc/` refers to a doc and ends at a blank or a closing bracket or quote; a heading of several words needs `@ref[…]` or
its slug.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# The `@` precedes the lookbehinds so that the scan can jump from one `@` to the next.
# The lookbehinds reject a match inside a word or after a slash: mail addresses and URLs contain such text.
_MENTION = re.compile(
    r"@(?<![^\W_]@)(?<![/\\@.:-]@)(?:doc/(?P<doc>[^\s()\[\]{}<>\"'`|,;“”‘’«»、。，；）」』]+)|ref\[(?P<ref>[^\[\]\n]+)\])"
)
# Punctuation that ends a sentence or an emphasis is not part of the mention.
_TRAILING = ".,;:!?*_~#…"


class Mention(NamedTuple):
    """One mention in a text."""

    offset: int
    """The offset of the `@`, in characters."""
    target: str
    """`api#Login` for `@doc/api#Login`; the text in the brackets for `@ref[…]`."""


def has_mentions(text: str) -> bool:
    """Return whether `text` may contain a mention: a cheap test before the full scan."""
    return "@doc/" in text or "@ref[" in text


def find_mentions(text: str) -> Iterator[Mention]:
    """Yield the mentions of `text` in order. The caller must exclude code and comments."""
    for match in _MENTION.finditer(text):
        target = _target(match)
        if target:
            yield Mention(match.start(), target)


def mention_target(text: str) -> str:
    """Return the target if the whole text is one mention, else an empty string.

    Blanks are allowed here, because the end is known: `@doc/api#Error Handling`.
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
