"""One night of dreaming: facts that were recalled often are promoted into MEMORY.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from cuedeck.knowledge.dreaming.diary_text import (
    Night,
    format_night,
    has_news,
    with_entry,
)
from cuedeck.knowledge.dreaming.recalled_texts import CHANNEL, Excluded, MemoryTexts
from cuedeck.knowledge.dreaming.score_facts import RecalledText, Scored, score_facts
from cuedeck.knowledge.recall.mask_units import Find
from cuedeck.ledger.kinds.promotion_kind import PROMOTION, Promotion
from cuedeck.ledger.kinds.record_kind import RECORD
from cuedeck.ledger.records.memory_files import DIARY, HEADER, PRIMARY
from cuedeck.ledger.records.recall_hits import RecallLog, read_recalls, remove_recalls
from cuedeck.model.memory_record import PROMOTED
from cuedeck.store.clock import zoned_now

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import Json

MAX_LISTED = 20
"""Number of facts listed that miss a threshold."""


@dataclass(frozen=True, slots=True)
class DreamReport:
    """Result of one night."""

    profile: str
    dry_run: bool
    moment: datetime
    counts: Mapping[str, int]
    """`texts`, `hits`, `facts`, `recalls` (the hits of the facts), `joined`, `stale`,
    `malformed`.
    """
    promotions: Sequence[Promotion]
    waiting: Sequence[Scored]
    """Facts that miss a threshold, best first."""
    excluded: Sequence[Excluded]
    """Texts that cannot be promoted and may be named."""
    diary: str
    """Path of the diary if an entry was written, else empty."""

    @property
    def answer(self) -> Json:
        """The report as JSON."""
        return {
            "profile": self.profile,
            "dry_run": self.dry_run,
            "date": self.moment.date().isoformat(),
            **self.counts,
            "themes": [],
            "promoted": list(map(_promotion_row, self.promotions)),
            "waiting": list(map(_waiting_row, self.waiting[:MAX_LISTED])),
            "waiting_total": len(self.waiting),
            "excluded": [
                {"address": each.total.last.address, "reason": each.fault}
                for each in self.excluded[:MAX_LISTED]
            ],
            "excluded_total": len(self.excluded),
            "diary": self.diary,
        }


def _promotion_row(promotion: Promotion) -> Json:
    return {
        "address": f"record:{promotion.record.id}",
        "text": promotion.record.text,
        **promotion.mark,
    }


def _waiting_row(scored: Scored) -> Json:
    return {
        "address": scored.text.source,
        "text": scored.text.statement.text,
        "score": scored.score,
        "signals": scored.signals,
        "reason": scored.fault,
    }


def run_dream(
    workspace: Workspace, memory: MemoryFiles, *, now: datetime, dry_run: bool = False
) -> DreamReport:
    """Promote the facts that were recalled often into MEMORY.md, and write the diary.

    A dry run changes no byte. Raises: Locked, StorageError; a repetition promotes
    nothing twice.
    """
    log = read_recalls(memory)
    texts = MemoryTexts(memory, workspace.find_secrets)
    recalled: list[RecalledText] = []
    excluded: list[Excluded] = []
    for total in log.totals.values():
        found = texts.resolve(total, now.tzinfo) if total.strong else None
        if isinstance(found, Excluded):
            excluded.append(found)
        elif found is not None:
            recalled.append(found)
    facts = score_facts(recalled, workspace.settings.dream, now.date())
    waiting = [fact for fact in facts if fact.fault and not fact.is_promoted]
    promotions = [_promotion(texts, fact, now) for fact in facts if not fact.fault]
    counts = {**_counts(log, facts), "stale": sum(each.is_gone for each in excluded)}
    newest_day = max((fact.newest_day for fact in facts), default="")
    night = Night(now, counts["facts"], counts["recalls"], promotions, newest_day)
    diary = ""
    if not dry_run:
        promotions, diary = promote(memory, workspace.find_secrets, night)
        stale = {each.total.key for each in excluded if each.is_gone}
        if stale:
            remove_recalls(memory, lambda total: total.key not in stale)
    return DreamReport(
        profile=memory.profile.id,
        dry_run=dry_run,
        moment=now,
        counts=counts,
        promotions=promotions,
        waiting=waiting,
        excluded=[each for each in excluded if not each.is_hidden],
        diary=diary,
    )


def _counts(log: RecallLog, facts: Sequence[Scored]) -> dict[str, int]:
    fresh = [fact for fact in facts if fact.recalls]
    return {
        "texts": len(log.totals),
        "hits": sum(len(total.hits) for total in log.totals.values()),
        "facts": len(fresh),
        "recalls": sum(fact.recalls for fact in fresh),
        "joined": sum(fact.joined for fact in fresh),
        "stale": 0,
        "malformed": log.malformed,
    }


def run_now(
    workspace: Workspace, memory: MemoryFiles, *, dry_run: bool = False
) -> DreamReport:
    """Run one night at the current time; see `run_dream`."""
    return run_dream(workspace, memory, now=zoned_now(), dry_run=dry_run)


def _promotion(texts: MemoryTexts, fact: Scored, now: datetime) -> Promotion:
    return Promotion(
        record=fact.text.record,
        source=texts.origin_of(fact.text),
        score=fact.score,
        recalls=fact.recalls,
        days=fact.days,
        queries=fact.queries,
        date=now.date().isoformat(),
    )


def promote(
    memory: MemoryFiles, find_secrets: Find, night: Night
) -> tuple[list[Promotion], str]:
    """Write the promotions of a night, each fact once; return those written, and the
    path of the diary if it got an entry.

    MEMORY.md is written first: if the process is killed before the ledger is, the mark
    in the record prevents a second promotion. Raises: Locked, StorageError.
    """
    with memory.writing():
        promotions = _still_valid(MemoryTexts(memory, find_secrets), night.promotions)
        if promotions:
            if not (memory.text(PRIMARY) or "").strip():
                memory.write(PRIMARY, HEADER.encode())
            marked = []
            for each in promotions:
                value = {**each.record.value, PROMOTED: each.mark}
                marked.append(replace(each.record, value=value))
            memory.replace(RECORD, (), marked)
            memory.append_entries(PROMOTION, promotions)
        night = night._replace(promotions=promotions)
        # The file is replaced: half a line, as a killed append leaves it, could contain
        # the text of a fact without its id, and a deletion would miss it.
        is_written = has_news(night, memory.text(DIARY) or "")
        if is_written:
            entry = format_night(night)
            memory.rewrite(DIARY, lambda text: with_entry(text, entry))
    return promotions, memory.path(DIARY) if is_written else ""


def _still_valid(
    texts: MemoryTexts, promotions: Sequence[Promotion]
) -> list[Promotion]:
    valid: list[Promotion] = []
    for each in promotions:
        record = each.record
        found = texts.known.get(record.id)
        if found is not None:
            record = found.record
        elif record.channel != CHANNEL:
            continue
        if not texts.is_promoted(record) and not texts.is_hidden(record):
            valid.append(replace(each, record=record))
    return valid
