"""Kind of the statements of conversations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from cuedeck.ledger.entry_source import EntrySource, Shown, mentioned_edges
from cuedeck.ledger.mention_parser import Reader
from cuedeck.ledger.statement_files import StatementFiles
from cuedeck.model.entry_node import EntryEdge


class StatementSource(EntrySource[Any]):
    """Access to the captured statements."""

    def ids(self, start: str) -> Iterable[str]:
        return StatementFiles(self.workspace.paths).ids()

    def find(self, identity: str) -> Shown:
        path, row = StatementFiles(self.workspace.paths).find(identity)
        return Shown(path, row.line, row.value)

    def shown(self, value: Shown) -> Shown:
        return value

    def edges(self, value: Shown) -> Iterator[EntryEdge]:
        names = Reader().read(str(value.fields["text"]))
        return mentioned_edges(self.workspace, names)
