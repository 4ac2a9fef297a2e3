"""The sentence of a text that answers a query best."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from cuedeck.text.words import RAW_WORD, read_stems, stem_key

_END = r"(?<=[.!?…])[\"”»)\]]*\s+(?=[^\s\Wa-z]|[^\s\w])|\n\s*\n|(?<=[。！？])|\s—\s"
"""Where a sentence ends: a mark before a capital letter, digit or sign, an empty line,
or the dash between the parts of a ledger entry.
"""
_MARKS = ".!?…\n。！？—"
"""Every end of a sentence contains one of them."""
_PART_END = r"[\n|]"
"""Where a line of a sentence, or a cell of a table, ends."""
_LONGEST_COPY = 200
"""Stems of a secret text that is found behind other words."""
_LEAD = 4
"""Part of a cut sentence that comes before the first match: one in four characters."""


def best_sentence(
    text: str,
    weights: Mapping[str, float],
    most: int,
    stemming: bool,
    secret_keys: Collection[bytes] = (),
) -> str:
    """Return the first sentence with the largest weight of different stems, on one
    line, at most `most` characters around its matches; empty if it ends with a secret
    text, or a line or table cell of it does.

    `secret_keys` are the keys of the stems of secret texts.
    """
    best, found = -1.0, ""
    for sentence in _sentences(text):
        stems = frozenset(read_stems(sentence, stemming))
        weight = sum(weights.get(stem, 0.0) for stem in stems)
        if weight > best and sentence.strip():
            best, found = weight, sentence
    if secret_keys and _has_copy(found, secret_keys, stemming):
        return ""
    line = " ".join(found.split())
    if len(line) <= most:
        return line
    start = _first_match(line, weights, stemming) - most // _LEAD
    return _cut(line, min(max(start, 0), len(line) - most + 1), most)


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    # Many records are one sentence, and the pattern takes long to compile.
    if not any(mark in text[:-1] for mark in _MARKS):
        return [text]
    return re.split(_END, text)


def _has_copy(sentence: str, secret_keys: Collection[bytes], stemming: bool) -> bool:
    """Return whether a sentence, or a line or table cell of it, ends with a secret
    text: a label or a checkbox may be in front of it.
    """
    for part in (sentence, *re.split(_PART_END, sentence)):
        stems = read_stems(part, stemming)
        starts = range(max(1, len(stems) - _LONGEST_COPY), len(stems))
        for start in (0, *starts):
            if stem_key(stems[start:]) in secret_keys:
                return True
    return False


def _first_match(line: str, weights: Mapping[str, float], stemming: bool) -> int:
    """Return the position from which a line has most of its weight."""
    best, position = 0.0, 0
    for match in re.finditer(RAW_WORD, line):
        stems = read_stems(match[0], stemming)
        weight = max((weights.get(stem, 0.0) for stem in stems), default=0.0)
        if weight > best:
            best, position = weight, match.start()
    return position


def _cut(line: str, start: int, most: int) -> str:
    """Return part of a line, cut at blanks where possible; `…` marks each cut."""
    if start:
        blank = line.find(" ", start, start + most // _LEAD)
        start = blank + 1 if blank >= 0 else start
    end = start + most - (1 if start else 0)
    if end < len(line):
        end -= 1
        blank = line.rfind(" ", start + most // 2, end)
        end = blank if blank >= 0 else end
    before = "…" if start else ""
    after = "…" if end < len(line) else ""
    return f"{before}{line[start:end]}{after}"
