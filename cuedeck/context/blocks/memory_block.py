"""Scene block of the memory records that mention visited files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from cuedeck.context.scene.ledger_blocks import LONGEST_TEXT, Content, Row
from cuedeck.ledger.entry_source import mentioned_edges
from cuedeck.ledger.kinds.experience_kind import rank_experiences, shown_experiences
from cuedeck.ledger.mention_index import RecordMention, pieces
from cuedeck.ledger.mention_parser import Reader
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.ledger.records.memory_snapshot import RecalledRecord, load_memory_snapshot
from cuedeck.model.scene_values import Mentioned
from cuedeck.parse.fence import quoted, single_line
from cuedeck.text.timestamps import moment_of

if TYPE_CHECKING:
    from cuedeck.context.blocks.proximity import VisitProximity
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.mention_parser import Mention
    from cuedeck.ledger.records.memory_snapshot import MemorySnapshot
    from cuedeck.model.memory_record import Experience
    from cuedeck.model.scene_values import Visit
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
    mentions = [*_names(workspace.index, kept, near), *_linked(near)]
    ranked = sorted(_matching_records(mentions, kept), key=lambda met: _rank(met, kept))
    rows: dict[str, Row] = {}
    further = 0
    for at, met in enumerate(ranked):
        if len(rows) == _MOST:
            further = len(ranked) - at
            break
        text = " ".join(_text(met, kept).casefold().split())
        if text not in rows:
            rows[text] = _row(workspace.settings, met, kept, near, mask)
    more = "- {} more: `cuedeck memory list`\n"
    found = Content("memory", "## Memory\n\n", tuple(rows.values()), more, further)
    return found if rows else None


def _linked(near: VisitProximity) -> Iterator[VisitMention]:
    """Yield the linked entries: a record counts itself, visits of another kind count
    where a record mentions them.
    """
    for address, found in near.linked.items():
        if address.startswith("record:"):
            yield address, found.depth, found.via
        elif address in near.visited:
            yield address, found.depth + 1, address


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
    settings: Settings,
    met: RecalledRecord,
    kept: MemorySnapshot,
    near: VisitProximity,
    mask: Mask,
) -> Row:
    record = kept.record(met.record)
    text = mask.plain(f"[{record.category}] {_text(met, kept)}")
    identity = single_line(mask.plain(kept.short(record.id)), _SHORT)
    moment = moment_of(record.timestamp)
    days = (kept.newest - moment).days if kept.newest and moment else 0
    age = ""
    if days > settings.memory.stale_days:
        age = f", {days:,} days before the newest"
    end = f" (`record:{identity}`{age})\n"
    full = f"- {quoted(text, LONGEST_TEXT)}{end}"
    short = f"- {quoted(text, _SHORT)}{end}"
    address = f"record:{record.id}"
    why = f"it mentions {met.via}"
    entry = near.linked.get(address)
    if entry is None or entry.depth > met.depth:
        entry = Mentioned(address, met.depth, met.via, "mentions", why)
    return Row(full, short, record=record.id, entry=entry)


MOST_EXPERIENCES = 8
_LONGEST_EXPERIENCE, _SHORTEST_EXPERIENCE = 500, 160
"""Maximum characters of an experience in its full and in its short form."""


def experiences_block(
    workspace: Workspace, root: Visit, near: VisitProximity, mask: Mask
) -> Content | None:
    """Return the experiences that name a visit, nearest first, then those whose words
    match the card, best first; None without any.

    Raises: ConfigurationError, StorageError.
    """
    card = workspace.index.file(root.path)
    settings = workspace.settings.experiences
    if card is None or not settings.are_shown:
        return None
    memory = memory_of(workspace)
    reader = Reader()
    nearest: list[tuple[Experience, Mentioned]] = []
    for experience in shown_experiences(memory):
        edges = mentioned_edges(workspace, reader.read(experience.text))
        targets = [edge.target for edge in edges]
        met = near.of_targets(f"experience:{experience.id}", targets, "mentions")
        if met is not None:
            nearest.insert(0, (experience, met))
    found = dict(sorted(nearest, key=lambda each: each[1].depth))
    text = workspace.texts.text(root.path)
    body = text.split("\n", card.body - 1)[-1]
    query = f"{card.title}\n{body}"
    how = settings.similarity
    why = f"its words match {card.path}"
    for experience, _ in rank_experiences(memory, query, MOST_EXPERIENCES, how):
        address = f"experience:{experience.id}"
        found.setdefault(experience, Mentioned(address, 1, card.path, "text", why))
    rows = []
    for experience, entry in islice(found.items(), MOST_EXPERIENCES):
        line = mask.plain(f"[{experience.category}] {experience.text}")
        name = single_line(mask.plain(experience.id), _SHORTEST_EXPERIENCE)
        end = f" (`experience:{name}`)\n"
        full = f"- {quoted(line, _LONGEST_EXPERIENCE)}{end}"
        short = f"- {quoted(line, _SHORTEST_EXPERIENCE)}{end}"
        rows.append(Row(full, short, record=experience.record, entry=entry))
    head = "## Relevant past experiences\n\n"
    more = "- {} more: `cuedeck experience list`\n"
    return Content("experiences", head, tuple(rows), more) if rows else None
