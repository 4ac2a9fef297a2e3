"""Deletion of statements: one by its address, or those that repeat a forgotten text.

A tombstone remains, so that no transcript brings a statement back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.app.cortex.forget_quotations import forget_quotations
from cuedeck.model.errors import Invalid
from cuedeck.records.id_prefix import pick
from cuedeck.store.cache.kept_brief import forget_brief
from cuedeck.store.git.worktrees import places_in_worktrees
from cuedeck.store.ledgers.statement_files import StatementFiles, is_statement
from cuedeck.store.workspace_paths import WorkspacePaths

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.workspace_paths import WorkspacePaths

STATEMENT = "statement:"
_SHORTEST = 4
_LEAST_CONTAINED = 20
"""Characters of the shortest text whose containing statements are deleted."""


def forget_statement(
    workspace: Workspace, address: str, *, dry_run: bool = False
) -> dict[str, Any]:
    """Delete the statement at `statement:ID`; return the answer of `memory forget`.

    Raises: NotFound, Ambiguous, Invalid, Locked, StorageError.
    """
    files = StatementFiles(workspace.paths)
    start = address.removeprefix(STATEMENT)
    if len(start) < _SHORTEST:
        raise Invalid(
            f"`{address}` is too short to identify a statement",
            hint=f"give at least {_SHORTEST} characters of the id",
        )
    identity = pick(
        start, files.ids(), "statement", "cuedeck recall --kind statement TEXT"
    )
    path, _ = files.find(identity)
    if not dry_run:
        files.forget([identity])
        for place in places_in_worktrees(workspace.paths.root):
            forget_brief(WorkspacePaths(place))
        forget_quotations(workspace)
        workspace.refresh_for_recall()
    return {
        "id": identity,
        "dry_run": dry_run,
        "places": [{"path": path, "what": "1 removed"}],
        "same_text": [],
        "originals": [],
        "warnings": [],
    }


def forget_repeated(
    paths: WorkspacePaths, texts: Sequence[str], *, dry_run: bool
) -> dict[str, int]:
    """Delete the statements that contain a text or are part of one; return their number
    by file. Raises: Locked, StorageError.
    """
    files = StatementFiles(paths)
    folded = [_folded(text) for text in texts]
    found: dict[str, list[str]] = {}
    for path in files.paths():
        for row in files.rows(path):
            if not is_statement(row.value):
                continue
            said = _folded(str(row.value["text"]))
            if any(_repeats(said, text) for text in folded):
                found.setdefault(path, []).append(row.id)
    if found and not dry_run:
        files.forget({identity for ids in found.values() for identity in ids})
    return {path: len(ids) for path, ids in found.items()}


def _repeats(said: str, text: str) -> bool:
    """Return whether a statement is part of a text, or contains one of at least 20
    characters.
    """
    return said in text or (len(text) >= _LEAST_CONTAINED and text in said)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
