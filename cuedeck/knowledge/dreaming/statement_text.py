"""Statements of recalled texts: the part that can be promoted, and its terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cuedeck.text.similarity import EXACT, STOP, read_terms
from cuedeck.text.tokenize_text import Kind

MAX_CHARS = 600
"""Maximum number of characters of a promoted passage."""
_MIN_TERMS = 3
"""Terms that a statement needs; titles such as "Session notes" have fewer."""
_MIN_CLAIM_TERMS = 2
"""Terms that suffice in a sentence with a verb, or in a record that states a claim."""
_HEADING = re.compile(r"\s{0,3}#{1,6}(?:\s|$)")
_UNDERLINE = re.compile(r"\s{0,3}(?:=+|-+)\s*")
_RULE = re.compile(r"\s{0,3}(?:(?:[-*_]\s*){3,}|`{3,}.*|~{3,}.*)")
_LABEL = re.compile(r"\W*[^.!?。！？:]{1,60}:\W*")
_BOLD = re.compile(r"\s*(?:\*\*[^*]+\*\*|__[^_]+__)\s*:?\s*")
_MARK = re.compile(r"^\s*(?:>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,3}[.)]\s+)+")
_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    "sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|enero|febrero|marzo|"
    "abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"
)
_DATE = re.compile(
    rf"""
    \b\d{{4}}-\d{{2}}(?:-\d{{2}})?(?:[T ]\d{{2}}:\d{{2}}\S*)?
    |\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b
    |\b(?:\d{{1,2}}(?:st|nd|rd|th)?\.?\s+(?:de\s+|of\s+)?)(?:{_MONTHS})\b(?:,?\s+(?:de\s+)?\d{{4}})?
    |\b(?:{_MONTHS})\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?\b
    |\b\d{{1,2}}:\d{{2}}(?::\d{{2}})?\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。！？](?=\s|$)")
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
    terms: Mapping[str, str]
    """Spelling of each term of the text by its stem; no stop words, no dates."""
    size: int
    """Number of terms, where two characters of a script without spaces are one."""
    fault: str
    """Reason why the text is not a fact; empty if it is one."""


def read_statement(text: str, *, is_claim: bool = False) -> Statement:
    """Return the statement of a text. `is_claim` marks a text that is known to state a
    fact, so that two terms suffice.
    """
    lines = "\n".join(_statement_lines(text.split("\n")))
    joined = " ".join(lines.split())
    terms, size = _read_content(_DATE.sub(" ", joined))
    fault = ""
    if joined.endswith(("?", "？")):
        fault = "a question"
    elif size < _min_terms(joined, is_claim):
        fault = "no statement"
    return Statement(joined, lines, terms, size, fault)


def shorten(text: str, limit: int = MAX_CHARS) -> str:
    """Return a text of at most `limit` characters, cut after a sentence if possible."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    end = 0
    for found in _SENTENCE_END.finditer(head):
        end = found.end()
    if end >= limit // 3:
        return head[:end]
    return head.rsplit(" ", 1)[0].rstrip() + "…"


def _min_terms(text: str, is_claim: bool) -> int:
    return _MIN_CLAIM_TERMS if is_claim or _VERB.search(text) else _MIN_TERMS


def _statement_lines(lines: list[str]) -> Iterator[str]:
    """Yield the lines without headings, rules, fences, labels and list marks."""
    for number, line in enumerate(lines):
        if not line.strip() or _is_layout(line):
            continue
        following = "".join(lines[number + 1 : number + 2])
        if following.strip() and _UNDERLINE.fullmatch(following):
            continue
        content = _MARK.sub("", line).strip()
        if content and not _is_layout(content) and not _LABEL.fullmatch(content):
            yield content


def _is_layout(line: str) -> bool:
    if _HEADING.match(line) or _RULE.fullmatch(line):
        return True
    return bool(_UNDERLINE.fullmatch(line) or _BOLD.fullmatch(line))


def _read_content(text: str) -> tuple[dict[str, str], int]:
    """Return the terms of a text without stop words, and their number."""
    terms: dict[str, str] = {}
    exact: set[str] = set()
    characters = 0
    for form, token in read_terms(text):
        if token.kind is Kind.CHARACTER:
            characters += 1
        elif form.startswith(EXACT):
            exact.add(form)
            if _is_name(form):
                terms.setdefault(form, token.text.removeprefix(EXACT))
        elif not form.startswith(STOP):
            terms.setdefault(form, token.text)
    words = sum(not form.startswith(EXACT) for form in terms)
    return terms, words + len(exact) + characters // 2


def _is_name(form: str) -> bool:
    """Return whether an exact form is a name in code and not a number or operator."""
    letters = sum(character.isalpha() for character in form)
    return letters >= 3 and form != "=not"
