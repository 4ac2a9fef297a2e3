"""Rows of the parts of a brief, from statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from datetime import timedelta
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.recall.recall_query import local_time
from cuedeck.knowledge.statements import cue_words
from cuedeck.knowledge.statements.cue_words import is_report
from cuedeck.knowledge.statements.rank_exchanges import Exchange, words_of
from cuedeck.ledger.statement_files import DAY_SESSION, StatementFiles
from cuedeck.parse.fence import quoted
from cuedeck.text.similarity import Repeats, share_in
from cuedeck.text.timestamps import moment_of
from cuedeck.text.words import read_stems

if TYPE_CHECKING:
    from cuedeck.model.recall_values import Unit
    from cuedeck.store.workspace_paths import WorkspacePaths

_LONGEST_RULE = 200
_LONGEST_ASKED = 250
_LONGEST_STEP = 160
_LONGEST_SAID = 250
_LEAST_WORDS = 3
"""Words of a prompt that say something about its subject; those with fewer are chores,
such as `continue`, or corrections that no later session understands: `No, revert that.`
"""
_TELLING = frozenset(("done", "decision", "finding", "failed"))
_RANKS = {"finding": 0, "failed": 0, "decision": 0, "open": 0, "done": 1}
_LAST_TURNS = 2
"""Number of the last turns of the newest session, one result of which is shown first.
"""
_SOONER = timedelta(minutes=1)
"""Time by which a transcript may date a prompt before the hook that was sent it."""
_NEWEST_SESSIONS = 2
"""Number of the newest sessions of which open steps and work of tools are shown."""


def standing_rows(
    units: Iterable[Unit], session: str, repeats: Repeats
) -> Iterator[str]:
    for unit in units:
        if unit.session == session:
            continue
        is_rule = unit.category == "rule"
        if not is_rule and is_report(unit.text):
            continue
        if not is_rule and len(words_of(unit.text)) < _LEAST_WORDS:
            continue
        repeats.add(read_stems(unit.text))
        text = quoted(unit.text, _LONGEST_RULE)
        yield f"- {text} ({_day(unit)})\n"


def _conversations(exchanges: Sequence[Exchange]) -> list[list[Exchange]]:
    found = []
    for session, group in groupby(exchanges, key=attrgetter("session")):
        if not session.startswith(DAY_SESSION):
            conversation = list(group)
            found.append(conversation)
    return found


def interrupted_rows(
    paths: WorkspacePaths,
    exchanges: Sequence[Exchange],
    units: dict[int, Unit],
    repeats: Repeats,
) -> Iterator[str]:
    """Yield the last turn of the newest session if it has no end, unless the user asked
    the same in another session and the agent replied.
    """
    conversed = list(chain(*_conversations(exchanges)))
    if not conversed or not conversed[0].user:
        return
    last = conversed[0]
    turns = StatementFiles(paths).turns(last.session)
    if not turns.last or turns.last in turns.ended:
        return
    texts = [units[number].text for number in last.user]
    if any(_is_reply(each, last, set(texts), units) for each in conversed):
        return
    asked = _joined(texts)
    repeats.add(read_stems(asked[:_LONGEST_ASKED]))
    yield f"- The user asked: {quoted(asked, _LONGEST_ASKED)}\n"
    said = [units[number] for number in last.agent]
    for unit in repeats.take_new(said):
        text = quoted(unit.text, _LONGEST_STEP)
        yield f"- The agent: {text}\n"


def _is_reply(
    other: Exchange, last: Exchange, texts: Set[str], units: dict[int, Unit]
) -> bool:
    """Return whether another exchange replies to the prompt of the last one: a host may
    copy a conversation that it resumes into a new session.
    """
    if other.session == last.session or not other.agent:
        return False
    if not texts <= {units[number].text for number in other.user}:
        return False
    then, now = moment_of(other.date), moment_of(last.date)
    return then is None or now is None or then >= now - _SOONER


def open_rows(
    exchanges: Sequence[Exchange], units: dict[int, Unit], repeats: Repeats
) -> Iterator[str]:
    for each, *_ in _conversations(exchanges)[:_NEWEST_SESSIONS]:
        said = [units[number] for number in each.agent]
        steps = [unit for unit in said if unit.category == "open"]
        for unit in repeats.take_new(steps):
            step = quoted(unit.text, _LONGEST_STEP)
            yield f"- {step} ({_day(unit)})\n"


def asked_rows(
    exchanges: Sequence[Exchange], units: dict[int, Unit], repeats: Repeats
) -> Iterator[str]:
    """Yield what the user asked in each session, the first line with the day, without
    rules and corrections that were shown; after the newest session one result of its
    last turns.
    """
    for at, session in enumerate(_conversations(exchanges)):
        day = ""
        for each in session:
            said = [units[number] for number in each.user]
            text = _joined(unit.text for unit in said if not _is_shown(unit, repeats))
            stems = read_stems(text[:_LONGEST_ASKED])
            if len(words_of(text)) < _LEAST_WORDS or repeats.is_repeated(stems):
                continue
            repeats.add(stems)
            row = quoted(text, _LONGEST_ASKED)
            if not day:
                day = _day(units[each.user[0]])
                row = f"{day}: {row}"
            yield f"- {row}\n"
        if at == 0:
            last = _valid_said(session[:_LAST_TURNS], units)
            telling = (unit for unit in last if unit.category in _TELLING)
            new = repeats.take_new(telling)
            for unit in islice(new, 1):
                result = quoted(unit.text, _LONGEST_STEP)
                yield f"- The agent: {result}\n"


def _is_shown(unit: Unit, repeats: Repeats) -> bool:
    if unit.category not in ("rule", "correction"):
        return False
    return repeats.is_repeated(read_stems(unit.text))


def _valid_said(exchanges: Sequence[Exchange], units: dict[int, Unit]) -> list[Unit]:
    """Return the statements of the agent, newest exchange first, without results that
    the next prompt of the user corrects.
    """
    said: list[Unit] = []
    session = ""
    corrections: list[Unit] = []
    for each in exchanges:
        if each.session != session:
            session, corrections = each.session, []
        of_agent = [units[number] for number in each.agent]
        results = [unit for unit in of_agent if unit.category == "done"]
        valid = not_corrected(results, corrections)
        for unit in of_agent:
            if unit not in results or unit in valid:
                said.append(unit)
        of_user = [units[number] for number in each.user]
        corrections = [unit for unit in of_user if unit.category == "correction"]
    return said


def _joined(passages: Iterable[str]) -> str:
    """Return passages as one text; those without an end, such as answers in a list, end
    with a semicolon.
    """
    ended = []
    for each in passages:
        end = ";" if each[-1].isalnum() else ""
        ended.append(f"{each}{end}")
    text = " ".join(ended)
    return text.removesuffix(";")


def said_rows(
    exchanges: Sequence[Exchange], units: dict[int, Unit], repeats: Repeats
) -> Iterator[str]:
    """Yield the statements of the agent: findings, decisions, failed attempts and open
    steps, then other results, then the rest.
    """
    newest = {each[0].session for each in _conversations(exchanges)[:_NEWEST_SESSIONS]}
    said = [
        unit
        for unit in _valid_said(exchanges, units)
        if unit.speaker != "tool"
        or unit.category not in ("done", "failed")
        or unit.session in newest
    ]
    said.sort(key=lambda unit: _RANKS.get(unit.category, len(_RANKS)))
    last = ""
    for unit in repeats.take_new(said):
        day = _day(unit)
        place = "" if day == last else f" ({day})"
        last = day
        text = quoted(unit.text, _LONGEST_SAID)
        yield f"- {text}{place}\n"


def _day(unit: Unit) -> str:
    return local_time(unit.date)[:10]


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
        text = unit.text
        instruction = _ELISION.sub(" ", _REASON.split(text, maxsplit=1)[0])
        read = _Instruction(
            frozenset(read_stems(text)),
            words_of(instruction) - cue_words.frame_stems(),
            cue_words.is_negative(text),
            cue_words.names_replaced(text),
        )
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
