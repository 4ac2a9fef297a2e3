"""Scene block of the memory records that mention visited files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from cuedeck.context.blocks.blocks_fingerprint import EXPERIENCES
from cuedeck.context.scene.ledger_blocks import LONGEST_TEXT, Content, Row
from cuedeck.ledger.entry_source import mentioned_edges
from cuedeck.ledger.kinds.experience_kind import rank_experiences, shown_experiences
from cuedeck.ledger.mention_index import RecordMention, pieces
from cuedeck.ledger.mention_parser import Reader
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.ledger.records.memory_snapshot import RecalledRecord, load_memory_snapshot
from cuedeck.model.scene_values import Mentioned
from cuedeck.parse.fence import quoted, single_line
from cuedeck.text.timestamps import moment_of

if TYPE_CHECKING:
    from cuedeck.context.blocks.proximity import VisitProximity
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.mention_parser import Mention
    from cuedeck.ledger.records.memory_snapshot import MemorySnapshot
    from cuedeck.model.file import File
    from cuedeck.model.memory_record import Experience, Record
    from cuedeck.model.settings_schema import Settings
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index

_MOST = 50
"""Maximal number of rows. Only a very large budget has room for more."""
_SHORT = 200
"""Maximal number of characters of a record in its short form."""

VisitMention = tuple["Mention | str", int, str]
"""Mention of a visited place or address of a linked entry, then depth and address of
the visit.
"""


def memory_block(
    workspace: Workspace, near: VisitProximity, mask: Mask
) -> Content | None:
    """Return the records about the visits, or None without any.

    Order: the nearest first, then high-value categories, then the newest.
    """
    kept = load_memory_snapshot(workspace)
    if kept is None:
        return None
    mentions: tuple[VisitMention, ...] = (
        *_names(workspace.index, kept, near),
        *_linked(near),
    )
    chosen, further = _choose(mentions, kept)
    if not chosen:
        return None
    rows: list[Row] = []
    for each in chosen:
        row = _row(workspace.settings, each, kept, mask)
        rows.append(row._replace(entry=_entry(each, kept, near)))
    return Content(
        name="memory",
        head="## Memory\n\n",
        rows=tuple(rows),
        more="- {} more: `cuedeck memory list`\n",
        further=further,
    )


def _linked(near: VisitProximity) -> Iterator[VisitMention]:
    """Yield the linked entries: a record counts itself, visits of another kind count
    where a record mentions them.
    """
    for address, found in near.linked.items():
        if address.startswith("record:"):
            yield address, found.depth, found.via
        elif address in near.visited:
            yield address, found.depth + 1, address


def _entry(
    met: RecalledRecord, kept: MemorySnapshot, near: VisitProximity
) -> Mentioned:
    address = f"record:{kept.record(met.record).id}"
    linked = near.linked.get(address)
    if linked is not None and linked.depth <= met.depth:
        return linked
    return Mentioned(
        address=address,
        depth=met.depth,
        via=met.via,
        edge="mentions",
        why=f"it mentions {met.via}",
    )


def _names(
    index: Index, kept: MemorySnapshot, near: VisitProximity
) -> Iterator[tuple[Mention, int, str]]:
    """Yield the mentions in records that resolve to a visit, each with the depth and
    the address of the visit.
    """
    candidates = (
        kept.mentions.candidate_mentions(path, index.file(path)) for path in near.paths
    )
    for name in dict.fromkeys(chain.from_iterable(candidates)):
        place = kept.resolver.of(name)
        visit = near.visit_of(place) if place else None
        if visit is not None:
            yield name, visit.depth + 1, visit.address


def _choose(
    mentions: Sequence[VisitMention], kept: MemorySnapshot
) -> tuple[Sequence[RecalledRecord], int]:
    ranked = sorted(_matching_records(mentions, kept), key=lambda met: _rank(met, kept))
    chosen: dict[str, RecalledRecord] = {}
    for at, met in enumerate(ranked):
        if len(chosen) == _MOST:
            return tuple(chosen.values()), len(ranked) - at
        chosen.setdefault(" ".join(_text(met, kept).casefold().split()), met)
    return tuple(chosen.values()), 0


def _rank(met: RecalledRecord, kept: MemorySnapshot) -> tuple[int, bool, int]:
    return met.depth, not kept.record(met.record).is_protected, -met.record


def _matching_records(
    mentions: Sequence[VisitMention], kept: MemorySnapshot
) -> Iterator[RecalledRecord]:
    """Yield the records that contain one of the mentions or are linked themselves."""
    nearest: dict[int, tuple[int, str]] = {}
    pieces_in: dict[int, set[str]] = {}
    for name, depth, via in mentions:
        for record, piece in _records_with(name, kept):
            if record not in nearest or depth < nearest[record][0]:
                nearest[record] = depth, via
            pieces_in.setdefault(record, set()).add(piece)
    for record, (depth, via) in nearest.items():
        wanted = pieces_in[record] if "" not in pieces_in[record] else ()
        matching = tuple(
            piece for piece in pieces(kept.record(record)) if piece in wanted
        )
        yield RecalledRecord(depth, record, matching, via)


def _records_with(name: Mention | str, kept: MemorySnapshot) -> Sequence[RecordMention]:
    if not isinstance(name, str):
        return kept.mentions.of(name)
    kind, _, identity = name.partition(":")
    if kind != "record":
        return kept.mentions.of_entry(name)
    at = kept.places.get(kept.current_id(identity))
    if at is None or kept.record(at).is_secret:
        return ()
    return (RecordMention(at, ""),)


def _text(met: RecalledRecord, kept: MemorySnapshot) -> str:
    return (
        "; ".join(piece.removeprefix("- ") for piece in met.pieces)
        or kept.record(met.record).text
    )


def _row(
    settings: Settings, met: RecalledRecord, kept: MemorySnapshot, mask: Mask
) -> Row:
    record = kept.record(met.record)
    text = mask.plain(f"[{record.category}] {_text(met, kept)}")
    identity = single_line(mask.plain(kept.short(record.id)), _SHORT)
    end = f" (`record:{identity}`{_age(settings, record, kept)})\n"
    full, short = (f"- {quoted(text, most)}{end}" for most in (LONGEST_TEXT, _SHORT))
    return Row(full, short, record=record.id)


def _age(settings: Settings, record: Record, kept: MemorySnapshot) -> str:
    """Return a note on how much older a record is than the newest one."""
    moment = moment_of(record.timestamp)
    days = (kept.newest - moment).days if kept.newest and moment else 0
    return (
        f", {days:,} days before the newest"
        if days > settings.memory.stale_days
        else ""
    )


MOST_EXPERIENCES = 8
_LONGEST_EXPERIENCE, _SHORTEST_EXPERIENCE = 500, 160
"""Maximum characters of an experience in its full and in its short form."""


def experiences_block(
    workspace: Workspace, card: File, body: str, near: VisitProximity, mask: Mask
) -> Content | None:
    """Return the experiences that name a visit, nearest first, then those whose words
    match the card, best first; None without any.
    """
    if (
        not os.path.exists(workspace.paths.absolute(EXPERIENCES))
        or not workspace.settings.experiences.are_shown
    ):
        return None

    how = workspace.settings.experiences.similarity
    memory = memory_of(workspace)
    found = _naming(workspace, shown_experiences(memory), near)
    query = f"{card.title}\n{body}"
    for experience, _ in rank_experiences(memory, query, MOST_EXPERIENCES, how):
        entry = Mentioned(
            address=f"experience:{experience.id}",
            depth=1,
            via=card.path,
            edge="text",
            why=f"its words match {card.path}",
        )
        found.setdefault(experience, entry)
    rows = []
    for experience, entry in islice(found.items(), MOST_EXPERIENCES):
        line = mask.plain(f"[{experience.category}] {experience.text}")
        name = single_line(mask.plain(experience.id), _SHORTEST_EXPERIENCE)
        full, short = (
            f"- {quoted(line, most)} (`experience:{name}`)\n"
            for most in (_LONGEST_EXPERIENCE, _SHORTEST_EXPERIENCE)
        )
        rows.append(Row(full, short, record=experience.record, entry=entry))
    if not rows:
        return None
    more = "- {} more: `cuedeck experience list`\n"
    return Content("experiences", "## Relevant past experiences\n\n", tuple(rows), more)


def _naming(
    workspace: Workspace, experiences: Iterable[Experience], near: VisitProximity
) -> dict[Experience, Mentioned]:
    """Return the experiences that name a visit, the nearest first, then the newest."""

    reader = Reader()
    found: dict[Experience, Mentioned] = {}
    for experience in experiences:
        edges = mentioned_edges(workspace, reader.read(experience.text))
        targets = [edge.target for edge in edges]
        nearest = near.of_targets(f"experience:{experience.id}", targets, "mentions")
        if nearest is not None:
            found[experience] = nearest
    newest_first = reversed(found.items())
    return dict(sorted(newest_first, key=lambda each: each[1].depth))
