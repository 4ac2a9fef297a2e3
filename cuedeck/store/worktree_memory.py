"""Private memory that a linked worktree of git has from before it shared that of the
main worktree.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any

from cuedeck.ledger.statements.statement_files import ENDING
from cuedeck.ledger.statements.statement_rows import FORGOTTEN
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import CORTEX, HOME, SESSIONS, is_private_memory
from cuedeck.model.profile import OWN
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import create, read_generated, tree_of, write_atomic
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.nofollow import PRIVATE
from cuedeck.store.files.storage_failure import failed
from cuedeck.store.workspace_paths import WorkspacePaths

_LINE_FILES = (".jsonl", ".md")
_ENTRY = re.compile(r"(?:^|(?<=\n))(?! {2}).*(?:\n {2}.*)*")
"""A line with the indented lines that belong to it."""


def left_memory(paths: WorkspacePaths) -> list[str]:
    """Return the workspace-relative paths of the private files in a worktree that
    shares the memory of another one, sorted; none in any other workspace.
    """
    if paths.shared is paths:
        return []
    names = tree_of(os.path.join(paths.root, HOME))
    found = []
    for name in names:
        path = f"{HOME}/{name}"
        if is_private_memory(path):
            found.append(path)
    return found


def move_memory(paths: WorkspacePaths, path: str) -> None:
    """Move a private file of a worktree to the main worktree. A file of lines that is
    there already gets the lines that it lacks. Raises: Locked, StorageError for a file
    that differs from the one there and cannot be merged; then nothing was changed.
    """
    place = os.path.join(paths.root, *path.split("/"))
    target = paths.absolute(path)
    with locked(paths, _family(path)):
        data = read_generated(place) or b""
        if not create(target, data, mode=PRIVATE):
            _merge(path, target, data)
        try:
            nofollow.unlink(place)
        except OSError as error:
            raise failed(f"remove {place}", error, "check the permissions") from error


def _family(path: str) -> str:
    if path.endswith(ENDING):
        return "statements"
    if path.startswith(f"{SESSIONS}/"):
        return "sessions"
    if path.startswith(f"{CORTEX}/"):
        return "cortex"
    return f"memory-{OWN.id}"


def _merge(path: str, target: str, data: bytes) -> None:
    present = read_generated(target) or b""
    if present == data:
        return
    is_cortex = path.startswith(f"{CORTEX}/")
    if is_cortex and "/." in path[len(CORTEX) :]:
        return  # layers and the journal are made again
    if is_cortex or not path.endswith(_LINE_FILES):
        raise StorageError(
            f"{path} of this worktree differs from {target}",
            hint="compare both files, then remove the one in this worktree",
        )
    merged = _merged(_decode(present), _decode(data))
    text = "".join(f"{entry}\n" for entry in merged)
    write_atomic(target, text.encode("utf-8", "surrogateescape"), private=True)


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _merged(old: str, new: str) -> Iterator[str]:
    """Yield the entries of a text, then those of another one that it lacks. Of two
    entries with one id the first counts, unless the second was forgotten.
    """
    forgotten = set()
    for entry in _entries(new):
        row = _row(entry)
        if row.get("kind") == FORGOTTEN:
            forgotten.add(row.get("id"))
    known = set()
    for entry in _entries(old):
        row = _row(entry)
        is_alive = row.get("kind") != FORGOTTEN
        if is_alive and row.get("id") in forgotten:
            continue
        known.add(_name(entry))
        yield entry
    for entry in _entries(new):
        name = _name(entry)
        if not name.strip() or name in known:
            continue
        known.add(name)
        yield entry


def _name(entry: str) -> str:
    """Return the id of an entry of a ledger; any other entry as it is."""
    return str(_row(entry).get("id", entry))


def _entries(text: str) -> list[str]:
    return _ENTRY.findall(text.removesuffix("\n"))


def _row(entry: str) -> dict[str, Any]:
    """Return the row of a ledger; empty for any other text."""
    if not entry.startswith("{"):
        return {}
    try:
        value = json.loads(entry)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
