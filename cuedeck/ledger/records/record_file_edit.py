"""Rules for a new text of a record file: which lines a reader does not see, and which
changes of records are refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from cuedeck.ledger.records.merged_text import without
from cuedeck.ledger.records.record_file import RecordFile, without_records
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import counted, quoted
from cuedeck.model.memory_record import COMPACTION, SECRET, SENSITIVITIES, Record
from cuedeck.text.timestamps import moment_of

OPEN_LABEL = re.compile(
    rf'"sensitivity"\s*:\s*"(?:{"|".join(each for each in SENSITIVITIES if each != SECRET)})"'
)
"""The label of a record that is not secret, in a line that cannot be parsed."""
_MOST_LISTED = 3


def hidden_lines(file: RecordFile, forgotten: Collection[str]) -> dict[int, str]:
    """Return the lines that a reader must not see, counted from 1, each with the kind
    of its placeholder.

    `file` is parsed without regard to forgotten records. A line that looks like a
    record and cannot be parsed is hidden unless it names a label that is not secret.
    """
    hidden: dict[int, str] = {}
    for number, line in enumerate(file.lines, 1):
        record = line.record
        if record is not None and _is_forgotten(record, forgotten):
            hidden[number] = "forgotten-record"
        elif record is not None and record.is_secret:
            hidden[number] = "record"
        elif line.fault and not OPEN_LABEL.search(line.text):
            hidden[number] = "broken-record"
    return hidden


def hide_forgotten(file: RecordFile, forgotten: Collection[str]) -> RecordFile:
    """Return a file without forgotten records and the facts that were merged from
    them.
    """
    lines = []
    for line in without_records(file, forgotten).lines:
        record = line.record
        if record is not None and record.category == COMPACTION:
            text = without(record.text, forgotten)
            line = line._replace(record=replace(record, text=text))
        lines.append(line)
    return RecordFile(tuple(lines))


def _is_forgotten(record: Record, forgotten: Collection[str]) -> bool:
    """Return whether a record is forgotten, or contains facts merged from one that is:
    a restored copy of a file may contain both.
    """
    if record.id in forgotten:
        return True
    if not forgotten or record.category != COMPACTION:
        return False
    return without(record.text, forgotten) != record.text


def changed_records(old: RecordFile, new: RecordFile) -> dict[str, Record]:
    """Return the records of a file that its new text changes, by id.

    Both files are parsed without forgotten records. Raises: Invalid if a record would
    be lost, a new line would not be read as the record it looks like, a new timestamp
    is invalid, or an id would be used twice.
    """
    before = {record.id: record for record in old.records}
    used = Counter(record.id for record in old.records)
    uses = Counter(record.id for record in new.records)
    known = {line.text.rstrip("\r") for line in old.lines}
    changed: dict[str, Record] = {}
    for number, line in enumerate(new.lines, 1):
        record = line.record
        if line.text.rstrip("\r") in known:
            continue
        if line.fault:
            hint = "write a record as `- ` and a JSON object with a `text`, on one line"
            problem = f"the line would not be read as a record: {line.fault}"
            raise Invalid.on(number, problem, hint)
        if record is None:
            continue
        if record.timestamp and moment_of(record.timestamp) is None:
            problem = f"`{record.timestamp}` is not a timestamp"
            raise Invalid.on(number, problem, "write it like 2026-05-03T12:00:00Z")
        if uses[record.id] > 1:
            problem = f"the record id `{record.id}` is used {uses[record.id]} times"
            hint = "give a new record a new id, or leave it out"
            raise Invalid.on(number, problem, hint)
        if record.id in before:
            changed[record.id] = record
    for identity, count in uses.items():
        if count > max(1, used[identity]):
            problem = f"the record `{identity}` is repeated, and would be stored twice"
            raise Invalid(problem, hint="write its line once")
    _check_kept(before, uses)
    return changed


def _check_kept(before: Mapping[str, Record], uses: Collection[str]) -> None:
    """Raise Invalid if the new text has no record for an id of the old text.

    A record without an id is identified by its text, so that only their number counts.
    """
    lost = [record for record in before.values() if record.id not in uses]
    named = [record for record in lost if record.value.get("id") == record.id]
    if named:
        places = [f"`{each.id}` (line {each.line})" for each in named[:_MOST_LISTED]]
        listed = ", ".join(places)
        more = len(named) - _MOST_LISTED
        if more > 0:
            listed += f" and {more:,} more"
        raise Invalid(
            f"records would no longer be records: {listed}",
            hint=f"`cuedeck memory forget {quoted(named[0].id)}` deletes one",
        )
    fewer = len(lost) - sum(identity not in before for identity in uses)
    if fewer > 0:
        raise Invalid(
            f"{counted(fewer, 'record')} without an id would be lost",
            hint="keep their lines; `cuedeck memory list` lists them",
        )
