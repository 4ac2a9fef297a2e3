"""Masking of units before they are indexed: no secret reaches the cache."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate

from cuedeck.knowledge.recall.memory_units import speaker_of
from cuedeck.model.recall_values import Unit
from cuedeck.model.secret import PLACEHOLDER, Secret

_RANDOM_ID = re.compile(r"[0-9a-f_-]{0,36}")
"""Ids that CueDeck generates; searching thousands of them takes as long as the texts.
"""
Find = Callable[[str], Sequence[Secret]]


def mask_spans(text: str, secrets: Iterable[Secret]) -> str:
    """Return a text with its secrets replaced; the number of lines stays the same."""
    parts = []
    at = 0
    for secret in secrets:
        lines = text.count("\n", secret.start, secret.end)
        parts.append(text[at : secret.start])
        parts.append(f"{PLACEHOLDER}{secret.kind}>")
        parts.append("\n" * lines)
        at = secret.end
    parts.append(text[at:])
    return "".join(parts)


def mask_units(units: Sequence[Unit], find: Find) -> list[Unit]:
    """Return units of one file in line order with their secrets replaced.

    The units are searched as one text, which is faster and finds a secret of several
    lines that are several units of prose. Records are independent of each other, so a
    record in which something was found is searched again by itself.
    """
    masked = list(units)
    texts = [unit.text for unit in units]
    for at, secrets in _find_by_text(texts, find).items():
        unit = masked[at]
        found = find(unit.text) if unit.id else secrets
        if found:
            masked[at] = _mask_unit(unit, found)
    return _mask_labels(masked, find)


def _find_by_text(texts: Sequence[str], find: Find) -> Mapping[int, Sequence[Secret]]:
    """Return the secrets of each text that has any, by its index; a secret that extends
    over several texts is divided.
    """
    lengths = [len(text) + 1 for text in texts]
    starts = list(accumulate(lengths, initial=0))
    found: dict[int, list[Secret]] = {}
    for secret in find("\n".join(texts)):
        at = bisect_right(starts, secret.start) - 1
        while at < len(texts) and starts[at] < secret.end:
            first = max(0, secret.start - starts[at])
            last = min(len(texts[at]), secret.end - starts[at])
            part = Secret(first, last, secret.kind)
            found.setdefault(at, []).append(part)
            at += 1
    return found


def _mask_unit(unit: Unit, secrets: Iterable[Secret]) -> Unit:
    text = mask_spans(unit.text, secrets)
    speaker = unit.speaker
    if speaker and speaker == speaker_of(unit.text):
        speaker = speaker_of(text)
    return unit._replace(text=text, speaker=speaker)


def _mask_labels(units: list[Unit], find: Find) -> list[Unit]:
    labels: set[str] = set()
    for unit in units:
        labels.update((unit.title, unit.id, unit.session, unit.category))
    searched = [label for label in sorted(labels) if not _RANDOM_ID.fullmatch(label)]
    if not find("\n".join(searched)):
        return units
    masked = dict(zip(labels, labels, strict=True))
    for label in searched:
        masked[label] = mask_spans(label, find(label))
    return [
        unit._replace(
            title=masked[unit.title],
            id=masked[unit.id],
            session=masked[unit.session],
            category=masked[unit.category],
        )
        for unit in units
    ]
