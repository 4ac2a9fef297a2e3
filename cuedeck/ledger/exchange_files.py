"""Files of the exchanged entries of a copy: one for each kind, and the state of the
exchange. The worktrees of a repository share them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from cuedeck.ledger.entry_files import EntryFiles
from cuedeck.ledger.merge_rows import format_rows, parse_rows, union
from cuedeck.model.exchange_row import Row
from cuedeck.model.paths import EXCHANGE, HOME
from cuedeck.model.ports import Json
from cuedeck.store.files.disk import parse_json
from cuedeck.store.files.fingerprint import Print
from cuedeck.store.files.private_folder import keyed_hash
from cuedeck.store.workspace_paths import WorkspacePaths

NOTES = "notes.md"
"""Records and experiences of other copies, for recall."""
_STATE = "state.json"


class ExchangeFiles(EntryFiles):
    """The exchanged entries of a workspace, those of this copy included."""

    def __init__(self, paths: WorkspacePaths) -> None:
        super().__init__(paths.shared, f"{HOME}/{EXCHANGE}", "exchange")
        self._known: dict[str, tuple[Print | None, set[Row]]] = {}

    def rows(self, kind: str) -> set[Row]:
        """Return the entries of a kind. Raises: StorageError."""
        name = _file(kind)
        found = self.print(name)
        known = self._known.get(kind)
        if known is None or known[0] != found:
            rows = set(parse_rows(self.data(name) or b""))
            known = self._known[kind] = found, rows
        return known[1]

    def store(self, rows: Iterable[Row]) -> int:
        """Add entries durably; return the number of new ones. The text of a forgotten
        entry is removed. Raises: Locked, StorageError.
        """
        by_kind: dict[str, list[Row]] = {}
        for row in rows:
            by_kind.setdefault(row.kind, []).append(row)
        added = 0
        for kind, found in by_kind.items():
            known = self.rows(kind)
            fresh = [row for row in dict.fromkeys(found) if row not in known]
            if not fresh:
                continue
            if all(row.line for row in fresh):
                self.add_lines(_file(kind), format_rows(fresh))
                known.update(fresh)
            else:
                known = set(union({*known, *fresh}))
                self.write(_file(kind), format_rows(union(known)).encode())
            self._known[kind] = self.print(_file(kind)), known
            added += len(fresh)
        return added

    def state(self) -> Json:
        """Return the state of the exchange; empty before the first one."""
        found = parse_json(self.data(_STATE) or b"")
        return found if isinstance(found, dict) else {}

    def save(self, state: Json, *, is_first: bool = False) -> None:
        """Write the state of the exchange, unless the user removed the file since the
        first time to end it. Raises: StorageError.
        """
        if not is_first and not self.print(_STATE):
            return
        self.write(_STATE, json.dumps(state, ensure_ascii=False, indent=2).encode())

    def agreement(self, workspace_id: str) -> str:
        """Return the mark of the user's agreement to exchange this workspace, which no
        repository can contain. Raises: StorageError.
        """
        root = os.path.realpath(self.workspace.root)
        text = f"exchange\n{root}\n{workspace_id}"
        return keyed_hash(text.encode("utf-8", "surrogateescape"))


def _file(kind: str) -> str:
    return f"{kind}s.jsonl"
