"""One night of dreaming: light phase, REM phase, deep phase, promotion and diary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.dreaming.deep_phase import Scored, choose
from cuedeck.knowledge.dreaming.diary_text import Night
from cuedeck.knowledge.dreaming.light_phase import THRESHOLD, RecalledText, gather
from cuedeck.knowledge.dreaming.promote_facts import promote
from cuedeck.knowledge.dreaming.promotion_lines import CHANNEL, Promotion, passage_id
from cuedeck.knowledge.dreaming.recalled_texts import Excluded, MemoryTexts
from cuedeck.knowledge.dreaming.rem_phase import (
    MAX_INPUT,
    Theme,
    ThemeFact,
    find_themes,
)
from cuedeck.knowledge.experiences.duplicates import find_near
from cuedeck.ledger.records.recall_hits import read_recalls, remove_recalls
from cuedeck.model.memory_record import Record
from cuedeck.model.recall_total import RecallTotal
from cuedeck.store.clock import zoned_now
from cuedeck.text.timestamps import format_record_day

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.settings_schema import DreamSettings

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
    themes: Sequence[Theme]
    promotions: Sequence[Promotion]
    waiting: Sequence[Scored]
    """Facts that miss a threshold, best first."""
    excluded: Sequence[Excluded]
    """Texts that cannot be promoted and may be named."""
    diary: str
    """Path of the diary if an entry was written, else empty."""

    @property
    def answer(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "profile": self.profile,
            "dry_run": self.dry_run,
            "date": self.moment.date().isoformat(),
            **self.counts,
            "themes": list(map(_theme_row, self.themes)),
            "promoted": list(map(_promotion_row, self.promotions)),
            "waiting": list(map(_waiting_row, self.waiting[:MAX_LISTED])),
            "waiting_total": len(self.waiting),
            "excluded": list(map(_excluded_row, self.excluded[:MAX_LISTED])),
            "excluded_total": len(self.excluded),
            "diary": self.diary,
        }


def _theme_row(theme: Theme) -> dict[str, Any]:
    return {
        "terms": theme.terms,
        "addresses": theme.addresses,
        "days": theme.days,
    }


def _promotion_row(promotion: Promotion) -> dict[str, Any]:
    return {
        "address": f"record:{promotion.record.id}",
        "text": promotion.record.text,
        **promotion.mark,
    }


def _waiting_row(scored: Scored) -> dict[str, Any]:
    return {
        "address": scored.candidate.text.source,
        "text": scored.candidate.text.statement.text,
        "score": scored.score,
        "signals": scored.signals._asdict(),
        "reason": scored.fault,
    }


def _excluded_row(excluded: Excluded) -> dict[str, Any]:
    return {
        "address": excluded.total.address,
        "reason": excluded.fault,
    }


def run_dream(
    workspace: Workspace,
    memory: MemoryFiles,
    *,
    now: datetime,
    dry_run: bool = False,
) -> DreamReport:
    """Promote the facts that were recalled often into MEMORY.md, and write the diary.

    A dry run changes no byte. Raises: Locked, StorageError; a repetition promotes
    nothing twice.
    """
    log = read_recalls(memory)
    texts = MemoryTexts(memory, workspace.find_secrets)
    answers = [total for total in log.totals.values() if total.days]
    recalled, excluded = _resolve(texts, answers)
    night = _dream(texts, recalled, workspace.settings.dream, now)
    stale = {each.total.key for each in excluded if each.is_gone}
    promotions = night.promotions
    diary = ""
    if not dry_run:
        promotions, diary = promote(memory, texts, night)
        if stale:
            remove_recalls(
                memory,
                lambda total: total.key not in stale,
            )
    counts = {
        "texts": len(log.totals),
        "hits": sum(total.count for total in log.totals.values()),
        "facts": night.facts,
        "recalls": night.recalls,
        "joined": night.joined,
        "stale": len(stale),
        "malformed": log.malformed,
    }
    named = [each for each in excluded if not each.is_hidden]
    return DreamReport(
        profile=memory.profile.id,
        dry_run=dry_run,
        moment=now,
        counts=counts,
        themes=night.themes,
        promotions=promotions,
        waiting=night.waiting,
        excluded=named,
        diary=diary,
    )


def _dream(
    texts: MemoryTexts,
    recalled: Sequence[RecalledText],
    settings: DreamSettings,
    now: datetime,
) -> Night:
    """Return the result of the three phases."""
    today = now.date()
    first = today - timedelta(days=settings.max_age_days)
    first_day = first.isoformat()
    last_day = today.isoformat()
    every_text = (*recalled, *_unrecalled(texts, recalled))
    candidates = gather(every_text, first_day, last_day)
    facts = _theme_facts(texts, recalled, first_day, last_day)
    themes = find_themes(facts)
    in_themes: set[str] = set()
    for theme in themes:
        in_themes.update(theme.addresses)
    promotions: list[Promotion] = []
    waiting: list[Scored] = []
    for scored in choose(candidates, settings, today, in_themes):
        if scored.candidate.is_promoted:
            continue
        if scored.fault:
            waiting.append(scored)
            continue
        promotion = _promotion(texts, scored, now)
        promotions.append(promotion)
    fresh = [candidate for candidate in candidates if candidate.recalls]
    newest_days = (candidate.days[-1] for candidate in fresh)
    return Night(
        moment=now,
        facts=len(fresh),
        recalls=sum(candidate.recalls for candidate in fresh),
        joined=sum(len(candidate.others) for candidate in fresh),
        themes=themes,
        promotions=promotions,
        waiting=waiting,
        newest_day=max(newest_days, default=""),
    )


def run_now(
    workspace: Workspace, memory: MemoryFiles, *, dry_run: bool = False
) -> DreamReport:
    """Run one night at the current time; see `run_dream`."""
    return run_dream(workspace, memory, now=zoned_now(), dry_run=dry_run)


def _resolve(
    texts: MemoryTexts, totals: Iterable[RecallTotal]
) -> tuple[list[RecalledText], list[Excluded]]:
    recalled: list[RecalledText] = []
    excluded: list[Excluded] = []
    for total in totals:
        found = texts.resolve(total)
        if isinstance(found, Excluded):
            excluded.append(found)
        else:
            recalled.append(found)
    return recalled, excluded


def _unrecalled(
    texts: MemoryTexts, recalled: Iterable[RecalledText]
) -> list[RecalledText]:
    """Return the promoted records that were not recalled, so that near-duplicates of
    them are not promoted.
    """
    seen = {each.record_id for each in recalled}
    return [each for each in texts.promoted() if each.record_id not in seen]


def _theme_facts(
    texts: MemoryTexts,
    recalled: Iterable[RecalledText],
    first_day: str,
    last_day: str,
) -> list[ThemeFact]:
    """Return the texts recalled, and the records added, on the given days."""
    facts: dict[str, ThemeFact] = {}
    for each in texts.recent(first_day, last_day, MAX_INPUT):
        facts[each.source] = ThemeFact(
            address=each.source,
            terms=each.statement.terms,
            days=(each.day,),
            weight=1,
        )
    for each in recalled:
        days: set[str] = set()
        weight = 0
        for day, number in each.total.days:
            if first_day <= day <= last_day:
                days.add(day)
                weight += number
        if not days:
            continue
        known = facts.get(each.source)
        if known is not None:
            days.update(known.days)
            weight += known.weight
        facts[each.source] = ThemeFact(
            address=each.source,
            terms=each.statement.terms,
            days=tuple(sorted(days)),
            weight=weight,
        )
    return list(facts.values())


def _promotion(texts: MemoryTexts, scored: Scored, now: datetime) -> Promotion:
    candidate = scored.candidate
    members = (candidate.text, *candidate.others)
    return Promotion(
        record=_record(texts, candidate.text, now),
        keys=tuple(each.total.key for each in members),
        source=texts.origin_of(candidate.text),
        score=scored.score,
        recalls=candidate.recalls,
        days=len(candidate.days),
        queries=candidate.queries,
        date=now.date().isoformat(),
    )


def _record(texts: MemoryTexts, text: RecalledText, now: datetime) -> Record:
    """Return the record of a fact: the recalled one, a record of MEMORY.md that states
    the passage, or a new one with the day of the passage.
    """
    if text.record_id:
        return texts.known[text.record_id].record
    visible = texts.visible_in_primary()
    near = find_near("words", THRESHOLD, visible, text.statement.text)
    if near is not None:
        return texts.known[near.id].record
    return Record(
        passage_id(text.total.text_key),
        text.statement.text,
        channel=CHANNEL,
        timestamp=format_record_day(text.day, now.tzinfo),
    )
