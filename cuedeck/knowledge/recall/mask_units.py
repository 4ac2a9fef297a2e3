"""Masking of units before they are indexed: no secret reaches the cache."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate

from cuedeck.knowledge.recall.memory_units import speaker_of
from cuedeck.model.ports import Json
from cuedeck.model.recall_values import Unit
from cuedeck.model.secret import Secret, replace_secrets

_RANDOM_ID = re.compile(r"[0-9a-f_-]{0,36}")
"""Ids that CueDeck generates; searching thousands of them takes as long as the texts.
"""
_LABELS = ("title", "id", "session", "category")
"""Fields of a unit besides its text that a user may have written."""
Find = Callable[[str], Sequence[Secret]]


def mask_units(units: Sequence[Unit], find: Find) -> list[Unit]:
    """Return units of one file in line order with their secrets replaced.

    The units are searched as one text, which is faster and finds a secret of several
    lines that are several units of prose. Records are independent of each other, so a
    record in which something was found is searched again by itself.
    """
    found = _find_by_text([unit.text for unit in units], find)
    masked = []
    for at, unit in enumerate(units):
        secrets = found.get(at, ())
        if secrets and unit.id:
            secrets = find(unit.text)
        masked.append(_mask_unit(unit, secrets) if secrets else unit)
    labels = {getattr(unit, name) for unit in units for name in _LABELS}
    searched = [label for label in sorted(labels) if not _RANDOM_ID.fullmatch(label)]
    if not find("\n".join(searched)):
        return masked
    return [_mask_labels(unit, find) for unit in masked]


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
    text = replace_secrets(unit.text, secrets)
    speaker = unit.speaker
    if speaker and speaker == speaker_of(unit.text):
        speaker = speaker_of(text)
    return unit._replace(text=text, speaker=speaker)


def _mask_labels(unit: Unit, find: Find) -> Unit:
    values: Json = {}
    for name in _LABELS:
        label = getattr(unit, name)
        values[name] = replace_secrets(label, find(label))
    return unit._replace(**values)
