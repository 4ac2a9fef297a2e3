"""Claims in languages whose words stand apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cuedeck.records.integrity.claim import Claim
from cuedeck.records.integrity.key_value import read_pair
from cuedeck.records.integrity.languages.base import Language
from cuedeck.records.integrity.past_events import is_event, is_open
from cuedeck.records.integrity.sentence_parser import Part, Parts, named, take_apart
from cuedeck.records.integrity.sentence_words import bag, read_tokens
from cuedeck.records.integrity.slots import read_slots

_MOVE = re.compile(
    r"(?:(?P<who>we|the (?:team|project|user)|user|i)\s+)?(?:have |has )?(?:now )?"
    r"(?:(?:switched|moved|migrated|changed)(?: over)? from (?P<old>[^,;]+?) to (?P<new>[^,;]+?)"
    r"|(?:replaced) (?P<old2>[^,;]+?) (?:with|by) (?P<new2>[^,;]+?))"
    r"(?: (?:because|for|since|as|in|on|after)\b.*)?",
    re.IGNORECASE,
)


def read_spaced(text: str) -> list[Claim]:
    """Return the claims of one sentence."""
    if (move := _MOVE.fullmatch(text)) and move["who"]:
        old, new = move["old"] or move["old2"], move["new"] or move["new2"]
        return [*read_spaced(f"{move['who']} uses {new}"), *read_spaced(f"{move['who']} does not use {old}")]
    if (claims := read_pair(text)) is not None:
        return claims
    tokens, language = read_tokens(text)
    parts = take_apart(tokens, language)
    return [] if parts is None else list(_claims(parts, language))


def _claims(parts: Parts, language: Language) -> Iterator[Claim]:
    claim = _claim(parts, language)
    if claim is not None:
        yield claim
    if parts.rejected:
        others = [Part("", parts.rejected), *(part for part in parts.parts if part.joint)]
        turned = parts._replace(parts=tuple(others), rejected=(), is_negative=not parts.is_negative)
        opposite = _claim(turned, language)
        if opposite is not None:
            yield opposite._replace(is_bare=True)


def _claim(parts: Parts, language: Language) -> Claim | None:
    said = [*parts.subject, *(token for part in parts.parts for token in part.words)]
    frame = ";".join([bag(parts.subject), parts.relation, *sorted(map(named, parts.parts))])
    if not said or (not parts.relation and (len(said) < 2 or is_event(said[:1]))):
        return None
    head = parts.parts[0] if parts.parts and not parts.parts[0].joint else None
    subject = bag(parts.subject)
    return Claim(
        subject=" ".join(token.raw for token in parts.subject),
        frame=frame,
        is_negative=parts.is_negative,
        slots=() if is_open(said, parts) else tuple(read_slots(parts, subject, language)),
        core=f"{subject}|{parts.relation}|{bag(head.words)}" if head and parts.relation else "",
        is_bare=len(parts.parts) == 1,
    )
