"""Entries of record files that the memory block may show: no hidden records, and each
record once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from cuedeck.ledger.records.record_file import Line, RecordFile
from cuedeck.ledger.records.record_text import LONGEST, RecordText, at_most
from cuedeck.model.memory_record import CHECKPOINT_TEXT, Record
from cuedeck.model.record_categories import category_of
from cuedeck.text.plain_text import fold_case

_RULE = "---"


def visible_items(
    files: Sequence[RecordFile],
    replaced: Collection[str],
    *,
    allow_secret: bool,
    without_turns: bool = False,
) -> list[RecordText]:
    """Return the visible entries, ordered by file and line.

    Of records with the same id or text, the last one in the first file that contains
    any is used; if that one is hidden, none is.
    """
    items: list[RecordText] = []
    ids = set(replaced)
    keys: set[str] = set()
    for section, file in enumerate(files):
        entries = list(_entries(file))
        last_id: dict[str, int] = {}
        last_key: dict[str, int] = {}
        for at, source in enumerate(entries):
            if isinstance(source, Record):
                last_id[source.id] = last_key[fold_case(source.text)] = at
        for at, source in enumerate(entries):
            if isinstance(source, Record):
                key = fold_case(source.text)
                is_last = last_id[source.id] == last_key[key] == at
                if not is_last or source.id in ids or key in keys:
                    continue
                if _is_hidden(source, allow_secret, without_turns):
                    continue
            text = at_most(source, LONGEST)
            items.append(RecordText(section, len(items), text, source))
        ids.update(last_id)
        keys.update(last_key)
    return items


def _entries(file: RecordFile) -> Iterator[Record | str]:
    """Yield the records of a file, and its lines that are neither blank nor malformed
    records, after the header.
    """
    for line in file.lines[_header_length(file.lines) :]:
        if line.record is not None:
            yield line.record
        elif line.text.strip() and not line.fault:
            yield line.text


def _header_length(lines: Sequence[Line]) -> int:
    """Return the number of lines of a header. It ends with a rule before the first
    record; without one it is at most the first line.
    """
    for at, line in enumerate(lines):
        if line.record is not None:
            break
        if line.text.strip() == _RULE:
            return at + 1
    return int(bool(lines) and lines[0].text.startswith("# "))


def _is_hidden(record: Record, allow_secret: bool, without_turns: bool) -> bool:
    if record.is_secret and not allow_secret:
        return True
    if without_turns and category_of(record.category).is_turn_report:
        return True
    return not fold_case(record.text) or record.text == CHECKPOINT_TEXT
