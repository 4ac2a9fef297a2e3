"""Queries that are searched as written: text in double quotes or with punctuation.

Case, accents and the amount of white space do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from cuedeck.text.fold_text import SPACELESS, fold_text, unmark

_QUOTED = re.compile(r'["“«]([^"“”«»]*[^"“”«»\s][^"“”«»]*)["”»]')
_OUTER = "`'"
_PLAIN = re.compile(r"\w+(?:-\w+)*")
"""One word, or an identifier in any spelling."""
_AROUND = "`'\"()[]{}<>,;:!?."
_NO_TERM = r"\w.*\d|\d.*\w|--?\w|\w[^\w\s'’-]+\w"
"""A word with a digit, an option, or a word with punctuation inside."""
_VERSION = re.compile(r"\d+\.\d")
"""The beginning of a version, which may follow a `v`."""
_JOINED = re.compile(rf"[^\W{SPACELESS}]")
"""A character that belongs to the word before it. Scripts without spaces have none."""


def read_literal(text: str) -> str:
    """Return the part of a query that is searched as written: a text in double quotes,
    or a text with punctuation or in a script without spaces; empty for other words and
    identifiers.
    """
    text = text.strip().strip(_OUTER).strip()
    quoted = _QUOTED.fullmatch(text)
    if quoted:
        return quoted[1].strip()
    words = unmark(text).split()
    is_plain = all(_PLAIN.fullmatch(word) for word in words)
    if is_plain and not has_spaceless(text):
        return ""
    return text


def literal_words(text: str) -> list[str]:
    """Return the words of a query of several words that index terms do not represent,
    such as `x86_64`, `8.1` and `--dry-run`, without surrounding punctuation.
    """
    words = [word.strip(_AROUND) for word in text.split()]
    if len(words) < 2 or _QUOTED.fullmatch(text.strip()):
        return []
    return [word for word in dict.fromkeys(words) if re.search(_NO_TERM, word)]


def has_spaceless(text: str) -> bool:
    """Return whether a text has letters of a script without spaces between words."""
    return not text.isascii() and re.search(f"[{SPACELESS}]", text) is not None


@lru_cache(100)
def literal_pattern(literal: str) -> re.Pattern[str]:
    """Return the pattern of a text in a folded text: whole words, any white space
    between them.
    """
    folded = fold_text(literal)
    pattern = r"\s+".join(map(re.escape, folded.split()))
    before = r"(?<!\w)" if _JOINED.match(folded) else ""
    if _VERSION.match(folded):
        before = r"(?:(?<!\w)|(?<=\bv))"
    after = r"(?!\w)" if _JOINED.match(folded[-1:]) else ""
    return re.compile(before + pattern + after)


def find_literal(text: str, literals: Sequence[str]) -> list[int]:
    """Return the numbers of the lines that contain each of these literals; one literal
    may continue on the following line.
    """
    folded = fold_text(text)
    first, *others = map(literal_pattern, literals)
    rows = folded.split("\n") if others else []
    lines: list[int] = []
    line, counted = 1, 0
    for match in first.finditer(folded):
        line += folded.count("\n", counted, match.start())
        counted = match.start()
        is_new = not lines or lines[-1] != line
        if is_new and all(other.search(rows[line - 1]) for other in others):
            lines.append(line)
    return lines
