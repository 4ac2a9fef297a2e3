"""Statements of recalled texts: the part that can be promoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.text.sentences import split_sentences
from cuedeck.text.words import read_words, stop_stems

MAX_CHARS = 600
"""Maximum number of characters of a promoted passage."""
_MIN_TERMS = 3
"""Terms that a statement needs; titles such as "Session notes" have fewer."""
_MIN_CLAIM_TERMS = 2
"""Terms that suffice in a record that states a claim."""
_LAYOUT = re.compile(
    r"\s{0,3}(?:#{1,6}(?:\s.*)?|(?:[-*_=]\s*){3,}|[=-]+|`{3,}.*|~{3,}.*)\s*"
    r"|\s*(?:\*\*[^*]+\*\*|__[^_]+__)\s*:?\s*|[^.!?。！？:]{1,60}:"
)
"""A heading, a rule, a fence, a line in bold, or a label."""
_MARK = re.compile(r"^\s*(?:>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)+")


class Statement(NamedTuple):
    """Part of a text that states something."""

    text: str
    """Text on one line, without headings, labels and list marks."""
    lines: str
    """The same text with its line ends: joining them may hide the format of a secret.
    """
    size: int
    """Number of terms without stop words and numbers, where two characters of a script
    without spaces are one.
    """
    fault: str
    """Reason why the text is not a fact; empty if it is one."""


def read_statement(text: str, *, is_claim: bool = False) -> Statement:
    """Return the statement of a text. `is_claim` marks a text that is known to state a
    fact, so that two terms suffice.
    """
    lines = "\n".join(_statement_lines(text))
    joined = " ".join(lines.split())
    size = _count_terms(joined)
    fault = ""
    if joined.endswith(("?", "？")):
        fault = "a question"
    elif size < (_MIN_CLAIM_TERMS if is_claim else _MIN_TERMS):
        fault = "no statement"
    return Statement(joined, lines, size, fault)


def shorten(text: str, limit: int = MAX_CHARS) -> str:
    """Return a text of at most `limit` characters, cut after a sentence if possible."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    whole = " ".join(split_sentences(head)[:-1])
    if len(whole) >= limit // 3:
        return whole
    return head.rsplit(" ", 1)[0].rstrip() + "…"


def _statement_lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        content = _MARK.sub("", line).strip()
        is_layout = _LAYOUT.fullmatch(line) or _LAYOUT.fullmatch(content)
        if content and not is_layout:
            yield content


def _count_terms(text: str) -> int:
    words = {stems[-1] for stems in read_words(text)} - stop_stems()
    terms = [word for word in words if not word[0].isdigit()]
    # In scripts without spaces, two characters and their pair count as one term.
    characters = [term for term in terms if len(term) <= 2 and not term.isascii()]
    return len(terms) - len(characters) + len(characters) // 4
