"""Kind of the experiences: statements distilled from records, in experiences.jsonl."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from cuedeck.ledger.codecs import Log, dump
from cuedeck.ledger.entry_source import EntrySource, Shown, mentioned_edges
from cuedeck.ledger.kind import Kind
from cuedeck.ledger.mention_parser import Reader
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.entry_node import EntryEdge, LedgerEntry, Retired
from cuedeck.model.errors import ConfigurationError, Invalid, StorageError
from cuedeck.model.memory_record import DEFAULT_SENSITIVITY, Experience
from cuedeck.model.recall_values import Unit
from cuedeck.store.files.disk import parse_json
from cuedeck.text.plain_text import string_of
from cuedeck.text.rank_texts import rank_texts

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import JsonView


class ExperienceKind(Kind[Experience]):
    """Experiences of a memory, in experiences.jsonl."""

    name = "experience"
    value = Experience
    text_field = "text"
    shown = (
        "text",
        "category",
        "session",
        "timestamp",
        "record",
        "entities",
        "sources",
    )

    def read(self, entries: Iterable[LedgerEntry]) -> tuple[Experience, ...]:
        """Return the experiences in line order; the last line of an id counts."""
        found: dict[str, Experience] = {}
        for entry in entries:
            if has_text(entry):
                found.pop(entry.id, None)
                found[entry.id] = _experience(entry)
        return tuple(found.values())

    def format(self, value: Experience) -> str:
        """Return the line of an experience; unknown keys follow the known ones."""
        known: dict[str, object] = {
            "id": value.id,
            "text": value.text,
            "sessionId": value.session,
            "category": value.category,
            "timestamp": value.timestamp,
            "recordId": value.record,
            "sensitivity": value.sensitivity,
            "confidence": value.confidence,
            "entities": list(value.entities),
        }
        if value.sources:
            known["sources"] = list(value.sources)
        unknown = {key: each for key, each in value.value.items() if key not in known}
        unknown.pop("sources", None)
        return dump({**known, **unknown})


EXPERIENCE = ExperienceKind()
LISTING = "cuedeck experience list"


def has_text(entry: LedgerEntry) -> bool:
    """Return whether a line has the text of an experience."""
    return bool(string_of(entry.value.get("text")).strip())


def _experience(entry: LedgerEntry) -> Experience:
    value = entry.value
    confidence = value.get("confidence")
    if isinstance(confidence, bool) or not isinstance(confidence, int | float):
        confidence = 1
    return Experience(
        id=entry.id,
        text=string_of(value.get("text")),
        category=string_of(value.get("category")) or "note",
        session=string_of(value.get("sessionId")),
        timestamp=entry.timestamp,
        record=string_of(value.get("recordId")),
        sources=_texts(value, "sources"),
        sensitivity=string_of(value.get("sensitivity")) or DEFAULT_SENSITIVITY,
        entities=_texts(value, "entities"),
        confidence=confidence,
        value=value,
        line=entry.line,
    )


def _texts(value: JsonView, key: str) -> tuple[str, ...]:
    found = value.get(key)
    if not isinstance(found, list):
        return ()
    return tuple(each for each in found if isinstance(each, str))


def experience_faults(memory: MemoryFiles) -> list[Diagnostic]:
    """Return the malformed lines of the file. Raises: StorageError."""
    log: Log = memory.log(EXPERIENCE.log)
    faults = list(log.faults)
    hint = "remove the line; the entries on other lines are still read"
    for entry in log.entries:
        if not has_text(entry):
            message = "not an entry: no text"
            place = (memory.path(EXPERIENCE.file), entry.line)
            faults.append(
                Diagnostic(
                    *place,
                    "warning",
                    "bad-entry",
                    message,
                    hint,
                )
            )
    return sorted(faults, key=lambda fault: fault.line)


def shown_experiences(memory: MemoryFiles) -> list[Experience]:
    """Return the experiences that are not labelled secret. Raises: StorageError."""
    return [each for each in memory.entries(EXPERIENCE) if not each.is_secret]


def rank_experiences(
    memory: MemoryFiles, query: str, most: int, how: str
) -> list[tuple[Experience, float]]:
    """Return the experiences that match a query, with their scores, best first. Raises:
    StorageError.
    """
    shown = {each.id: each for each in shown_experiences(memory)}
    texts = {identity: each.text for identity, each in shown.items()}
    ranked = rank_texts(texts, query, most, how)
    return [(shown[each.id], each.score) for each in ranked]


def experiences_in(workspace: Workspace) -> Sequence[Experience]:
    """Return the experiences of the workspace; none if they are outside it or
    unreadable (`doctor` reports it).
    """
    try:
        return memory_of(workspace).entries(EXPERIENCE)
    except (ConfigurationError, StorageError):
        return ()


def foreign_experiences(text: str) -> Iterator[Experience]:
    """Yield the experiences of CursorClaw's `tmp/experience-store.json`; invalid
    entries are skipped.

    Embedding vectors are dropped, because they can be computed from the texts.
    """
    value = parse_json(text)
    rows = value.get("experiences") if isinstance(value, dict) else None
    for row in rows if isinstance(rows, list) else ():
        if not isinstance(row, dict):
            continue
        identity = string_of(row.get("id"))
        entry = LedgerEntry(
            identity,
            string_of(row.get("timestamp")),
            row,
            0,
            "",
        )
        if identity and has_text(entry):
            known = ("id", "text", "category", "sessionId", "timestamp", "recordId")
            kept = {name: row[name] for name in known if name in row}
            yield _experience(entry._replace(value=kept))


class ExperienceSource(EntrySource[Experience]):
    """Access to the experiences of the primary memory."""

    def entries(self) -> Sequence[Experience]:
        return experiences_in(self.workspace)

    def shown(self, value: Experience) -> Shown:
        if value.is_secret:
            message = f"experience `{value.id}` has the sensitivity secret"
            raise Invalid(message, hint=f"its source is record:{value.record}")
        return Shown(EXPERIENCE.path, value.line, EXPERIENCE.row(value))

    def edges(self, value: Experience) -> Iterator[EntryEdge]:
        return mentioned_edges(self.workspace, Reader().read(value.text))

    def retired(self, identity: str) -> Retired | None:
        return Retired("secret") if self.find(identity).is_secret else None

    def units(self, path: str) -> Iterator[Unit]:
        for each in self.entries():
            if not each.is_secret:
                yield Unit(
                    "experience",
                    each.line,
                    each.line,
                    each.text,
                    id=each.id,
                    date=each.timestamp,
                    session=each.session,
                    category=each.category,
                )
