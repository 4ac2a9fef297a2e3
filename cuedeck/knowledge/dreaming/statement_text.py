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
"""Terms that suffice in a sentence with a verb, or in a record that states a claim."""
_LAYOUT = re.compile(
    r"\s{0,3}(?:#{1,6}(?:\s.*)?|(?:[-*_=]\s*){3,}|[=-]+|`{3,}.*|~{3,}.*)\s*"
    r"|\s*(?:\*\*[^*]+\*\*|__[^_]+__)\s*:?\s*"
)
"""A heading, a rule, a fence, or a line in bold."""
_UNDERLINE = re.compile(r"\s{0,3}(?:=+|-+)\s*")
_LABEL = re.compile(r"\W*[^.!?。！？:]{1,60}:\W*")
_MARK = re.compile(r"^\s*(?:>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)+")
_DATE = re.compile(
    r"\b\d+(?:[-/.:]\d+)+\S*"
    r"|(?:\b\d+\S*\s+(?:de\s+|of\s+)?)?"
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec|ene|abr|ago|dic)"
    r"(?:[a-z]{2,})?\b(?:,?\s+(?:de\s+)?\d+\S*)+",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|needs?|must|can|should|will|"
    r"es|son|era|fue|está|están|tiene|tienen|debe|hay)\b",
    re.IGNORECASE,
)


class Statement(NamedTuple):
    """Part of a text that states something."""

    text: str
    """Text on one line, without headings, labels and list marks."""
    lines: str
    """The same text with its line ends: joining them may hide the format of a secret.
    """
    size: int
    """Number of terms without stop words and dates, where two characters of a script
    without spaces are one.
    """
    fault: str
    """Reason why the text is not a fact; empty if it is one."""


def read_statement(text: str, *, is_claim: bool = False) -> Statement:
    """Return the statement of a text. `is_claim` marks a text that is known to state a
    fact, so that two terms suffice.
    """
    lines = "\n".join(_statement_lines(text.split("\n")))
    joined = " ".join(lines.split())
    size = _count_terms(_DATE.sub(" ", joined))
    least = _MIN_TERMS
    if is_claim or _VERB.search(joined):
        least = _MIN_CLAIM_TERMS
    fault = ""
    if joined.endswith(("?", "？")):
        fault = "a question"
    elif size < least:
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


def _statement_lines(lines: list[str]) -> Iterator[str]:
    """Yield the lines without headings, rules, fences, labels and list marks."""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if following.strip() and _UNDERLINE.fullmatch(following):
            continue
        content = _MARK.sub("", line).strip()
        if not content or _LAYOUT.fullmatch(line) or _LAYOUT.fullmatch(content):
            continue
        if not _LABEL.fullmatch(content):
            yield content


def _count_terms(text: str) -> int:
    """Return the number of different terms of a text without stop words."""
    terms = {stems[-1] for stems in read_words(text)} - stop_stems()
    # In scripts without spaces, two characters and their pair count as one term.
    characters = [term for term in terms if len(term) <= 2 and not term.isascii()]
    return len(terms) - len(characters) + len(characters) // 4
