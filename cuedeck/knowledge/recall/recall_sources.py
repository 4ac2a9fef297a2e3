"""The files that recall searches, each with the reader that makes its units."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.ledger.records.memory_files import (
    EXPERIENCES,
    PRIMARY,
    USER,
    daily,
    memory_of,
)
from cuedeck.ledger.statement_files import statement_paths
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.errors import ConfigurationError, StorageError
from cuedeck.model.paths import ASSUMPTIONS, CORTEX, ledger_path
from cuedeck.model.recall_values import LONG_MEMORY
from cuedeck.store.cortex.cortex_tree import print_of_folder
from cuedeck.store.files.fingerprint import Print, print_of
from cuedeck.store.files.scanner import (
    ExtraRoot,
    extra_files,
    extra_roots,
    is_markdown,
)
from cuedeck.text.timestamps import day_of

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.workspace_paths import WorkspacePaths

EXTRA = "extra:"
"""Prefix of the paths of files outside the workspace."""
CORTEX_READERS = ("cortex", "timeline")
_INDEXED_KINDS = ("card", "doc")
"""Kinds of files of the workspace that are searched."""


class Source(NamedTuple):
    """A file of units."""

    path: str
    """Workspace-relative path, or `extra:<name>/<path>`."""
    place: str
    """Absolute path; empty for a card or doc, which the index of files has read."""
    reader: str
    """`records`, `notes` (prose that may contain copies of records), `prose`, `cortex`,
    `timeline`, `card`, `doc`, or the name of a ledger.
    """
    kind: str
    """Kind of its units of prose."""
    day: str = ""
    """Date of its units that have none of their own."""
    is_memory: bool = False
    """Whether it is a memory file, which is never read through a symbolic link."""
    hash: str = ""
    """Hash of a card or doc."""


def print_of_source(source: Source) -> Print | None:
    """Return the fingerprint of a file, or of the messages of a day; None if it is
    missing.
    """
    if source.reader == "timeline":
        return print_of_folder(source.place)
    return print_of(source.place)


def recall_sources(workspace: Workspace) -> tuple[list[Source], list[str]]:
    """Return the files to search, and notes about those that are not."""
    paths = workspace.paths
    files = list(_ledgers(paths))
    notes = extra_root_faults(paths, workspace.settings)
    try:
        files += _memory_files(memory_of(workspace))
    except ConfigurationError as error:
        notes.insert(0, f"the memory is not searched: {error.message}")
    files += extra_sources(paths, workspace.settings)
    for kind in _INDEXED_KINDS:
        for path, digest in workspace.index.hashes_of_kind(kind).items():
            files.append(
                Source(
                    path,
                    "",
                    kind,
                    kind,
                    hash=digest,
                )
            )
    try:
        if paths.has_folder(CORTEX) or paths.shared.has_folder(CORTEX):
            # Most workspaces have no cortex tree.
            from cuedeck.knowledge.recall.cortex_units import cortex_files

            for path, reader in cortex_files(paths):
                files.append(
                    Source(
                        path,
                        paths.absolute(path),
                        reader,
                        "cortex",
                    )
                )
    except StorageError as error:
        notes.append(f"the cortex tree is not searched: {error.message}")
    return files, notes


def extra_sources(paths: WorkspacePaths, settings: Settings) -> list[Source]:
    """Return the Markdown files outside the workspace that the settings name."""
    files: list[Source] = []
    for root in workspace_extra_roots(paths, settings):
        files += _extra_files(root, paths.root)
    return files


def extra_root_faults(paths: WorkspacePaths, settings: Settings) -> list[str]:
    """Return a message for each path of `files.extra` that cannot be searched."""
    faults = []
    for root in workspace_extra_roots(paths, settings):
        if not os.path.exists(root.place):
            faults.append(f"files.extra: {root.written} does not exist")
        elif os.path.isfile(root.place) and not is_markdown(root.place):
            faults.append(f"files.extra: {root.written} is not a Markdown file (.md)")
    return faults


def workspace_extra_roots(
    paths: WorkspacePaths, settings: Settings
) -> tuple[ExtraRoot, ...]:
    """Return the folders and files outside the workspace that the settings name."""
    return extra_roots(settings.files.extra, paths.root)


def _memory_files(memory: MemoryFiles) -> Iterator[Source]:
    def source(
        name: str,
        reader: str,
        kind: str,
        day: str = "",
    ) -> Source:
        return Source(
            memory.path(name), memory.place(name), reader, kind, day, is_memory=True
        )

    yield source(PRIMARY, "records", "log")
    if memory.archive:
        yield source(memory.archive, "records", "log")
    for day in memory.days():
        yield source(
            daily(day),
            "records",
            "log",
            day,
        )
    for name in memory.notes():
        day = day_of(posixpath.basename(name))
        yield source(
            name,
            "notes",
            "log",
            day,
        )
    yield source(memory.long_memory, "prose", LONG_MEMORY)
    yield source(USER, "prose", "user")
    yield source(EXPERIENCES, "experiences", "experience")


def _ledgers(paths: WorkspacePaths) -> Iterator[Source]:
    logs = [kind for kind, row in ENTRY_KINDS.items() if row.is_log]
    for kind in logs:
        path = ledger_path(f"{kind}s")
        yield Source(
            path,
            paths.absolute(path),
            f"{kind}s",
            kind,
        )
    for path in statement_paths(paths):
        yield Source(
            path,
            paths.absolute(path),
            "statements",
            "statement",
        )
    place = paths.absolute(ASSUMPTIONS)
    yield Source(
        ASSUMPTIONS,
        place,
        "assumptions",
        "assumption",
    )


def _extra_files(root: ExtraRoot, workspace: str) -> Iterator[Source]:
    for relative, place in extra_files(root, workspace):
        path = posixpath.join(f"{EXTRA}{root.name}", relative).rstrip("/")
        yield Source(
            path,
            place,
            "prose",
            "extra",
            day_of(posixpath.basename(path)),
        )
