"""Entries of one kind as nodes of the graph, as answers of `read` and as units of
recall.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from cuedeck.graph.resolve_ref import resolve_citation
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.kind import Identified, Kind, LogEntry, fold
from cuedeck.ledger.records.memory_snapshot import load_memory_snapshot
from cuedeck.model.entry_node import ENTRY_KINDS, EntryEdge, LedgerEntry, Retired
from cuedeck.model.recall_values import Unit
from cuedeck.model.scene_values import Target

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.mention_parser import Mention
    from cuedeck.model.ports import JsonView
    from cuedeck.store.index import Index

Value = TypeVar("Value", bound=Identified)
Entry = TypeVar("Entry", bound=LogEntry)


class Shown(NamedTuple):
    """Place and fields of an entry."""

    path: str
    line: int
    fields: JsonView

    def text(self) -> str:
        """Return the fields that are not empty, one a line; secrets are not masked."""
        rows = []
        for name, value in self.fields.items():
            if value not in (None, "", [], {}):
                rows.append(f"{name}: {_field_text(value)}\n")
        return "".join(rows)

    def title(self) -> str:
        """Return the words that name the entry; secrets are not masked."""
        for name in ("decision", "tried", "text", "title"):
            if self.fields.get(name):
                return str(self.fields[name])
        return ""


class EntrySource(Generic[Value]):
    """Access to the entries of one kind in a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    def entries(self) -> Sequence[Value]:
        """Return the entries, oldest first. Raises: StorageError."""
        return ()

    def ids(self, start: str) -> Iterable[str]:
        """Return the ids; those that do not begin with `start` may be left out."""
        return [each.id for each in self.entries()]

    def find(self, identity: str) -> Value:
        """Return an entry. Raises: LookupError if it does not exist, StorageError."""
        for each in self.entries():
            if each.id == identity:
                return each
        raise LookupError(identity)

    def shown(self, value: Value) -> Shown:
        """Return place and fields of an entry. Raises: Invalid if it is secret."""
        raise NotImplementedError

    def edges(self, value: Value) -> Iterator[EntryEdge]:
        """Yield the edges of an entry in written order."""
        raise NotImplementedError

    def retired(self, identity: str) -> Retired | None:
        """Return why links do not lead to an entry; None if they do."""
        return None

    def units(self, path: str) -> Iterator[Unit]:
        """Yield the units of recall in a file, their times as written."""
        return iter(())


class LogSource(EntrySource[Entry]):
    """Access to the entries of an append-only log."""

    def __init__(self, kind: Kind[Entry], workspace: Workspace) -> None:
        super().__init__(workspace)
        self.kind = kind

    def entries(self) -> Sequence[Entry]:
        return self.workspace.ledger.entries(self.kind)

    def shown(self, value: Entry) -> Shown:
        rows = self.workspace.ledger.derive(self.kind.log, fold)[value.id]
        fields = {name: each for name, each in rows.items() if name != "proof"}
        row = self.first_rows()[value.id]
        return Shown(self.kind.path_of(row), row.line, fields)

    def edges(self, value: Entry) -> Iterator[EntryEdge]:
        addresses = self.kind.affects(value, self.entries())
        return address_edges(self.workspace.index, self.kind.cites, addresses)

    def retired(self, identity: str) -> Retired | None:
        return self.kind.retired(self.find(identity), self.entries())

    def units(self, path: str) -> Iterator[Unit]:
        rows = self.first_rows()
        for each in self.entries():
            row = rows[each.id]
            if self.kind.path_of(row) != path:
                continue
            text = join_texts(self.kind.recalled(each))
            line = row.line
            name, date = self.kind.name, each.timestamp
            yield Unit(
                name,
                line,
                line,
                text,
                id=each.id,
                date=date,
            )

    def first_rows(self) -> Mapping[str, LedgerEntry]:
        """Return the first row of each id, which is an own one if there is one."""
        rows = self.workspace.ledger.read_log(self.kind.log).entries
        return {row.id: row for row in reversed(rows)}


def source_of(workspace: Workspace, kind: str) -> EntrySource[Any] | None:
    """Return access to the entries of a kind; None for an unknown kind."""
    row = ENTRY_KINDS.get(kind)
    if row is None or not row.place:
        return None
    found: Any = resolve_name(row.place)
    return LogSource(found, workspace) if row.is_log else found(workspace)


def log_kinds() -> list[Kind[Any]]:
    """Return the kinds in append-only logs."""
    rows = ENTRY_KINDS.values()
    return [resolve_name(row.place) for row in rows if row.is_log]


def pick_entry(text: str, kind: str, entries: Iterable[Value]) -> Value:
    """Return the entry with the id or id prefix `text`, as `pick`."""
    known = {each.id: each for each in entries}
    return known[pick(text, list(known), kind)]


def join_texts(parts: Iterable[str]) -> str:
    """Return the texts of an entry as one text for recall."""
    return " — ".join(part.strip() for part in parts if part.strip())


def _field_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False)


def address_edges(
    index: Index, kind: str, addresses: Iterable[str]
) -> Iterator[EntryEdge]:
    """Yield an edge to each address that leads to an existing place or to another node
    of a ledger.
    """
    for address in addresses:
        target = resolve_citation(address, index)
        if isinstance(target, Target) and index.retired(target.address) is None:
            yield EntryEdge(kind, target)


def mentioned_edges(
    workspace: Workspace, names: Iterable[Mention]
) -> Iterator[EntryEdge]:
    """Yield an edge to each file, part of a file, session and decision that a text
    names.
    """
    snapshot = load_memory_snapshot(workspace)
    for name in names:
        if name.form in ("session", "decision"):
            if name.text in workspace.index.entries(name.form, name.text):
                yield from address_edges(
                    workspace.index,
                    "mentions",
                    [f"{name.form}:{name.text}"],
                )
            continue
        place = None
        if snapshot is not None:
            place = snapshot.resolver.of(name)
        if place is not None and place.kind != "folder":
            yield EntryEdge("mentions", place)
