"""Tokens of known vendors that a line end divides: terminals wrap long lines.

The parts are joined in a copy, and the rule of the vendor decides. Only a part with the
prefix of a vendor is joined with the next one, because any two words could be a token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cuedeck.parse.secrets.normalized_text import Edit, NormalizedText, copy_with_edits

_MOST_LINES = 40
_WRAPPED_LINE = 70
"""Characters of a line that was probably wrapped because it was full."""
_LEAST_REST = 8
_PART = re.compile(r"[\w./+=~%-]{4,400}")
_NEXT = re.compile(
    r"""
    (?P<gap>[ \t]?(?:\r?\n|\\r\\n|\\n)[ \t>]{0,8})
    (?P<part>[\w.+/=-][\w./+=~%-]{0,399})
    """,
    re.VERBOSE,
)
"""A line end, also an escaped one, and the first word of the next line."""
_MOST_BEFORE = 40
_WORD_END = re.compile(r"\S{1,40}\Z")
_RANDOM = re.compile(
    r"""
    (?=\D*\d)
    (?:
        (?=(?:\D*\d){2})(?=.*[A-Za-z])
        | (?=.*[a-z])(?=.*[A-Z])
    )
    """,
    re.VERBOSE,
)
"""A digit with letters of both cases, or two digits with letters."""


def broken_tokens(text: str, prefixes: Sequence[str]) -> Iterator[NormalizedText]:
    """Yield a copy of each token that a line end may divide, with its parts joined."""
    for prefix in prefixes:
        at = text.find(prefix)
        while at >= 0:
            parts = _parts(text, at, prefix)
            end = at + len(prefix)
            if parts:
                # Each part is read once, so that many prefixes take linear time.
                end = parts[-1].start("part")
                yield copy_with_edits(
                    text,
                    _start_of_word(text, at),
                    parts[-1].end(),
                    [Edit(*part.span("gap"), "") for part in parts],
                )
            at = text.find(prefix, end)


def may_continue(text: str, end: int) -> bool:
    """Return whether a token that is whole at the end of a line may go on in the next
    line: the line is full, and the next word looks random.
    """
    following = _NEXT.match(text, end)
    if following is None:
        return False
    start = text.rfind("\n", 0, end) + 1
    is_full = end - start >= _WRAPPED_LINE
    return is_full and _is_random(following["part"])


def _parts(text: str, at: int, prefix: str) -> list[re.Match[str]]:
    """Return the further parts of the token that begins at a position.

    Only the second part may be a word that does not look random. A part that begins
    with the prefix is another token, except after the dot of a JWT.
    """
    found: list[re.Match[str]] = []
    before = _PART.match(text, at)
    while before is not None and len(found) < _MOST_LINES:
        following = _NEXT.match(text, before.end())
        if following is None:
            break
        part = following["part"]
        is_jwt = before[0].endswith(".")
        if part.startswith(prefix) and not is_jwt:
            break
        if _is_random(part):
            found.append(following)
            before = following
            continue
        if not found:
            found.append(following)
        break
    return found


def _start_of_word(text: str, at: int) -> int:
    low = max(at - _MOST_BEFORE, 0)
    before = _WORD_END.search(text, low, at)
    if before is None:
        return at
    return before.start()


def _is_random(part: str) -> bool:
    if len(part) < _LEAST_REST:
        return False
    return _RANDOM.match(part) is not None
