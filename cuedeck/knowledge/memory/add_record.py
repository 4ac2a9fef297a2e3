"""Adding records: secrets masked, durably written to MEMORY.md and the daily log,
trimmed to the rolling window.
"""

from __future__ import annotations

import difflib
import uuid
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_given
from cuedeck.knowledge.compaction.deduplication import form
from cuedeck.knowledge.memory.due_jobs import after_append
from cuedeck.ledger.kinds.record_kind import RECORD
from cuedeck.ledger.records.memory_files import PRIMARY, daily
from cuedeck.ledger.records.record_file import parse_records, value_of
from cuedeck.ledger.records.record_lookup import superseded
from cuedeck.model.errors import Invalid, StorageError, TooLong
from cuedeck.model.memory_record import (
    CATEGORIES,
    CHECKPOINT_TEXT,
    COMPACTION,
    DEFAULT_SENSITIVITY,
    SENSITIVITIES,
    Record,
    category_of,
    is_secret,
)
from cuedeck.store.clock import local_now
from cuedeck.store.files.log_file import log
from cuedeck.text.timestamps import format_record_moment
from cuedeck.work.sessions.scene_context import open_id

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.model.ports import Json

LONGEST = 100_000
"""Maximal number of characters of a record."""
_LONGEST_NAME = 100
"""Maximal number of characters of a category or a channel."""
MAIN_SESSION = "main"
"""Session id of a record that is added while no session is open."""


class NewRecord(NamedTuple):
    """Values of a record to be added."""

    text: str
    category: str = "note"
    sensitivity: str = DEFAULT_SENSITIVITY
    channel: str = "cli"
    confidence: float = 1
    session: str = ""
    """Session id; by default that of the open session."""
    supersedes: tuple[str, ...] = ()
    id: str = ""
    """Record id; by default a random one."""


CHECKPOINT = NewRecord(
    CHECKPOINT_TEXT,
    COMPACTION,
    "operational",
    "system",
    1,
)
"""Record written when a session is about to lose its context."""


def add_records(
    workspace: Workspace,
    memory: MemoryFiles,
    wanted: Iterable[NewRecord],
    *,
    any_category: bool = False,
) -> list[str]:
    """Write records durably to MEMORY.md and the daily log; return their ids.

    `any_category` allows categories of other programs, for a replacement that keeps the
    category of the old record. Raises: Invalid with nothing written, Locked,
    StorageError.
    """
    session = current_session(workspace.sessions)
    records = list(wanted)
    for each in records:
        if not any_category:
            check_category(each.category)
    values = [to_value(workspace, each, session) for each in records]
    if values:
        append(memory, values)
        after_append(workspace, memory)
    return [value["id"] for value in values]


def check_record(text: str, category: str, sensitivity: str) -> None:
    """Raise TooLong for a long text, Invalid for an unknown category or sensitivity;
    empty values are not checked.
    """
    check_category(category)
    if len(text) > LONGEST:
        raise TooLong(
            f"a record must have at most {LONGEST:,} characters, got {len(text):,}",
            hint="put it in a doc and remember its path",
        )
    if sensitivity and sensitivity not in SENSITIVITIES:
        raise Invalid(
            f"`{sensitivity}` is not a sensitivity",
            hint=f"one of {', '.join(SENSITIVITIES)}",
        )


def check_category(category: str) -> None:
    """Raise Invalid if the category of a new record is unknown. An empty category means
    the default.
    """
    name = " ".join(category.split())
    if name and name not in CATEGORIES:
        near = difflib.get_close_matches(name.lower(), CATEGORIES, 1, 0.6)
        hint = (
            f"did you mean `{near[0]}`?"
            if near
            else "use one of these; `note` fits any text"
        )
        raise Invalid(
            f"`{name}` is not a record category",
            hint=hint,
            candidates=tuple(CATEGORIES),
        )


def texts_of(workspace: Workspace, text: str) -> list[str]:
    """Return the texts of piped input, one per line. Secrets are masked first, because
    some span several lines.
    """
    lines = mask_given(text, workspace).split("\n")
    return [line for line in lines if line.strip()]


def append(memory: MemoryFiles, values: Sequence[Json]) -> None:
    """Append the JSON objects of records, and move the oldest records to the archive if
    MEMORY.md exceeds the rolling window. Raises: Locked, StorageError.
    """
    now = local_now()
    for value in values:
        origin = value["provenance"]
        origin["timestamp"] = origin["timestamp"] or format_record_moment(now)
    with memory.writing():
        if values:
            memory.add_records(values, now.date().isoformat())
        window = Window(memory.settings.max_records, memory.settings.max_chars)
        if any(window) and window.is_over(*memory.size()):
            _trim(memory, window)


def _trim(memory: MemoryFiles, window: Window) -> None:
    def cut(text: str) -> str:
        kept, dropped = oldest_over(text, window)
        memory.archive_lines(dropped)
        return kept

    try:
        memory.rewrite(PRIMARY, cut)
    except StorageError as error:
        # The new records are on disk; the next append trims.
        problem = {"profile": memory.profile.id, "job": "trim"}
        log(memory.workspace, {"event": "error", **problem, "message": error.message})


def to_value(workspace: Workspace, wanted: NewRecord, session: str) -> Json:
    """Return the JSON object of a new record with masked secrets. Raises: Invalid."""
    text = wanted.text.strip()
    if not text:
        raise Invalid("a record needs a text", hint="give the text to remember")
    check_record(text, "", wanted.sensitivity)
    if not 0 <= wanted.confidence <= 1:
        message = f"confidence must be between 0 and 1, got {wanted.confidence:g}"
        raise Invalid(message, hint="give --confidence 0.5, for example")
    category = " ".join(wanted.category.split())[:_LONGEST_NAME] or "note"
    channel = " ".join(wanted.channel.split())[:_LONGEST_NAME]
    others = {"supersedes": list(wanted.supersedes)} if wanted.supersedes else {}
    given = (text, category, wanted.session, channel)
    text, category, given_session, channel = mask_given(given, workspace)
    record = Record(
        id=wanted.id or str(uuid.uuid4()),
        text=text,
        category=category,
        session=given_session or session,
        channel=channel,
        confidence=wanted.confidence,
        timestamp="",
        sensitivity=wanted.sensitivity,
        value=others,
    )
    return value_of(record)


def current_session(sessions: SessionFiles) -> str:
    """Return the session id of a record that is added now."""
    return open_id(sessions) or MAIN_SESSION


class Window(NamedTuple):
    """Limits of a file of records; 0 means unlimited."""

    max_records: int
    max_chars: int
    """Code points of the whole file."""

    def is_over(self, records: int, chars: int) -> bool:
        """Return whether a file exceeds a limit."""
        has_too_many_records = 0 < self.max_records < records
        has_too_many_chars = 0 < self.max_chars < chars
        return has_too_many_records or has_too_many_chars


def oldest_over(text: str, window: Window) -> tuple[str, list[str]]:
    """Return a file without its oldest records, so that it is within the limits, and
    their lines. Lines that are no records and the newest record always stay.
    """
    file = parse_records(text)
    records, chars = len(file.records), len(text)
    kept: list[str] = []
    dropped: list[str] = []
    for line in file.lines:
        is_last = line.record is None or records == 1
        if is_last or not window.is_over(records, chars):
            kept.append(line.text)
        else:
            dropped.append(line.text)
            records -= 1
            chars -= len(line.text) + 1
    return "\n".join(kept), dropped


class Added(NamedTuple):
    """The record of a text: a new one, or the one that has it already."""

    id: str
    category: str
    sensitivity: str = ""
    is_known: bool = False
    """Whether the record was in MEMORY.md before, so that nothing was added."""

    def as_json(self) -> Json:
        """Return the record as plain values; `added` and the next keys only of a known
        one.
        """
        if not self.is_known:
            return {"id": self.id}
        return {
            "id": self.id,
            "added": False,
            "category": self.category,
            "sensitivity": self.sensitivity,
        }


def add_unknown(
    workspace: Workspace, memory: MemoryFiles, wanted: Iterable[NewRecord]
) -> list[Added]:
    """Add the records whose text MEMORY.md does not have yet, and return one result for
    each of `wanted`.

    Texts are equal if their normal forms are (see `deduplication`), whatever category,
    sensitivity or session they have; a record that compaction may merge does not stand
    for one that it must keep. Superseded records and records that replace others are
    not compared. Secret records are neither, so that the answer never confirms a guess.
    Raises: the errors of `add_records`.
    """
    session = current_session(workspace.sessions)
    records = list(wanted)
    for each in records:
        check_category(each.category)
    results: list[Added] = []
    values = []
    with memory.writing():
        known = _known_texts(memory.primary.records)
        for each in records:
            value = to_value(workspace, each, session)
            text, is_protected = _text_key(value["text"], value["category"])
            found = known.get((text, True)) or known.get((text, is_protected))
            if found is None or each.supersedes:
                values.append(value)
                found = Added(value["id"], value["category"])
                label = value["provenance"]["sensitivity"]
                same = Added(value["id"], value["category"], label, is_known=True)
                if not is_secret(label):
                    known.setdefault((text, is_protected), same)
            results.append(found)
        _complete(memory, {each.id for each in results if each.is_known})
        append(memory, values)
    if values:
        after_append(workspace, memory)
    return results


def _known_texts(records: Sequence[Record]) -> dict[tuple[str, bool], Added]:
    """Return the records that are neither secret nor superseded by the normal form of
    their text, and whether compaction keeps them.
    """
    known: dict[tuple[str, bool], Added] = {}
    replaced = superseded(records)
    for each in records:
        if each.id not in replaced and not each.is_secret:
            text, _ = _text_key(each.text, each.category)
            found = Added(each.id, each.category, each.sensitivity, is_known=True)
            known.setdefault((text, each.is_protected), found)
    return known


def _text_key(text: str, category: str) -> tuple[str, bool]:
    return form(text) or text, category_of(category).is_protected


def _complete(memory: MemoryFiles, identities: Collection[str]) -> None:
    """Add known records to the log of today if the log of their day lacks them: the
    process that added them may have been killed before it wrote the log.
    """
    today = local_now().date().isoformat()
    for record in memory.primary.records if identities else ():
        if record.id not in identities:
            continue
        days = (record.timestamp[:10], today)
        logs = [memory.read(daily(day)) for day in days if memory.has_log(day)]
        if not any(record.id == each.id for log in logs for each in log.records):
            memory.add_lines(daily(today), f"{RECORD.format(record)}\n")
