"""Deeds on memory that are killed or have no room, and what must hold whatever happened to them."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from children import KILLED, LIVE, Children, Ended, plans
from crash import Plan
from deeds import DEEDS, Deed, Seen, superseded
from desk import Ran
from holdings import ARCHIVE, HOME, MEMORY, Holdings, broken_lines, holdings, ids_of, places_of
from stock import Size, Stock, lay_out, write

LOOK = ("memory", "list", "--in", "all", "--allow-secret", "--json")
"""Tells every record."""
CUTS = ("half", "line", "short", "torn")
"""Where a write is cut."""
_LEDGERS = ("memory/tombstones.jsonl", "experiences.jsonl")


class Case(NamedTuple):
    """A deed, the workspace it is done in, and what it comes to when nothing disturbs it."""

    name: str
    deed: Deed
    shelf: Path
    """The workspace before the deed, to be copied."""
    stock: Stock
    command: list[str]
    before: Holdings
    after: Holdings
    places: list[str]
    """Files that hold words of the victim afterwards."""
    plans: list[Plan]
    """Every crash point."""
    own: list[Plan]
    """Those that no other deed has."""


def prepare(name: str, shelf: Path, children: Children, size: Size, lots: random.Random) -> Case:
    """Lay out the workspace of a deed and do it once in a copy."""
    deed = DEEDS[name]
    shutil.rmtree(shelf, ignore_errors=True)
    stock = lay_out(shelf / "before", size, lots, is_new=deed.is_new, is_open=deed.is_open)
    known = {each: kept.id for each, kept in stock.named.items()}
    write(shelf / "before" / HOME / "config.toml", _settings(deed.settings_before, size, shelf / "before"))
    children.ok(shelf / "before", ["scene"], *(_spelled(each, known) for each in deed.before))
    write(shelf / "before" / HOME / "config.toml", _settings(deed.settings, size, shelf / "before"))
    learnt = experiences(shelf / "before")
    command = _spelled(deed.command, {**known, "EXPERIENCE": learnt[0].split()[0]} if learnt else known)
    shutil.copytree(shelf / "before", shelf / "after")
    lived = children.run(shelf / "after", command, LOOK, plan=LIVE, text=deed.text)
    assert lived.ran[0].code == 0, (name, lived)
    found = holdings(shelf / "after")
    deed.holds(lived.ran[0], stock, Seen(found, listed(lived.ran[1]), experiences(shelf / "after")))
    places = places_of(shelf / "after", stock.named[deed.victim].word) if stock.current else []
    before = holdings(shelf / "before")
    every = plans(lived.writes, CUTS)
    own = [plan for plan in every if re.search(deed.own, lived.writes[plan.at - 1].place)]
    case = Case(name, deed, shelf / "before", stock, command, before, found, places, every, own)
    check_forgetting(case._replace(places=[]), shelf / "after", children)
    return case


def _settings(text: str, size: Size, root: Path) -> str:
    memory = root / HOME / MEMORY
    chars = len(memory.read_text("utf-8")) if memory.exists() else 0
    fewer = max(1, size.current - size.over + 1)
    return text.format(records=size.current, fewer=fewer, half=size.current // 2, chars=chars)


def _spelled(command: Sequence[str], known: Mapping[str, str]) -> list[str]:
    return [",".join(known.get(name, name) for name in each.split(",")) for each in command]


def listed(ran: Ran) -> Mapping[str, Any]:
    """Return what `LOOK` told, by id."""
    assert ran.code == 0, ran
    return {row["id"]: row for row in ran.json["records"]}


def experiences(root: Path) -> list[str]:
    """Return the experiences, each as its id and its text."""
    place = root / HOME / "experiences.jsonl"
    lines = place.read_text("utf-8").splitlines() if place.exists() else []
    return [f"{row['id']} {row['text']}" for row in map(json.loads, set(lines) - set(broken_lines(place)))]


def kill(case: Case, plan: Plan, root: Path, children: Children) -> Ended:
    """Do a deed in a copy of its workspace and kill it."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(case.shelf, root)
    ended = children.run(root, case.command, plan=plan, text=case.deed.text)
    assert ended.signal == KILLED, (case.name, plan, ended)
    return ended


def check(case: Case, root: Path, children: Children) -> None:
    """See that nothing is lost, do the deed again, and see that all is well."""
    left = holdings(root)
    check_kept(case, left)
    check_whole(case, root, left)
    again, last = children.run(root, case.command, LOOK, text=case.deed.text).ran
    assert again.code == 0 or (again.code == 1 and re.search(case.deed.already, again.err)), again
    found = holdings(root)
    check_kept(case, found)
    assert ids_of(found) == listed(last).keys()
    check_again(case, again, left, Seen(found, listed(last), experiences(root)))
    assert not case.deed.ends or not places_of(root, case.stock.named[case.deed.victim].word)


def check_forgetting(case: Case, root: Path, children: Children) -> bool:
    """See that what a crash left of a record is forgotten, too; False where it left nothing that is not known."""
    victim = case.stock.named.get(case.deed.victim)
    if victim is None or not Counter(places_of(root, victim.word)) - Counter(case.places):
        return False
    (forgot,) = children.run(root, ["memory", "forget", victim.id]).ran
    assert forgot.code == 0, forgot
    left = places_of(root, victim.word)
    assert not left, f"not forgotten in {left}"
    return True


def check_kept(case: Case, found: Holdings) -> None:
    """Each record is where it was, or in the archive, as it was or as the deed leaves it."""
    ours = {kept.id for kept in (*case.stock.archived, *case.stock.current)}
    gone = case.stock.named[case.deed.victim].id if case.deed.ends else ""
    after = {name: each.texts for name, each in case.after.items()}
    for name, was in case.before.items():
        for identity, text in was.texts.items():
            if identity == gone or identity not in ours:  # what a compaction made is merged again
                continue
            places = [name] if identity in found[name].texts or name not in (MEMORY, ARCHIVE) else [MEMORY, ARCHIVE]
            said = [found[each].texts[identity] for each in places if identity in found[each].texts]
            if not said and 'archive = ""' in case.deed.settings:
                continue
            assert said, (name, identity)
            assert set(said) <= {text, after[name].get(identity), after.get(ARCHIVE, {}).get(identity)}, (name, said)


def check_whole(case: Case, root: Path, left: Holdings) -> None:
    """No file holds half a line, but for the end of one that was being written."""
    for name, each in left.items():
        known = case.before[name].torn if name in case.before else ()
        torn = [line for line in each.torn if line not in known]
        assert len(torn) <= each.is_open, (name, torn)
        assert not each.doubled, (name, each.doubled)
    for name in _LEDGERS:
        assert len(broken_lines(root / HOME / name)) <= 1


def check_again(case: Case, again: Ran, left: Holdings, seen: Seen) -> None:
    """Nothing is doubled, no line swallowed another one, and the deed is done."""
    for name, each in seen.found.items():
        assert not each.doubled, (name, each.doubled)
        assert set(each.torn) <= set(left[name].torn if name in left else ()), (name, each.torn)
    if again.code == 0 or case.deed.holds is superseded:
        case.deed.holds(again, case.stock, seen)
