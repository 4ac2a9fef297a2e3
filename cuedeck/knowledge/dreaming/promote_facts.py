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
    with_entry,
)
from cuedeck.knowledge.dreaming.promoted_records import (
    CHANNEL,
    Promotion,
    ledger_lines,
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
    in the record prevents a second promotion. Raises: Locked, StorageError.
    """
    with writing(memory) as writer:
        promotions = _still_valid(texts.refreshed(), night.promotions)
        if promotions:
            _create(memory, writer, PRIMARY, HEADER)
            writer.rewrite(
                PRIMARY, lambda text: with_promotions(text, promotions, HEADER)
            )
            writer.add_lines(PROMOTIONS, ledger_lines(promotions))
        night = night._replace(promotions=promotions)
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
        record = each.record
        found = texts.known.get(record.id)
        if found is not None:
            record = found.record
        elif record.channel != CHANNEL:
            continue
        if not texts.is_promoted(record.id) and not texts.is_hidden(record):
            valid.append(replace(each, record=record))
    return valid


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
