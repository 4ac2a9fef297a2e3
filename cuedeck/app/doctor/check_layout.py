"""Checks of the layout of `.cuedeck/`: required folders, unknown files, and ignored or committed generated files."""

from __future__ import annotations

import contextlib
import difflib
import os
import posixpath
from collections.abc import Iterator

from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.model.display import counted, quoted
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.file import Diagnostic, Level
from cuedeck.model.paths import CACHE, CARDS, DOCS, HOME
from cuedeck.model.profile import OWN
from cuedeck.store.fs.disk import tree_of
from cuedeck.store.fs.workspace_files import HomeEntry, list_folder, presence
from cuedeck.store.git.exposure import git_hides, git_tracks, in_git, tracked_of
from cuedeck.store.memory.memory_files import EXPERIENCES, FOLDER, PRIMARY, USER, MemoryFiles

GITIGNORE = f"{HOME}/.gitignore"
GENERATED = ("SCENE.md", "active", "cache/")
"""Names in `.cuedeck/` that must not be committed."""
IGNORED = (*GENERATED, "sessions/", "MEMORY.md", "memory/", "LONGMEMORY.md", "USER.md", "experiences.jsonl")
"""Lines of a new `.cuedeck/.gitignore`."""
KNOWN = (
    "LONGMEMORY.md",
    "MEMORY.md",
    "MEMORY.md.compaction-backup",
    "README.md",
    "SCENE.md",
    "USER.md",
    "active",
    "assumptions.jsonl",
    "assumptions.toml",
    "attempts.jsonl",
    "cache",
    "cards",
    "config.toml",
    "cortex",
    "decisions.jsonl",
    "docs",
    "experiences.jsonl",
    "memory",
    "sessions",
    "workflows",
)


def check_folders(view: CheckContext) -> Iterator[Diagnostic]:
    """Find required folders that are missing or replaced by a file."""
    for folder in (CARDS, DOCS):
        there = presence(view.paths, folder)
        if there == "file":
            yield Diagnostic(folder, 0, "error", "no-folder", "there is a file in place of the folder", "rename it")
        elif not there:
            hint = "`cuedeck doctor --repair` creates it"
            yield Diagnostic(folder, 0, "warning", "missing-folder", "the folder is missing", hint)


def check_strays(view: CheckContext) -> Iterator[Diagnostic]:
    """Find files and folders in `.cuedeck/` that CueDeck does not use."""
    for entry in list_folder(view.paths, HOME):
        name = posixpath.basename(entry.path)
        if name in KNOWN or name.startswith("."):
            continue
        near = difflib.get_close_matches(name, KNOWN, 1, 0.75)
        if near:
            hint = f"did you mean `{near[0]}`?"
            yield Diagnostic(entry.path, 0, "warning", "stray", "CueDeck does not use a file of this name", hint)
        else:
            hint = "put notes into .cuedeck/docs"
            yield Diagnostic(entry.path, 0, "info", "stray", "CueDeck does not use a file of this name", hint)
    for entry in list_folder(view.paths, CARDS):
        yield from _stray_card(view, entry)


def _stray_card(view: CheckContext, entry: HomeEntry) -> Iterator[Diagnostic]:
    name = posixpath.basename(entry.path)
    if name.startswith(".") or (name.endswith(("~", ".md")) and not entry.is_folder):
        return
    if entry.is_folder:
        inside = len(view.index.folder(entry.path))
        if inside:
            message = f"{counted(inside, 'file')} in a folder of cards/ are not read as cards"
            hint = "move them into .cuedeck/cards; `status: archived` hides a card from lists"
            yield Diagnostic(entry.path, 0, "warning", "nested-card", message, hint)
        return
    level: Level = "warning" if name.lower().endswith((".md", ".markdown", ".mdx")) else "info"
    hint = (
        "the name of a card ends in .md"
        if level == "warning"
        else "only .md files of cards/ are cards; docs/ takes the rest"
    )
    yield Diagnostic(entry.path, 0, level, "no-card", "the file is not read as a card", hint)


def check_gitignore(view: CheckContext) -> Iterator[Diagnostic]:
    """Find generated files and memory files that git does not ignore."""
    shown = visible_to_git(view)
    if is_linked(view):
        message = "git does not follow a linked .gitignore, so its rules have no effect"
        yield Diagnostic(GITIGNORE, 0, "warning", "linked-rules", message, "replace the link by a copy of the file")
    elif shown:
        message = f"git does not ignore {', '.join(shown)}, which CueDeck generates"
        hint = "`cuedeck doctor --repair` adds the lines"
        yield Diagnostic(GITIGNORE, 0, "warning", "not-ignored", message, hint)
    yield from shown_memories(view)


def is_linked(view: CheckContext) -> bool:
    """Return whether `.cuedeck/.gitignore` is a symbolic link, whose rules git does not apply."""
    return os.path.islink(view.paths.absolute(GITIGNORE))


def visible_to_git(view: CheckContext) -> list[str]:
    """Return the names of `GENERATED` that git does not ignore."""
    root = view.paths.root
    hidden = (git_hides(root, f"{HOME}/{name.rstrip('/')}", is_folder=name.endswith("/")) for name in GENERATED)
    return [name for name, hides in zip(GENERATED, hidden, strict=True) if not hides]


def check_tracked(view: CheckContext) -> Iterator[Diagnostic]:
    """Find generated files and memory files that git tracks; ignore rules have no effect on tracked files."""
    for name in ("SCENE.md", "active"):
        path = f"{HOME}/{name}"
        if git_tracks(view.paths.root, path):
            hint = f"git rm --cached {quoted(path)}"
            yield Diagnostic(path, 0, "warning", "tracked", "git tracks this generated file", hint)
    cached = tracked_of(view.paths.root, (f"{CACHE}/{name}" for name in tree_of(view.paths.cache)))
    if cached:
        more = f" and {counted(len(cached) - 1, 'more file')} of the cache" if len(cached) > 1 else ""
        hint = f"git rm --cached {cached[0]}" if len(cached) == 1 else f"git rm -r --cached {CACHE}"
        yield Diagnostic(cached[0], 0, "warning", "tracked", f"git tracks this generated file{more}", hint)
    yield from tracked_memories(view)


def shown_memories(view: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each line that is missing in an ignore file for the memory files."""
    for memory in _memories(view):
        file, head = (f"{OWN.root}/.gitignore", "") if memory.profile == OWN else (".gitignore", _head(memory))
        for line, names in _by_line(memory).items():
            shown = [name for name in names if not git_hides(view.paths.root, memory.path(name))]
            if shown:
                what = f"git does not ignore this memory{_more(shown)}"
                hint = f"add the line `{head}{line}` to {file}"
                yield Diagnostic(memory.path(shown[0]), 0, "warning", "not-ignored", what, hint)


def tracked_memories(view: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each tracked memory file, and one for the folder of daily logs."""
    for memory in _memories(view):
        for line, names in _by_line(memory).items():
            found = tracked_of(view.paths.root, map(memory.path, names))
            if found:
                what = f"git tracks this memory{_more(found)}: what is forgotten stays in its history"
                path = memory.path(line.rstrip("/"))
                hint = f"git rm {'-r ' if line.endswith('/') else ''}--cached {quoted(path)}"
                yield Diagnostic(found[0], 0, "error", "tracked", what, hint)


def _memories(view: CheckContext) -> Iterator[MemoryFiles]:
    """Yield the memories of all profiles, if the workspace is in a git repository."""
    if in_git(view.paths.root):
        for profile in (OWN, *view.settings.profile):
            with contextlib.suppress(ConfigurationError):  # reported by `check_memory`
                yield memory_of(view.workspace, profile.id)


def _by_line(memory: MemoryFiles) -> dict[str, list[str]]:
    """Return the names of the existing memory files, grouped by the ignore line that hides them."""
    names = [PRIMARY, memory.archive, memory.long_memory, USER, EXPERIENCES]
    names += [f"{FOLDER}/{name}" for name in tree_of(memory.place(FOLDER)) if name.endswith(".md")]
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(filter(None, names)):
        if os.path.isfile(memory.place(name)):
            found.setdefault(f"{FOLDER}/" if name.startswith(f"{FOLDER}/") else name, []).append(name)
    return found


def _head(memory: MemoryFiles) -> str:
    return f"/{memory.profile.root}/" if memory.profile.root else "/"


def _more(names: list[str] | tuple[str, ...]) -> str:
    return f" and {len(names) - 1:,} more beside it" if len(names) > 1 else ""
