"""The files that recall searches, each with the reader that makes its units."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.memory.read_memory_file import possible_splits
from cuedeck.ledger.records.memory_files import (
    EXPERIENCES,
    PRIMARY,
    USER,
    daily,
    memory_of,
)
from cuedeck.ledger.statement_files import statement_paths
from cuedeck.model.address import (
    LineRange,
    format_lines,
    join_anchor,
    parse_lines,
)
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.errors import ConfigurationError, NotFound, StorageError
from cuedeck.model.paths import ASSUMPTIONS, CORTEX, EXCHANGE, HOME, ledger_path
from cuedeck.model.recall_values import LONG_MEMORY
from cuedeck.parse.fence import NumberedLine, numbered
from cuedeck.store.cortex.cortex_tree import print_of_folder
from cuedeck.store.files.disk import read_bytes
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
    from cuedeck.model.ports import Json
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.workspace_paths import WorkspacePaths


MOST_IN_HOOK = 3_000_000
"""Bytes that a hook reads into the index at most: about half a second of work."""


class IndexUnfinished(Exception):
    """The index lacks more than a hook may read. A command reads it."""


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
    related: str = ""
    """Absolute path of a file whose changes change its units."""


def print_of_source(source: Source) -> Print | None:
    """Return the fingerprint of a file, or of the messages of a day; None if it is
    missing.
    """
    if source.reader == "timeline":
        return print_of_folder(source.place)
    found = print_of(source.place)
    other = print_of(source.related) if found and source.related else None
    if found is None or other is None:
        return found
    return Print(
        found.size + other.size,
        max(found.mtime_ns, other.mtime_ns),
        max(found.ctime_ns, other.ctime_ns),
        found.inode ^ other.inode,
    )


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
        for relative, place in extra_files(root, paths.root):
            path = posixpath.join(f"{EXTRA}{root.name}", relative).rstrip("/")
            day = day_of(posixpath.basename(path))
            files.append(Source(path, place, "prose", "extra", day))
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
        own, exchanged = ledger_path(f"{kind}s"), f"{HOME}/{EXCHANGE}/{kind}s.jsonl"
        for path, other in ((own, exchanged), (exchanged, own)):
            yield Source(
                path,
                paths.absolute(path),
                f"{kind}s",
                kind,
                related=paths.absolute(other),
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


_MOST_NAMED = 5


def read_extra(workspace: Workspace, text: str, *, numbers: bool) -> Json:
    """Return the masked text of `extra:<name>/<path>#L3-L5`, in the shape of
    `read_address`.

    Raises: NotFound with the nearest paths, StorageError.
    """
    sources = {
        source.path: source
        for source in extra_sources(workspace.paths, workspace.settings)
    }
    splits = possible_splits(text)
    splits += [(f"{path}.md", anchor) for path, anchor in splits]
    known = [split for split in splits if split[0] in sources]
    if not known:
        raise _missing(splits[0][0], list(sources))
    path, anchor = known[0]
    source = sources[path]
    data = read_bytes(source.place) or b""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    lines = workspace.masked(text).split("\n")
    if not lines[-1]:
        lines.pop()
    start, end = _range(anchor, len(lines), path)
    chosen = lines[start - 1 : end]
    if numbers:
        rows = enumerate(chosen, start)
        chosen = [numbered(NumberedLine(*row, 0)) for row in rows]
    body = "".join(f"{line}\n" for line in chosen)
    counter = workspace.counter()
    tokens = counter.count(body)
    counter.save()
    return {
        "address": join_anchor(source.path, format_lines(start, end) if anchor else ""),
        "path": source.path,
        "kind": "extra",
        "lines": [start, end],
        "tokens": tokens,
        "text": body,
    }


def _missing(path: str, known: list[str]) -> NotFound:
    import difflib

    if not known:
        hint = "name folders outside the workspace in the variable CUEDECK_FILES__EXTRA"
        return NotFound(f"not found: `{path}`", hint=hint)
    near = difflib.get_close_matches(
        path,
        known,
        _MOST_NAMED,
        0.4,
    )
    hint = f"`cuedeck recall --kind extra TEXT` searches the files below {EXTRA}"
    if near:
        hint = f"did you mean `{near[0]}`?"
    return NotFound(f"not found: `{path}`", hint=hint, candidates=tuple(near))


def _range(anchor: str, last: int, path: str) -> tuple[int, int]:
    lines = parse_lines(anchor) if anchor else LineRange(1, 0)
    is_known = lines is not None and 1 <= lines.start <= max(last, 1)
    if lines is None or not is_known:
        raise NotFound(
            f"`{path}` has no part `#{anchor}`",
            hint=f"it has {last:,} lines; give #L1-L{last}",
        )
    return lines.start, min(lines.end or last, last)
