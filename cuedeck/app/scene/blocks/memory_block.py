"""The block of memory: records that name what the scene visits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.memory.memory_snapshot import remembered
from cuedeck.app.scene.blocks.decisions_block import LONGEST
from cuedeck.model.memory_record import HIGH_VALUE
from cuedeck.parse.timestamps import moment_of
from cuedeck.records.mention_index import RecordMention, pieces
from cuedeck.scene.fence import quoted, single_line
from cuedeck.scene.ledger_blocks import Content, Row

if TYPE_CHECKING:
    from cuedeck.app.memory.memory_snapshot import MemorySnapshot
    from cuedeck.app.scene.blocks.proximity import VisitProximity
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.memory_record import Record
    from cuedeck.records.mention_parser import Mention
    from cuedeck.scene.mask import Mask

_MOST = 50
"""Rows that are made; a block has room for fewer unless its budget is very large."""
_SHORT = 200
"""Characters of a text where there is no room for more."""

Said = tuple["Mention | str", int]
"""A name of something that is visited, or the address of an entry that is linked, with its depth."""


class RecalledRecord(NamedTuple):
    """A record that names what is visited."""

    depth: int
    """Of the nearest visit it names."""
    record: int
    """Its place among the records."""
    pieces: tuple[str, ...]
    """The facts with the names, of a record that lists what others said; none where all of the text counts."""


def memory_block(project: Workspace, near: VisitProximity, mask: Mask) -> Content | None:
    """Return what is remembered of what is visited: the nearest first, of it what is of high value, then the newest."""
    kept = remembered(project)
    if kept is None:
        return None
    said: tuple[Said, ...] = (*_names(project, kept, near), *((address, 1) for address in near.named))
    if kept.told is None or kept.told[0] != said:
        kept.told = said, *_choose(said, kept)
    _, told, further = kept.told
    if not told:
        return None
    rows = tuple(_row(project, each, kept, mask) for each in told)
    return Content("memory", "## Memory\n\n", rows, "- {} more: `cuedeck memory list`\n", further)


def _names(project: Workspace, kept: MemorySnapshot, near: VisitProximity) -> Iterator[tuple[Mention, int]]:
    """Yield the names by which records mean something that is visited, each with its depth."""
    sayings, index = kept.sayings, project.index
    for name in dict.fromkeys(name for path in near.paths for name in sayings.that_may_mean(path, index.file(path))):
        place = kept.meanings.of(name)
        depth = near.depth_of(place) if place else None
        if depth is not None:
            yield name, depth


def _choose(said: Sequence[Said], kept: MemorySnapshot) -> tuple[Sequence[RecalledRecord], int]:
    """Return the records that say names of that depth, the most telling first, and how many further ones there are."""
    ranked = sorted(_meeting(said, kept), key=lambda met: _rank(met, kept))
    told: dict[str, RecalledRecord] = {}
    for at, met in enumerate(ranked):
        if len(told) == _MOST:
            return tuple(told.values()), len(ranked) - at
        told.setdefault(" ".join(_text(met, kept).casefold().split()), met)
    return tuple(told.values()), 0


def _rank(met: RecalledRecord, kept: MemorySnapshot) -> tuple[int, bool, int]:
    return met.depth, kept.records[met.record].category not in HIGH_VALUE, -met.record


def _meeting(said: Sequence[Said], kept: MemorySnapshot) -> Iterator[RecalledRecord]:
    """Yield the records that say names, or are linked themselves."""
    depths: dict[int, int] = {}
    said_in: dict[int, set[str]] = {}
    for name, depth in said:
        for record, piece in _saying(name, kept):
            depths[record] = min(depth, depths.get(record, depth))
            said_in.setdefault(record, set()).add(piece)
    for record, depth in depths.items():
        wanted = said_in[record] if "" not in said_in[record] else ()
        yield RecalledRecord(depth, record, tuple(piece for piece in pieces(kept.records[record]) if piece in wanted))


def _saying(name: Mention | str, kept: MemorySnapshot) -> Sequence[RecordMention]:
    if not isinstance(name, str):
        return kept.sayings.of(name)
    kind, _, identity = name.partition(":")
    if kind != "record":
        return kept.sayings.of_entry(name)
    at = kept.places.get(kept.standing(identity))
    return () if at is None or kept.records[at].is_secret else (RecordMention(at, ""),)


def _text(met: RecalledRecord, kept: MemorySnapshot) -> str:
    return "; ".join(piece.removeprefix("- ") for piece in met.pieces) or kept.records[met.record].text


def _row(project: Workspace, met: RecalledRecord, kept: MemorySnapshot, mask: Mask) -> Row:
    """Return the row of a record; one without secrets is the same in every scene."""
    key = met.record, met.pieces
    if key not in kept.rows:
        record = kept.records[met.record]
        said = f"[{record.category}] {_text(met, kept)}", kept.short(record.id)
        text, identity = map(mask.plain, said)
        end = f" (`record:{single_line(identity, _SHORT)}`{_age(project, record, kept)})\n"
        row = Row(f"- {quoted(text, LONGEST)}{end}", f"- {quoted(text, _SHORT)}{end}", record=record.id)
        if said != (text, identity):
            return row
        kept.rows[key] = row
    return kept.rows[key]


def _age(project: Workspace, record: Record, kept: MemorySnapshot) -> str:
    """Say how much older a record is than the newest one, where that makes it stale."""
    moment = moment_of(record.timestamp)
    days = (kept.newest - moment).days if kept.newest and moment else 0
    return f", {days:,} days before the newest" if days > project.settings.memory.stale_days else ""
