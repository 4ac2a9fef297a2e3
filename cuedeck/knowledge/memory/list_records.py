"""Listing and display of records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from cuedeck.ledger.kinds.record_kind import record_row
from cuedeck.ledger.records.memory_files import PRIMARY, daily
from cuedeck.ledger.records.record_file import parse_records
from cuedeck.ledger.records.record_file_edit import OPEN_LABEL
from cuedeck.ledger.records.record_lookup import (
    KEY,
    Found,
    every_record,
    find_record,
    superseded,
)
from cuedeck.model.errors import Invalid
from cuedeck.model.ports import Json
from cuedeck.model.secret import as_words

if TYPE_CHECKING:
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.memory_record import Record
    from cuedeck.model.ports import Json

Where = Literal["memory", "daily", "archive", "all"]
_SHOWN_KEYS = ("id", "sessionId", "category", "text", "provenance")
"""Keys of a record that `record_row` covers."""
_MOST_OTHERS = 1_000
"""Prose and secret records among the newest lines, above which all lines are parsed."""


class Wanted(NamedTuple):
    """Filter of a list of records."""

    category: str = ""
    session: str = ""
    contains: str = ""
    """Words that the text must contain, case-insensitive."""
    where: Where = "memory"
    allow_secret: bool = False
    limit: int = 0
    """Maximal number of records, the newest ones; 0 for all."""


def list_records(memory: MemoryFiles, wanted: Wanted) -> Json:
    """Return the matching records, oldest first, and the number of earlier ones left
    out. Raises: StorageError.
    """
    unread = 0
    if wanted.limit and wanted == Wanted(limit=wanted.limit):
        known, unread = _newest(memory, wanted.limit)
    if not unread:
        known = every_record(memory, _names(memory, wanted.where))
    replaced = superseded(found.record for found in known.values())
    matching = [found for found in known.values() if _matches(found.record, wanted)]
    visible = [
        found for found in matching if wanted.allow_secret or not found.record.is_secret
    ]
    shown = visible[-wanted.limit :]  # all for 0
    return {
        "profile": memory.profile.id,
        "records": [record_row(memory, found, replaced) for found in shown],
        "earlier": unread + len(visible) - len(shown),
        # With a search text, this number would disclose the content of secrets.
        "secret": 0 if wanted.contains else len(matching) - len(visible),
    }


def _newest(memory: MemoryFiles, limit: int) -> tuple[dict[str, Found], int]:
    """Return at least `limit` of the newest records of MEMORY.md, and those that
    supersede others or may be secret, with the number of older ones that are not
    parsed; 0 if all lines must be parsed. Raises: StorageError.
    """
    lines = (memory.text(PRIMARY) or "").split("\n")
    end = len(lines) - limit - _MOST_OTHERS
    unread = 0
    for at in range(end):
        line = lines[at]
        if line.startswith("- {") and KEY not in line and OPEN_LABEL.search(line):
            lines[at] = ""
            unread += 1
    known = {}
    for record in parse_records("\n".join(lines)).records:
        known[record.id] = Found(record, (PRIMARY,))
        limit -= record.line > end and not record.is_secret
    is_enough = limit <= 0 and not memory.forgotten()
    return known, unread if is_enough else 0


def show_record(memory: MemoryFiles, text: str, *, allow_secret: bool = False) -> Json:
    """Return one record with all its data.

    Raises: NotFound, Ambiguous; Invalid for a secret record without `allow_secret`;
    StorageError.
    """
    found = find_record(memory, text)
    if found.record.is_secret and not allow_secret:
        raise Invalid(
            f"record `{found.record.id}` has the sensitivity secret",
            hint="add --allow-secret to show it",
        )
    known = every_record(memory, found.names)
    replaced = superseded(each.record for each in known.values())
    further = {
        key: value
        for key, value in found.record.value.items()
        if key not in _SHOWN_KEYS
    }
    return {
        **record_row(memory, found, replaced),
        "files": [memory.path(name) for name in found.names],
        "more": as_words(further),
    }


def _names(memory: MemoryFiles, where: Where) -> Sequence[str]:
    if where == "memory":
        return [PRIMARY]
    archive = [memory.archive] if memory.archive else []
    if where == "archive":
        return archive
    days = [daily(day) for day in memory.days()]
    # Chronological order: records that left MEMORY.md are older than those in it.
    if where == "daily":
        return days
    return [*archive, *days, PRIMARY]


def _matches(record: Record, wanted: Wanted) -> bool:
    if wanted.category and record.category != wanted.category:
        return False
    if wanted.session and not record.session.startswith(wanted.session):
        return False
    text = record.text.casefold()
    return all(word in text for word in wanted.contains.casefold().split())
