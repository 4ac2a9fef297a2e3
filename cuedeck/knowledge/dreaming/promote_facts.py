"""Promotion of facts into MEMORY.md, with their ledger and the diary of the night."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.knowledge.dreaming.diary_text import HEADER as DIARY_HEADER
from cuedeck.knowledge.dreaming.diary_text import (
    Night,
    format_night,
    has_news,
    lists_promotion,
    newest_day_of,
    with_entry,
)
from cuedeck.knowledge.dreaming.promotion_lines import (
    CHANNEL,
    Promotion,
    ledger_lines,
    ledger_promotions,
    with_promotions,
)
from cuedeck.ledger.records.memory_files import DIARY, PRIMARY, PROMOTIONS
from cuedeck.ledger.records.memory_writer import HEADER, writing

if TYPE_CHECKING:
    from cuedeck.knowledge.dreaming.recalled_texts import MemoryTexts
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer


def promote(
    memory: MemoryFiles, texts: MemoryTexts, night: Night
) -> tuple[list[Promotion], str]:
    """Write the promotions of a night, each fact once; return those written, and the
    path of the diary if it got an entry.

    MEMORY.md is written first: if the process is killed before the ledger is, the mark
    in the record prevents a second promotion. The entry also lists earlier promotions
    that the diary lacks. Raises: Locked, StorageError.
    """
    with writing(memory) as writer:
        texts = texts.refreshed()
        promotions = _still_valid(texts, night.promotions)
        unlisted = _unlisted(memory, texts)
        if promotions:
            _create(memory, writer, PRIMARY, HEADER)
            writer.rewrite(
                PRIMARY, lambda text: with_promotions(text, promotions, HEADER)
            )
            writer.add_lines(PROMOTIONS, ledger_lines(promotions))
        night = night._replace(promotions=[*unlisted, *promotions])
        is_written = _write_diary(memory, writer, night)
    if promotions:
        memory.changed("edit")
    return promotions, memory.path(DIARY) if is_written else ""


def _still_valid(
    texts: MemoryTexts, promotions: Sequence[Promotion]
) -> list[Promotion]:
    """Return the promotions that no other process made or made impossible meanwhile,
    with the current records.
    """
    valid: list[Promotion] = []
    for each in promotions:
        identity = each.record.id
        if texts.is_promoted(identity, each.keys):
            continue
        found = texts.known.get(identity)
        record = each.record if found is None else found.record
        is_new = record.channel == CHANNEL
        if found is None and not is_new:
            continue
        if texts.is_hidden(record):
            continue
        valid.append(replace(each, record=record))
    return valid


def _unlisted(memory: MemoryFiles, texts: MemoryTexts) -> list[Promotion]:
    """Return the promotions in the ledger that the diary lacks, because the process was
    killed or the disk was full when it wrote the entry.

    Older promotions than the newest entry are in an entry that a person deleted.
    """
    diary = memory.text(DIARY) or ""
    first_day = newest_day_of(diary)
    records = {found.record.id: found.record for found in texts.known.values()}
    ledger = memory.text(PROMOTIONS) or ""
    unlisted = []
    for each in ledger_promotions(ledger, records):
        if each.date < first_day or lists_promotion(diary, each.record.id):
            continue
        if not texts.is_hidden(each.record):
            unlisted.append(each)
    return unlisted


def _write_diary(memory: MemoryFiles, writer: Writer, night: Night) -> bool:
    """Add an entry to the diary if the night has news; return whether it has.

    The file is replaced: half a line, as a killed append leaves it, could contain the
    text of a fact without its id, and a deletion would miss it.
    """
    if not has_news(night, memory.text(DIARY) or ""):
        return False
    _create(memory, writer, DIARY, DIARY_HEADER)
    entry = format_night(night)
    writer.rewrite(DIARY, lambda text: with_entry(text, entry))
    return True


def _create(memory: MemoryFiles, writer: Writer, name: str, header: str) -> None:
    """Create a file that only its owner can read, unless it exists."""
    if memory.print(name) is None:
        writer.add_lines(name, header)
