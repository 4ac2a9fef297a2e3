"""Adding records: secrets masked, durably written to MEMORY.md and the daily log,
trimmed to the rolling window.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.engine.mask_answers import mask_given
from cuedeck.knowledge.memory.append_trigger import after_append
from cuedeck.ledger.records.memory_writer import writing
from cuedeck.ledger.records.record_file import value_of
from cuedeck.ledger.records.rolling_window import Window, oldest_over
from cuedeck.model.errors import Invalid, StorageError, TooLong
from cuedeck.model.memory_record import (
    CHECKPOINT_TEXT,
    DEFAULT_SENSITIVITY,
    SENSITIVITIES,
    Record,
)
from cuedeck.model.record_categories import CATEGORIES, COMPACTION
from cuedeck.store.clock import local_now
from cuedeck.store.files.log_file import log
from cuedeck.text.timestamps import format_record_moment
from cuedeck.work.sessions.sync_scene import open_id

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.ledger.records.memory_writer import Writer
    from cuedeck.ledger.session_files import SessionFiles

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


CHECKPOINT = NewRecord(CHECKPOINT_TEXT, COMPACTION, "operational", "system", 1)
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
        with writing(memory) as writer:
            append(memory, writer, values)
        after_append(workspace, memory)
    return [value["id"] for value in values]


def check_category(category: str) -> None:
    """Raise Invalid if the category of a new record is unknown. An empty category means
    the default.
    """
    name = " ".join(category.split())
    if name and name not in CATEGORIES:
        import difflib

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
    masked: str = mask_given(text, workspace)
    return [line for line in masked.split("\n") if line.strip()]


def append(
    memory: MemoryFiles, writer: Writer, values: Sequence[dict[str, Any]]
) -> None:
    """Append the JSON objects of records and trim to the rolling window.

    The caller must hold the writer lock.
    Raises: StorageError.
    """
    now = local_now()
    for value in values:
        value["provenance"]["timestamp"] = value["provenance"][
            "timestamp"
        ] or format_record_moment(now)
    if values:
        writer.append(values, now.date().isoformat())
    settings = memory.settings
    window = Window(settings.max_records, settings.max_chars)

    def cut(data: bytes) -> tuple[bytes, int, Sequence[str]]:
        return oldest_over(data, window, *memory.size())

    if (window.max_records or window.max_chars) and window.is_over(*memory.size()):
        try:
            writer.trim(cut)
        except StorageError as error:
            # The new records are on disk; the next append trims.
            log(
                memory.workspace,
                {
                    "event": "error",
                    "profile": memory.profile.id,
                    "job": "trim",
                    "message": error.message,
                },
            )


def to_value(workspace: Workspace, wanted: NewRecord, session: str) -> dict[str, Any]:
    """Return the JSON object of a new record with masked secrets. Raises: Invalid."""
    # Most hooks import this module and add no record.
    import uuid

    text = wanted.text.strip()
    if not text:
        raise Invalid("a record needs a text", hint="give the text to remember")
    if len(text) > LONGEST:
        raise TooLong(
            f"a record must have at most {LONGEST:,} characters, got {len(text):,}",
            hint="put it in a doc and remember its path",
        )
    if wanted.sensitivity not in SENSITIVITIES:
        raise Invalid(
            f"`{wanted.sensitivity}` is not a sensitivity",
            hint=f"one of {', '.join(SENSITIVITIES)}",
        )
    if not 0 <= wanted.confidence <= 1:
        message = f"confidence must be between 0 and 1, got {wanted.confidence:g}"
        raise Invalid(message, hint="give --confidence 0.5, for example")
    category = " ".join(wanted.category.split())[:_LONGEST_NAME] or "note"
    channel = " ".join(wanted.channel.split())[:_LONGEST_NAME]
    others: dict[str, Any] = {}
    if wanted.supersedes:
        others["supersedes"] = list(wanted.supersedes)
    record = Record(
        id=wanted.id or str(uuid.uuid4()),
        text=mask_given(text, workspace),
        category=mask_given(category, workspace),
        session=mask_given(wanted.session, workspace) or session,
        channel=mask_given(channel, workspace),
        confidence=wanted.confidence,
        timestamp="",
        sensitivity=wanted.sensitivity,
        value=others,
    )
    return value_of(record)


def current_session(sessions: SessionFiles) -> str:
    """Return the session id of a record that is added now."""
    return open_id(sessions) or MAIN_SESSION
