"""The sentence of a text that answers a query best."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from cuedeck.text.sentences import split_sentences
from cuedeck.text.words import RAW_WORD, read_stems, stem_key

_DASH = " — "
_LONGEST_COPY = 200
"""Stems of a sentence in which a secret text is found."""
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
    line, at most `most` characters around its matches; empty if it contains a secret
    text. A dash between the parts of a ledger entry ends a sentence.

    `secret_keys` are the keys of the stems of secret texts.
    """
    best, found = -1.0, ""
    paragraphs = [" ".join(each.split()) for each in text.split("\n\n")]
    for sentence in split_sentences("\n".join(paragraphs).replace(_DASH, "\n")):
        stems = frozenset(read_stems(sentence, stemming))
        weight = sum(weights.get(stem, 0.0) for stem in stems)
        if weight > best:
            best, found = weight, sentence
    if secret_keys and _has_copy(found, secret_keys, stemming):
        return ""
    if len(found) <= most:
        return found
    start = _first_match(found, weights, stemming) - most // _LEAD
    return _cut(found, min(max(start, 0), len(found) - most + 1), most)


def _has_copy(sentence: str, secret_keys: Collection[bytes], stemming: bool) -> bool:
    """Return whether a sentence contains a secret text."""
    stems = read_stems(sentence, stemming)[:_LONGEST_COPY]
    for start in range(len(stems)):
        for end in range(start + 1, len(stems) + 1):
            if stem_key(stems[start:end]) in secret_keys:
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
