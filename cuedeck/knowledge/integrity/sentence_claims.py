"""Read the claims of one sentence: of `key: value`, or of subject, relation and
object.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from cuedeck.knowledge.integrity.claim import (
    ALIKE,
    ANY,
    NAMES,
    NUMBER,
    OTHER,
    PATH,
    SHARED,
    TYPED,
    Claim,
    Slot,
)
from cuedeck.knowledge.integrity.english_and_spanish import (
    IS,
    OTHER_LANGUAGE,
    OWN,
    PLACES,
    PREFER,
    USE,
    VALUES,
    Language,
    words,
)
from cuedeck.knowledge.integrity.sentence_parser import (
    Part,
    Parts,
    Token,
    bag,
    is_name,
    named,
    parse_sentence,
    read_tokens,
    stems,
)

CHANGES = words(
    """add allow avoid bump change clean convert correct create delete deprecate disable drop enable enhance expose
    extend fix handle ignore implement improve increment introduce make merge migrate mention modernize move optimize
    patch port prepare prevent pull push rebase refactor regenerate release remove rename reorder replace restore
    revert rework rewrite simplify split start support switch sync tidy tweak try tune update upgrade"""
)
"""Verbs at the start of a change message: the next change contradicts nothing."""
_MEASURES = words(
    """coverage latency usage use load throughput progress runtime consumption uptime diff backlog"""
)
"""Measured quantities; their values do not last."""
_EVENT = re.compile(
    r"[a-z]{2,}ed|ran|wrote|made|built|sent|found|met|went|took|got|set|put|gave|came|saw"
)


def is_open(content: Sequence[Token], parts: Parts) -> bool:
    """Return whether another value does not contradict: in a negation, in history, of a
    measured quantity.
    """
    if parts.is_negative or _is_change(content, parts):
        return True
    if any(token.low in _MEASURES for token in parts.subject):
        return True
    if parts.relation:
        return False
    if content[0].low.endswith("ing"):
        return True
    return is_event(content[:3])


def _is_change(content: Sequence[Token], parts: Parts) -> bool:
    """Return whether a sentence describes a change, as commit messages do."""
    if parts.relation:
        return not parts.subject and parts.verb in CHANGES
    return any(token.low in CHANGES for token in content[:3])


def is_event(content: Sequence[Token]) -> bool:
    """Return whether one of the words is a verb in the past tense."""
    return any(_EVENT.fullmatch(token.low) for token in content)


_PAIR = re.compile(r"([^:=]{1,60}?)(?::\s+|\s=\s*|=(?=\S)|\s(?:->|→|-|–|—)\s+)(\S.*)")
_DIVIDER = re.compile("[:=→–—-]")
_MAX_KEY = 5
_MAX_PAIR = 3
"""Words of a value; a longer value is prose after a heading."""
_OPEN_KEYS = words(
    """bug idea link links see question quote ref reference source tip issue next todo done fixme task tasks result
    summary progress status state open plan step blocker example log error warning tarea tareas enlace nota
    feat feature fix docs doc ci chore test tests style build refactor perf deps revert misc wip"""
)
"""Keys that often occur with different values."""
_SWITCHES = words("yes no on off true false enabled disabled sí")


def read_pair(text: str) -> list[Claim] | None:
    """Return the claims of a `key: value` pair (none for an open key), or None for
    other text.
    """
    found = None
    if _DIVIDER.search(text):
        found = _PAIR.fullmatch(text)
    if found is None:
        return None
    key, value = found.groups()
    keys, language = read_tokens(key)
    if not keys or len(keys) > _MAX_KEY:
        return None
    if keys[0].low in _OPEN_KEYS and (len(keys) == 1 or "(" in key):
        return []
    if any(token.low in language.verbs for token in keys):
        return None
    slot = _pair_slot(keys, read_tokens(value)[0], language)
    if slot is None:
        return []
    return [Claim(subject=key.strip(), frame="", is_negative=False, slots=(slot,))]


def _pair_slot(
    keys: Sequence[Token], values: Sequence[Token], language: Language
) -> Slot | None:
    """Return the slot of a `key: value` pair; None if its value is prose, a change or
    empty.
    """
    if len(values) > _MAX_PAIR:
        return None
    if values and values[0].low in CHANGES:
        return None
    skipped = language.fillers | language.joints
    subject = bag([token for token in keys if token.low not in skipped])
    is_switch = len(values) == 1 and values[0].low in _SWITCHES
    content = values
    if not is_switch:
        content = [token for token in values if token.low not in language.fillers]
    is_attribute = any(token.low in language.attributes for token in keys)
    demand = ANY if is_switch or is_attribute else NAMES
    value = stems(content)
    if not subject or not value:
        return None
    are_names = all(map(is_name, content))
    return Slot(f"{subject}|{IS}||", value, demand, are_names)


def read_slots(parts: Parts, subject: str, language: Language) -> Iterator[Slot]:
    """Yield the slots of a parsed sentence; `subject` is the subject of the claim."""
    if subject != "there":
        for at, part in enumerate(parts.parts):
            demand = _demand(parts, part, language)
            if demand is None:
                continue
            others = (*parts.parts[:at], *parts.parts[at + 1 :])
            context = ";".join(map(named, others))
            key = f"{subject}|{parts.relation}|{part.joint}|{context}"
            are_names = all(map(is_name, part.words))
            slot = Slot(key, stems(part.words), demand, are_names)
            if demand == SHARED:
                slot = _sharing(slot, language)
            yield slot
    yield from _typed(parts)
    rest = bag(_part_tokens(parts))
    if not rest or len(parts.subject) not in (1, 2):
        return
    if parts.relation == OWN:
        yield Slot(f"{rest}|{OWN}|{parts.verb}", stems(parts.subject), ALIKE)
    if parts.relation == IS and parts.is_definite and all(map(is_name, parts.subject)):
        yield Slot(f"{rest}|{IS}||", stems(parts.subject), ANY)


def _demand(parts: Parts, part: Part, language: Language) -> int | None:
    """Return the property that two values of a part must share to exclude each other,
    or None if they never do.
    """
    if part.joint in language.scopes or (
        part.joint == "to" and parts.relation == PREFER
    ):
        return None
    if part.joint:
        return _place_demand(parts)
    if parts.relation == IS:
        is_attribute = any(token.low in language.attributes for token in parts.subject)
        return ANY if is_attribute else NAMES
    if parts.relation in VALUES:
        return ALIKE
    if parts.relation in (PREFER, USE):
        if len(parts.parts) == 1:
            return SHARED
        return ALIKE
    return None


def _place_demand(parts: Parts) -> int | None:
    """Return the demand of a part that a preposition joins to the sentence."""
    if parts.relation in PLACES:
        return ALIKE
    if parts.relation == PREFER:
        if len(parts.parts) == 1:
            return SHARED
        return ALIKE
    if parts.relation:
        return None
    if len(parts.parts) > 2:
        return ALIKE
    return SHARED


def _sharing(slot: Slot, language: Language) -> Slot:
    """Return a slot that is compared only with slots of the same noun."""
    return slot._replace(
        key=f"{slot.key}|{slot.value[0 if language.is_noun_first else -1]}"
    )


def _typed(parts: Parts) -> Iterator[Slot]:
    """Yield a slot for each number, day, month and path that is not part of the name of
    the subject.
    """
    start = len(parts.subject)
    flat = [("", token) for token in parts.subject]
    for part in parts.parts:
        flat += [(part.joint, token) for token in part.words]
    for at, (joint, token) in enumerate(flat):
        if token.kind == OTHER:
            continue
        is_quantity = at == 0 and token.kind == NUMBER and len(flat) > 1
        is_in_subject = at < max(start, 1)
        if is_in_subject and not is_quantity:
            continue
        # Without a known verb, a path is the place of an action, and a number is part
        # of a name.
        is_name = token.kind == PATH or (token.kind == NUMBER and len(flat) < 3)
        if is_name and not parts.relation:
            continue
        words = [f"{before} {each.stem}" for before, each in flat]
        words[at] = f"{joint} <{token.kind}>"
        context = " ".join(words)
        yield Slot(f"{parts.relation}|{context}", (token.stem,), TYPED)


_MOVE = re.compile(
    r"(?:(?P<who>we|the (?:team|project|user)|user|i)\s+)?(?:have |has )?(?:now )?"
    r"(?:(?:switched|moved|migrated|changed)(?: over)? from (?P<old>[^,;]+?) to (?P<new>[^,;]+?)"
    r"|(?:replaced) (?P<old2>[^,;]+?) (?:with|by) (?P<new2>[^,;]+?))"
    r"(?: (?:because|for|since|as|in|on|after)\b.*)?",
    re.IGNORECASE,
)


def read_sentence(text: str) -> list[Claim]:
    """Return the claims of one sentence."""
    move = _MOVE.fullmatch(text)
    if move and move["who"]:
        subject = move["who"]
        old = move["old"] or move["old2"]
        new = move["new"] or move["new2"]
        return [
            *read_sentence(f"{subject} uses {new}"),
            *read_sentence(f"{subject} does not use {old}"),
        ]
    pair = read_pair(text)
    if pair is not None:
        return pair
    tokens, language = read_tokens(text)
    parts = parse_sentence(tokens, language)
    if parts is None:
        return []
    return list(_claims(parts, language))


def is_analysed(text: str) -> bool:
    """Return whether a sentence is English or Spanish, or has a value that is compared
    in any language.
    """
    _, language = read_tokens(text)
    return language is not OTHER_LANGUAGE or any(
        claim.slots for claim in read_sentence(text)
    )


def _claims(parts: Parts, language: Language) -> Iterator[Claim]:
    claim = _claim(parts, language)
    if claim is not None:
        yield claim
    if not parts.rejected:
        return
    circumstances = (part for part in parts.parts if part.joint)
    turned = (Part("", parts.rejected), *circumstances)
    opposite = _claim(
        parts._replace(parts=turned, rejected=(), is_negative=not parts.is_negative),
        language,
    )
    if opposite is not None:
        yield opposite._replace(is_bare=True)


def _claim(parts: Parts, language: Language) -> Claim | None:
    tokens = [*parts.subject, *_part_tokens(parts)]
    if not tokens:
        return None
    if not parts.relation and (len(tokens) < 2 or is_event(tokens[:1])):
        return None
    subject = bag(parts.subject)
    slots: tuple[Slot, ...] = ()
    # The tables of history and measures are English and Spanish.
    if language is OTHER_LANGUAGE or not is_open(tokens, parts):
        slots = tuple(read_slots(parts, subject, language))
    core = ""
    if parts.relation and parts.parts and not parts.parts[0].joint:
        core = f"{subject}|{parts.relation}|{bag(parts.parts[0].words)}"
    part_keys = sorted(map(named, parts.parts))
    return Claim(
        subject=" ".join(token.raw for token in parts.subject),
        frame=";".join([subject, parts.relation, *part_keys]),
        is_negative=parts.is_negative,
        slots=slots,
        core=core,
        is_bare=len(parts.parts) == 1,
    )


def _part_tokens(parts: Parts) -> Iterator[Token]:
    return chain.from_iterable(part.words for part in parts.parts)
