"""What later words of the user leave valid: standing instructions that none replaces,
and results that no correction is about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.statements import cue_words
from cuedeck.knowledge.statements.rank_exchanges import words_of
from cuedeck.text.similarity import share_in
from cuedeck.text.words import read_stems

if TYPE_CHECKING:
    from cuedeck.model.recall_values import Unit

_SAME = 0.88
"""Share of the stems of each of two instructions that repeat one another."""
_ABOUT = 0.6
"""Share of the subject of an instruction that a later one about it names."""
_REASON = re.compile(
    r"[:;(]|\s(?:because|since|porque|parce que|weil|так как|тому що)\s"
)
"""The end of the instruction, after which its reason follows."""
_ELISION = re.compile(r"\b(?:[cdjlmnst]|qu)['’](?=\w)", re.I)


def holding(units: Sequence[Unit]) -> list[Unit]:
    """Return the instructions that hold, in the given order, which is newest first.

    A later one about the same thing replaces an earlier one if it withdraws it, names
    another value with `instead of`, says the opposite, or differs in numbers alone.
    Others about the same thing all hold.
    """
    held: list[Unit] = []
    later: list[_Instruction] = []
    for unit in units:
        read = _read(unit.text)
        if not any(_replaces(other, read) for other in later):
            held.append(unit)
        later.append(read)
    return held


def not_corrected(results: Sequence[Unit], corrections: Sequence[Unit]) -> list[Unit]:
    """Return the results of a turn that the corrections after it are not about: those
    that share no word with them. None is left if no result shares one, or if they undo
    the turn.
    """
    if not corrections:
        return list(results)
    if any(cue_words.is_undoing(each.text) for each in corrections):
        return []
    about = frozenset[str]().union(*(words_of(each.text) for each in corrections))
    left = [each for each in results if about.isdisjoint(words_of(each.text))]
    return left if len(left) < len(results) else []


class _Instruction(NamedTuple):
    """Properties of one instruction that later ones are compared with."""

    stems: frozenset[str]
    subject: frozenset[str]
    is_negative: bool
    names_replaced: bool
    """Whether it withdraws another instruction or names a value with `instead of`."""


def _read(text: str) -> _Instruction:
    instruction = _ELISION.sub(" ", _REASON.split(text, maxsplit=1)[0])
    return _Instruction(
        frozenset(read_stems(text)),
        words_of(instruction) - cue_words.frame_stems(),
        cue_words.is_negative(text),
        cue_words.names_replaced(text),
    )


def _replaces(new: _Instruction, old: _Instruction) -> bool:
    in_both = min(share_in(old.stems, new.stems), share_in(new.stems, old.stems))
    if in_both > _SAME:
        return True
    shared = old.subject & new.subject
    if not shared or len(shared) < _ABOUT * len(old.subject):
        return False
    if new.names_replaced:
        return True
    is_same_subject = len(shared) >= _ABOUT * len(new.subject)
    if is_same_subject and new.is_negative != old.is_negative:
        return True
    missing = old.subject - shared
    return bool(missing) and all(stem.isdecimal() for stem in missing)
