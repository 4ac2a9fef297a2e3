"""Checks of the layout of `.cuedeck/`: settings, required folders, unknown files, and
memory that worktrees share.
"""

from __future__ import annotations

import difflib
import posixpath
from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext, check, failure, note, warning
from cuedeck.knowledge.memory.due_jobs import schedule_errors
from cuedeck.ledger.entry_source import log_kinds
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.formatting import counted
from cuedeck.model.paths import CARDS, DOCS, HOME
from cuedeck.store.files.workspace_files import HomeEntry, list_folder, presence
from cuedeck.store.worktree_memory import left_memory

_SIMILARITY = 0.75
"""Minimum `difflib` similarity ratio of a name that is suggested."""
KNOWN = (
    "DREAMS.md",
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


@check("folders", "cards/ and docs/ exist")
def check_folders(context: CheckContext) -> Iterator[Diagnostic]:
    for folder in (CARDS, DOCS):
        entry = presence(context.paths, folder)
        if entry == "file":
            yield failure(
                folder, "no-folder", "a file is in the place of the folder", "rename it"
            )
        elif not entry:
            hint = "`cuedeck doctor --repair` creates it"
            yield warning(folder, "missing-folder", "the folder is missing", hint)


@check("strays", "each name in .cuedeck/ is known")
def check_strays(context: CheckContext) -> Iterator[Diagnostic]:
    logs = [posixpath.basename(kind.path) for kind in log_kinds()]
    message = "CueDeck does not use a file with this name"
    for entry in list_folder(context.paths, HOME):
        name = posixpath.basename(entry.path)
        if name in (*KNOWN, *logs) or name.startswith("."):
            continue
        matches = difflib.get_close_matches(name, KNOWN, 1, _SIMILARITY)
        if matches:
            yield warning(entry.path, "stray", message, f"did you mean `{matches[0]}`?")
        else:
            yield note(entry.path, "stray", message, "put notes into .cuedeck/docs")
    for entry in list_folder(context.paths, CARDS):
        yield from _stray_card(context, entry)


def _stray_card(context: CheckContext, entry: HomeEntry) -> Iterator[Diagnostic]:
    path = entry.path
    if posixpath.basename(path).startswith("."):
        return
    if entry.is_folder:
        count = len(context.index.folder(path))
        if count:
            message = f"a folder of cards/ with {counted(count, 'file')}, which CueDeck does not read as cards"
            hint = "move them into .cuedeck/cards; `status: archived` hides a card from lists"
            yield warning(path, "nested-card", message, hint)
        return
    message = "the file is not read as a card"
    if path.lower().endswith((".md", ".markdown", ".mdx")):
        hint = "rename the file so that its name ends in .md"
        if not path.endswith(".md"):
            yield warning(path, "no-card", message, hint)
    elif not path.endswith("~"):
        hint = "only .md files in cards/ are cards; move other files to docs/"
        yield note(path, "no-card", message, hint)


@check("config", "config.toml is valid and each value can be used")
def check_config(context: CheckContext) -> Iterator[Diagnostic]:
    yield from (each for each in context.config if each.level == "error")
    yield from schedule_errors(context.workspace.settings, context.workspace.environ)


@check("config-keys", "each key of config.toml is known")
def check_config_keys(context: CheckContext) -> Iterator[Diagnostic]:
    return (each for each in context.config if each.level != "error")


@check("worktree", "no private memory is left in a linked worktree")
def check_worktree(context: CheckContext) -> Iterator[Diagnostic]:
    paths = context.paths
    if paths.shared is paths:
        return
    home = paths.shared.absolute(HOME)
    left = left_memory(paths)
    if left:
        number = counted(len(left), "private file")
        message = f"{number} of this worktree, not read: its memory is in {home}"
        hint = "`cuedeck doctor --repair` moves them there"
        yield warning(left[0], "left-memory", message, hint)
        return
    yield note(
        HOME,
        "shared-memory",
        f"the private memory of this worktree is in {home}",
        "all worktrees of the repository share it",
    )
