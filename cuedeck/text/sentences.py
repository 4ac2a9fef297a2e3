"""Splitting of prose into sentences, in scripts with and without spaces."""

from __future__ import annotations

import re
from bisect import bisect_right

_ABBREVIATIONS = frozenset(
    [
        "e.g",
        "i.e",
        "cf",
        "vs",
        "etc",
        "al",
        "approx",
        "ca",
        "fig",
        "figs",
        "no",
        "nos",
        "eq",
        "sec",
        "ch",
        "vol",
        "pp",
        "ed",
        "eds",
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "jr",
        "sr",
        "inc",
        "ltd",
        "co",
        "corp",
        "dept",
        "est",
        "a.m",
        "p.m",
        "u.s",
        "u.k",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "p.ej",
        "sr",
        "sra",
        "srta",
        "dr",
        "dra",
        "ud",
        "uds",
        "pág",
        "núm",
        "z.b",
        "d.h",
        "u.a",
        "bzw",
        "usw",
        "ggf",
    ]
)
_END = re.compile(r"[.!?…]+[\"'”’»)\]*_]*(?=\s)|[。！？]+[」』”’）]*")
_OPENS = re.compile(r"[\"'“‘«(\[*_`¿¡]*(?:[^\Wa-zß-öø-ÿ_]|[`~$/<@#-]|[^\x00-\u024f])")
"""The beginning of a sentence: a capital, a digit, code, or another script."""
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘«]*$")
_CODE = re.compile(r"`[^`\n]*`")
_BLANKS = re.compile(r"\s*")
_LONGEST_WORD = 40
"""Characters before a full stop in which an abbreviation is searched for."""
_SPACELESS_ENDS = "。！？"
LONGEST = 600
"""Maximum characters of a sentence; a longer one is divided at a space."""


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text in order. A line break ends a sentence.

    Inline code is not divided, and an abbreviation such as `e.g.` ends no sentence.
    """
    found: list[str] = []
    for row in text.split("\n"):
        line = row.strip()
        if line:
            found += _split_line(line)
    return found


def first_sentence(text: str) -> str:
    """Return the first sentence of a text; empty if there is none."""
    for row in text.split("\n"):
        line = row.strip()
        if line:
            return _split_line(line)[0]
    return ""


def _split_line(line: str) -> list[str]:
    code = [match.span() for match in _CODE.finditer(line)]
    starts = [begin for begin, _ in code]
    found: list[str] = []
    start = 0
    for match in _END.finditer(line):
        end = match.end()
        before = bisect_right(starts, match.start()) - 1
        if before >= 0 and match.start() < code[before][1]:
            continue
        if not _ends_sentence(line, start, match):
            continue
        found.append(line[start:end].strip())
        start = end
    found.append(line[start:].strip())
    return [part for each in found if each for part in _divide(each)]


def _ends_sentence(line: str, start: int, match: re.Match[str]) -> bool:
    mark = match[0]
    if mark[0] in _SPACELESS_ENDS:
        return True
    blanks = _BLANKS.match(line, match.end())
    if blanks is None or not _OPENS.match(line, blanks.end()):
        return False
    if mark != ".":
        return True
    start = max(start, match.start() - _LONGEST_WORD)
    before = _LAST_WORD.search(line[start : match.start()])
    word = before[0].casefold() if before else ""
    is_initial = len(word) == 1 and word.isalpha()
    return word not in _ABBREVIATIONS and not is_initial


def _divide(sentence: str) -> list[str]:
    """Return a sentence, or parts of it if it is too long."""
    parts: list[str] = []
    start = 0
    while len(sentence) - start > LONGEST:
        cut = sentence.rfind(" ", start, start + LONGEST)
        if cut <= start:
            cut = start + LONGEST
        parts.append(sentence[start:cut])
        blanks = _BLANKS.match(sentence, cut)
        start = blanks.end() if blanks else cut
    if start < len(sentence):
        parts.append(sentence[start:])
    return parts
