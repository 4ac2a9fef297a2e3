"""Deletion of statements: one by its address, or those that repeat a forgotten text.

A tombstone remains, so that no transcript brings a statement back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.records.recall_hits import words_of
from cuedeck.ledger.statement_files import StatementFiles
from cuedeck.model.errors import Invalid

if TYPE_CHECKING:
    from cuedeck.store.workspace_paths import WorkspacePaths

STATEMENT = "statement:"
_SHORTEST = 4
_LEAST_CONTAINED = 20
"""Characters of the shortest text whose containing statements are deleted."""
_LEAST_QUOTED = 8
"""Characters of the shortest statement that is looked for in other texts."""


class Copies(NamedTuple):
    """A statement, and those with the same text."""

    id: str
    by_path: Mapping[str, Sequence[str]]
    """Ids by workspace-relative path of their file."""


def find_copies(paths: WorkspacePaths, address: str) -> tuple[Copies, str]:
    """Return the statement at `statement:ID` with its copies in other sessions, and its
    text. Raises: NotFound, Ambiguous, Invalid, StorageError.
    """
    files = StatementFiles(paths)
    start = address.removeprefix(STATEMENT)
    if len(start) < _SHORTEST:
        raise Invalid(
            f"`{address}` is too short to identify a statement",
            hint=f"give at least {_SHORTEST} characters of the id",
        )
    identity = pick(
        start, files.ids(), "statement", "cuedeck recall --kind statement TEXT"
    )
    _, found = files.find(identity)
    text = str(found.value["text"])
    copies: dict[str, list[str]] = {}
    for path, row in files.statements():
        if row.value["text"] == text:
            copies.setdefault(path, []).append(row.id)
    return Copies(identity, copies), text


def quotes(text: str, said: str) -> bool:
    """Return whether a text that was made from statements contains one of them."""
    folded = _folded(said)
    if len(folded) < _LEAST_QUOTED:
        return False
    whole = _folded(text)
    return f" {folded} " in f" {whole} "


def forget_repeated(
    paths: WorkspacePaths, texts: Sequence[str], *, dry_run: bool
) -> dict[str, int]:
    """Delete the statements that contain a text or are part of one; return their number
    by file. Raises: Locked, StorageError.
    """
    files = StatementFiles(paths)
    folded = [_folded(text) for text in texts]
    found: dict[str, list[str]] = {}
    for path, row in files.statements():
        said = _folded(row.value["text"])
        if any(_repeats(said, text) for text in folded):
            found.setdefault(path, []).append(row.id)
    if found and not dry_run:
        files.forget(set(chain.from_iterable(found.values())))
    return {path: len(ids) for path, ids in found.items()}


def _repeats(said: str, text: str) -> bool:
    """Return whether a statement is part of a text, or contains one of at least 20
    characters.
    """
    if not said or not text:
        return False
    return said in text or (len(text) >= _LEAST_CONTAINED and text in said)


def _folded(text: str) -> str:
    return " ".join(words_of(text))
