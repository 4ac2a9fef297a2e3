"""The places in a sentence where another value would contradict it."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.records.integrity.claim import ALIKE, ANY, NAMES, SHARED, TYPED, Slot
from cuedeck.records.integrity.languages.base import IS, OWN, PLACES, PREFER, USE, VALUES, Language
from cuedeck.records.integrity.sentence_parser import Part, Parts, named
from cuedeck.records.integrity.sentence_words import bag, is_name, stems
from cuedeck.records.integrity.value_types import NUMBER, OTHER, PATH


def read_slots(parts: Parts, subject: str, language: Language) -> Iterator[Slot]:
    """Return the slots of a sentence taken apart; `subject` is that of the claim."""
    if subject != "there":
        for at, part in enumerate(parts.parts):
            demand = _demand(parts, part, language)
            if demand is not None:
                others = ";".join(named(each) for place, each in enumerate(parts.parts) if place != at)
                key = f"{subject}|{parts.relation}|{part.joint}|{others}"
                slot = Slot(key, stems(part.words), demand, all(map(is_name, part.words)))
                yield _sharing(slot, language) if demand == SHARED else slot
    yield from _typed(parts)
    rest = bag([token for part in parts.parts for token in part.words])
    if len(parts.subject) in (1, 2) and rest:
        if parts.relation == IS and parts.is_definite and all(map(is_name, parts.subject)):
            yield Slot(f"{rest}|{IS}||", stems(parts.subject), ANY)
        elif parts.relation == OWN:
            yield Slot(f"{rest}|{OWN}|{parts.verb}", stems(parts.subject), ALIKE)


def _demand(parts: Parts, part: Part, language: Language) -> int | None:
    """Return what two values of a part must have in common to exclude each other; None when they never do."""
    if part.joint in language.scopes or (part.joint == "to" and parts.relation == PREFER):
        return None
    is_object = not part.joint
    is_alone = len(parts.parts) == 1
    if parts.relation == IS and is_object:
        return ANY if any(token.low in language.attributes for token in parts.subject) else NAMES
    if parts.relation in (VALUES if is_object else PLACES):
        return ALIKE
    if parts.relation == PREFER or (parts.relation == USE and is_object):
        return SHARED if is_alone else ALIKE
    if parts.relation or is_object:
        return None
    return ALIKE if len(parts.parts) > 2 else SHARED


def _sharing(slot: Slot, language: Language) -> Slot:
    """Return a slot that is compared with those of the same noun only."""
    return slot._replace(key=f"{slot.key}|{slot.value[0 if language.is_noun_first else -1]}")


def _typed(parts: Parts) -> Iterator[Slot]:
    """Return a slot for each number, day, month and path, outside of a subject that merely has one in its name."""
    start = len(parts.subject)
    flat = [("", token) for token in parts.subject]
    flat += [(part.joint, token) for part in parts.parts for token in part.words]
    for at, (_, token) in enumerate(flat):
        is_quantity = at == 0 and token.kind == NUMBER and len(flat) > 1
        if token.kind == OTHER or not (at >= max(start, 1) or is_quantity):
            continue
        # Without a verb that is known, a path is where something was done, and a number belongs to a name.
        if not parts.relation and (token.kind == PATH or (token.kind == NUMBER and len(flat) < 3)):
            continue
        words = [f"{joint} {each.stem}" for joint, each in flat]
        words[at] = f"{flat[at][0]} <{token.kind}>"
        yield Slot(f"{parts.relation}|{' '.join(words)}", (token.stem,), TYPED)
