"""Tokens of known vendors that a line end divides: terminals wrap long lines.

The parts are joined in a copy, and the rule of the vendor decides. Only a part with the
prefix of a vendor is joined with the next one, because any two words could be a token.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cuedeck.parse.secrets.normalized_text import Edit, NormalizedText, joined_copy

_MOST_LINES = 40
_WRAPPED_LINE = 70
"""Characters of a line that was probably wrapped because it was full."""
_LEAST_REST = 8
_PART = re.compile(r"[\w./+=~%-]{4,400}")
_GAP = re.compile(r"[ \t]?(?:\r?\n|\\r\\n|\\n)[ \t>]{0,8}(?=[\w.+/=-])")
_REST = re.compile(r"[\w./+=~%-]{1,400}")
_MOST_BEFORE = 40
_WORD_END = re.compile(r"\S{1,40}\Z")
_RANDOM = re.compile(
    r"(?=\D*\d)(?:(?=(?:\D*\d){2})(?=.*[A-Za-z])|(?=.*[a-z])(?=.*[A-Z]))"
)
"""A digit with letters of both cases, or two digits with letters."""


def broken_tokens(text: str, prefixes: Sequence[str]) -> Iterator[NormalizedText]:
    """Yield a copy of the lines around each token that may be divided, joined.

    A part that is already a token is joined only if its line is full and the next part
    looks random: the word after a whole token does not belong to it.
    """
    for prefix in prefixes:
        at = text.find(prefix)
        while at >= 0:
            first = _PART.match(text, at)
            end = first.end() if first else at + len(prefix)
            edits = list(_joints(text, end, prefix)) if first else []
            if edits:
                yield joined_copy(text, _word(text, at), _end(text, edits[-1]), edits)
                # Each part is read once, so that many prefixes take linear time.
                end = edits[-1].end
            at = text.find(prefix, end)


def _joints(text: str, end: int, prefix: str) -> Iterator[Edit]:
    """Yield the line ends between the parts of a token whose first part ends here. A
    part that begins with the prefix is another token, except after the dot of a JWT.
    """
    for line in range(_MOST_LINES):
        gap = _GAP.match(text, end)
        rest = _REST.match(text, gap.end()) if gap else None
        if gap is None or rest is None:
            return
        if rest[0].startswith(prefix) and text[end - 1] != ".":
            return
        is_random = _is_random(rest[0])
        if line and not is_random:
            return  # a word after the token
        yield Edit(gap.start(), gap.end(), "")
        if not is_random:
            return
        end = rest.end()


def _word(text: str, at: int) -> int:
    """Return the start of the word around a position, within a limit."""
    before = _WORD_END.search(text, max(at - _MOST_BEFORE, 0), at)
    return before.start() if before else at


def _end(text: str, last: Edit) -> int:
    rest = _REST.match(text, last.end)
    return rest.end() if rest else last.end


def _is_random(part: str) -> bool:
    return len(part) >= _LEAST_REST and _RANDOM.match(part) is not None


def may_continue(text: str, end: int) -> bool:
    """Return whether a token that ends at the end of a line may go on in the next one:
    the line is full, and the next word looks random.
    """
    gap = _GAP.match(text, end)
    if gap is None:
        return False
    start = text.rfind("\n", 0, end) + 1
    rest = _REST.match(text, gap.end())
    is_full = end - start >= _WRAPPED_LINE
    return is_full and rest is not None and _is_random(rest[0])
