"""Commands on memory, and what has to hold when each of them came to its end."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from desk import Ran
from holdings import ARCHIVE, MEMORY, Holdings, ids_of
from stock import Stock

NEW = "deploys go out on Wednesdays, says"
"""How a text begins that a command writes."""


class Seen(NamedTuple):
    """What is there after a command."""

    found: Holdings
    listed: Mapping[str, Any]
    """What the product lists, by id."""
    experiences: Sequence[str]
    """Ids and texts, line by line."""


class Deed(NamedTuple):
    """A command on memory."""

    command: tuple[str, ...]
    """With `OLDEST` and the like for the ids of records."""
    holds: Callable[[Ran, Stock, Seen], None]
    """Checks what it did when it came to its end."""
    settings: str = ""
    """With {records} and {chars} for what MEMORY.md holds, {fewer} and {half} for less than that."""
    text: str = ""
    """What is piped in."""
    before: tuple[tuple[str, ...], ...] = ()
    """Commands that are run first."""
    settings_before: str = ""
    """While they are run."""
    victim: str = "OLDEST"
    """Which record is forgotten afterwards."""
    already: str = "^$"
    """What the command may say instead when most of it was done before."""
    is_new: bool = False
    """Whether there is no memory before."""
    is_open: bool = False
    """Whether MEMORY.md ends in the middle of a line."""
    own: str = ""
    """Which files it writes that no other deed does; others are left out where each point is to be met once."""
    ends: bool = False
    """Whether the victim may be gone, as the command takes it out."""


def added(ran: Ran, stock: Stock, seen: Seen) -> None:
    """Check that each id that was told is in MEMORY.md and in a daily log."""
    days = [each for name, each in seen.found.items() if re.fullmatch(r"memory/\d.*", name)]
    for identity in ran.out.split():
        assert seen.found[MEMORY].texts[identity].startswith(NEW)
        assert sum(identity in each.texts for each in days) == 1


def trimmed(ran: Ran, stock: Stock, seen: Seen) -> None:
    """Check that what was added is there, and that what left MEMORY.md is in the archive alone."""
    added(ran, stock, seen)
    assert not set(seen.found[MEMORY].ids) & set(seen.found[ARCHIVE].ids)
    assert stock.current[0].id in seen.found[ARCHIVE].ids


def corrected(ran: Ran, stock: Stock, seen: Seen) -> None:
    """Check that a record says the new text wherever it stands."""
    identity = ran.out.split()[0]
    said = [each.texts[identity] for each in seen.found.values() if identity in each.texts]
    assert len(said) > 1 and all(each.startswith(NEW) for each in said)


def superseded(ran: Ran, stock: Stock, seen: Seen) -> None:
    """Check that the record that was named is replaced by one that is there."""
    assert seen.listed[seen.listed[stock.named["OLDEST"].id]["superseded_by"]]


def compacted(ran: Ran, stock: Stock, seen: Seen) -> None:
    """Check that there are fewer records, and that each of those that left is in the archive, once."""
    now, archived = seen.found[MEMORY], seen.found[ARCHIVE]
    assert len(now.ids) < len(stock.current)
    assert {kept.id for kept in stock.current} <= {*now.ids, *archived.ids}
    assert not set(now.ids) & set(archived.ids)


def undone(ran: Ran, stock: Stock, seen: Seen) -> None:
    """Check that the records are where they were."""
    assert [kept.id for kept in stock.current] == list(seen.found[MEMORY].ids)


def experienced(ran: Ran, stock: Stock, seen: Seen) -> None:
    """Check that there are experiences, each once."""
    assert seen.experiences and len(set(seen.experiences)) == len(seen.experiences)


def unlearned(ran: Ran, stock: Stock, seen: Seen) -> None:
    """Check that one experience is gone, and only one."""
    assert len(seen.experiences) == 1


def forgotten(ran: Ran, stock: Stock, seen: Seen) -> None:
    """Check that a record is gone from all files."""
    assert ran.out.split()[0] not in ids_of(seen.found)


WINDOW = "[memory]\nmax_records = {fewer}\n"
ADD, EDIT = ("memory", "add", f"{NEW} she"), ("memory", "edit", "--text", f"{NEW} he")
COMPACT = (("memory", "compact"),)
COMPACTION = "[compaction]\nenabled = true\nthreshold_records = 4\ntarget_records = {half}\ntarget_chars = {chars}\n"
SAYINGS = ("Fridays are quiet", "caches hide mistakes", "names matter most")
LEARN = tuple(("experience", "add", text) for text in SAYINGS)
NOTE = tuple(("memory", "add", text) for text in SAYINGS)
DEEDS = {
    "add": Deed(ADD, added),
    "add-first": Deed(ADD, added, is_new=True),
    "add-behind-half-a-line": Deed(ADD, added, is_open=True),
    "add-lines": Deed(("memory", "add", "-"), added, text=f"{NEW} one\n{NEW} two\n\n{NEW} three\n"),
    "remember": Deed(("remember", f"{NEW} she"), added),
    "trim": Deed(ADD, trimmed, WINDOW),
    "trim-by-length": Deed(ADD, trimmed, "[memory]\nmax_chars = {chars}\n"),
    "trim-lines": Deed(
        ("memory", "add", "-"), trimmed, WINDOW, text=f"{NEW} one\n{NEW} two\n{NEW} three\n", own="archive"
    ),
    "trim-first": Deed(ADD, added, "[memory]\nmax_records = 1\n", is_new=True, before=(ADD,)),
    "trim-away": Deed(ADD, added, WINDOW + 'archive = ""\n'),
    "edit": Deed((*EDIT, "MIDDLE"), corrected, victim="MIDDLE"),
    "edit-archived": Deed((*EDIT, "ARCHIVED"), corrected, victim="ARCHIVED"),
    "edit-label": Deed(("memory", "edit", "OLDEST", "--sensitivity", "secret"), lambda ran, stock, seen: None),
    "supersede": Deed(("memory", "supersede", "OLDEST", f"{NEW} he"), superseded, already="is superseded by"),
    "supersede-by": Deed(
        ("memory", "supersede", "OLDEST", "--by", "NEWEST"), superseded, already="is superseded by"
    ),
    "supersede-trims": Deed(
        ("memory", "supersede", "OLDEST", f"{NEW} he"), superseded, WINDOW, already="is superseded by"
    ),
    "forget": Deed(("memory", "forget", "OLDEST"), forgotten, ends=True),
    "forget-experience-too": Deed(
        ("memory", "forget", "OLDEST"), forgotten, before=(("experience", "extract"),), ends=True,
        own="experiences",
    ),
    "forget-archived": Deed(("memory", "forget", "ARCHIVED"), forgotten, victim="ARCHIVED", ends=True),
    "forget-merged": Deed(
        ("memory", "forget", "OLDEST"), forgotten, before=COMPACT, settings_before=COMPACTION, ends=True,
        own="LONGMEMORY|undo",
    ),
    "compact": Deed(("memory", "compact"), compacted, COMPACTION),
    "compact-again": Deed(
        ("memory", "compact"), compacted, COMPACTION + "min_age_days = 0\n",
        before=(*COMPACT, *NOTE), settings_before=COMPACTION, own="LONGMEMORY-before|undo",
    ),
    "compact-in-own-words": Deed(
        ("memory", "compact", "--ids", "OLDEST,MIDDLE", "--text", f"{NEW} they"), compacted, already="cannot|not|no "
    ),
    "compact-undo": Deed(
        ("memory", "compact", "--undo"), undone, COMPACTION, before=COMPACT, settings_before=COMPACTION
    ),
    "tick": Deed(
        ("memory", "tick"), compacted, COMPACTION + "[experiences]\nenabled = true\n", own=r"schedule|log\.jsonl"
    ),
    "experience": Deed(("experience", "add", f"{NEW} she"), experienced),
    "experience-many": Deed(("experience", "extract"), experienced),
    "experience-more": Deed(("experience", "extract"), experienced, "[experiences]\nmax_count = 3\n", before=LEARN),
    "experience-forget": Deed(
        ("experience", "forget", "EXPERIENCE"), unlearned, before=LEARN[:2], already="no experience"
    ),
}  # fmt: skip

ALIKE = {
    "remember": "add",
    "trim-by-length": "trim",
    "supersede-trims": "trim",
    "edit-archived": "edit",
    "forget-archived": "forget",
    "compact-in-own-words": "compact",
}
"""Deeds that write as another one does; the benchmark kills them, too."""
