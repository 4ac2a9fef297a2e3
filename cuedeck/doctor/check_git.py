"""Checks of git: ignored and tracked files, the list of tracked files, and the commit
history.

CueDeck reads tracked files even if git's ignore rules hide them, so it needs the list
of tracked files.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence

from cuedeck.doctor.check_context import CheckContext, check, failure, note, warning
from cuedeck.ledger.records.memory_files import (
    DIARY,
    EXPERIENCES,
    FOLDER,
    PRIMARY,
    USER,
    MemoryFiles,
)
from cuedeck.ledger.records.memory_profiles import memory_of
from cuedeck.model.diagnostic import Diagnostic, Level
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.formatting import counted, quoted
from cuedeck.model.paths import CACHE, HOME, OWN
from cuedeck.parse.gitignore import GENERATED_LINES, missing_lines
from cuedeck.store.files.disk import look_at, tree_of
from cuedeck.store.git.exposure import git_hides, git_tracks, in_git, tracked_of
from cuedeck.store.git.head import foreign_part, read_head
from cuedeck.store.git.history_diagnostics import WANTED, fault_of

GITIGNORE = f"{HOME}/.gitignore"
_FAULTS = {
    "no-git": ("git could not be started", "install git, or put it on the PATH"),
    "git-failed": (
        "git could not read its index",
        "`git ls-files` in this folder shows why",
    ),
    "git-refuses": (
        "git refuses to read the repository: another user owns it",
        "`git ls-files` in this folder prints the command that trusts it",
    ),
    "git-slow": (
        "git hangs: it printed nothing for a minute",
        "`git ls-files` in this folder may show why",
    ),
}


@check("git-index", "git can list the tracked files")
def check_git_index(context: CheckContext) -> Iterator[Diagnostic]:
    if foreign := foreign_part(context.paths.root):
        message = f"the repository is not used: {context.paths.shown(foreign)} is outside the checkout"
        hint = "remove the link or .git file that points there; if you trust it, set its core.worktree to this checkout"
        yield warning(".git", "foreign-repository", message, hint)
    fault = context.workspace.tree.tracked_fault
    if fault:
        problem = fault_of(fault)
        message, hint = _FAULTS.get(fault, (problem.message, problem.hint))
        message = f"{message}; tracked files that match an ignore rule are not read"
        yield warning(".git/index", fault, message, hint)


@check("history", "the history of the repository can be read")
def check_history(context: CheckContext) -> Iterator[Diagnostic]:
    if not context.settings.scene.related or not read_head(context.paths.root):
        return
    history = context.workspace.history
    known = bool(history.commits())
    for problem in history.problems():
        level: Level = "info" if known or problem.code in WANTED else "warning"
        yield problem._replace(level=level)


@check("gitignore", "git ignores generated and private files")
def check_gitignore(context: CheckContext) -> Iterator[Diagnostic]:
    visible = visible_to_git(context)
    if is_linked(context):
        message = "git does not read rules from a .gitignore that is a symbolic link"
        yield warning(
            GITIGNORE,
            "linked-rules",
            message,
            "replace the link with a copy of the file",
        )
    elif visible:
        message = f"git does not ignore {', '.join(visible)}, which CueDeck generates"
        hint = "`cuedeck doctor --repair` adds the lines"
        yield warning(GITIGNORE, "not-ignored", message, hint)
    elif missing := missing_rules(context):
        names = ", ".join(missing)
        message = f"the lines {names} are missing: private files may be committed once they exist"
        hint = "`cuedeck doctor --repair` adds the lines"
        yield note(GITIGNORE, "missing-lines", message, hint)
    yield from _visible_memories(context)


def is_linked(context: CheckContext) -> bool:
    """Return whether `.cuedeck/.gitignore` is a symbolic link, whose rules git does not
    apply.
    """
    return os.path.islink(context.paths.absolute(GITIGNORE))


def visible_to_git(context: CheckContext) -> list[str]:
    """Return the names of `GENERATED_LINES` that git does not ignore."""
    visible = []
    for name in GENERATED_LINES:
        path = f"{HOME}/{name.rstrip('/')}"
        if not git_hides(context.paths.root, path, is_folder=name.endswith("/")):
            visible.append(name)
    return visible


def missing_rules(context: CheckContext) -> tuple[str, ...]:
    """Return the lines that an existing `.cuedeck/.gitignore` lacks; none if git
    ignores the folder.
    """
    root = context.paths.root
    place = context.paths.absolute(GITIGNORE)
    if not os.path.isfile(place) or git_hides(root, HOME, is_folder=True):
        return ()
    return missing_lines(look_at(place))


def visible_memory_rules(context: CheckContext) -> list[str]:
    """Return the lines of `.cuedeck/.gitignore` that are missing for existing memory
    files of the workspace.
    """
    return [
        rule
        for memory, rule, names in _memory_files(context)
        if memory.profile == OWN and _visible(memory, names)
    ]


@check("tracked", "no generated file and no memory is committed")
def check_tracked(context: CheckContext) -> Iterator[Diagnostic]:
    for name in ("SCENE.md", "active"):
        path = f"{HOME}/{name}"
        if git_tracks(context.paths.root, path):
            hint = f"git rm --cached {quoted(path)}"
            yield warning(path, "tracked", "git tracks this generated file", hint)
    paths = [f"{CACHE}/{name}" for name in tree_of(context.paths.cache)]
    cached = tracked_of(context.paths.root, paths)
    if cached:
        message = "git tracks this generated file"
        hint = f"git rm --cached {cached[0]}"
        if len(cached) > 1:
            message += f" and {counted(len(cached) - 1, 'more file')} of the cache"
            hint = f"git rm -r --cached {CACHE}"
        yield warning(cached[0], "tracked", message, hint)
    yield from _tracked_memories(context)


def _visible_memories(context: CheckContext) -> Iterator[Diagnostic]:
    for memory, rule, names in _memory_files(context):
        visible = _visible(memory, names)
        if not visible:
            continue
        root = memory.profile.root
        file, line = ".gitignore", f"/{root}/{rule}" if root else f"/{rule}"
        if memory.profile == OWN:
            file, line = f"{OWN.root}/.gitignore", rule
        message = f"git does not ignore this memory file{_and_more(visible)}"
        hint = f"add the line `{line}` to {file}"
        yield warning(memory.path(visible[0]), "not-ignored", message, hint)


def _visible(memory: MemoryFiles, names: Sequence[str]) -> list[str]:
    root = memory.workspace.root
    return [name for name in names if not git_hides(root, memory.path(name))]


def _tracked_memories(context: CheckContext) -> Iterator[Diagnostic]:
    for memory, rule, names in _memory_files(context):
        tracked = tracked_of(memory.workspace.root, map(memory.path, names))
        if tracked:
            message = f"git tracks this memory file{_and_more(tracked)}: deleted records remain in the git history"
            options = "-r --cached" if rule.endswith("/") else "--cached"
            path = memory.path(rule.rstrip("/"))
            hint = f"git rm {options} {quoted(path)}"
            yield failure(tracked[0], "tracked", message, hint)


def _memory_files(
    context: CheckContext,
) -> Iterator[tuple[MemoryFiles, str, Sequence[str]]]:
    """Yield the memory of each profile, an ignore rule, and the names of the existing
    files that it hides; nothing outside a git repository.
    """
    if not in_git(context.paths.root):
        return
    for profile in (OWN, *context.settings.profile):
        with contextlib.suppress(ConfigurationError):  # reported by `check_memory`
            memory = memory_of(context.workspace, profile.id)
            for rule, names in _files_by_rule(memory).items():
                yield memory, rule, names


def _files_by_rule(memory: MemoryFiles) -> dict[str, list[str]]:
    """Return the names of the existing memory files, grouped by the ignore rule that
    hides them.
    """
    names = [PRIMARY, memory.archive, memory.long_memory, USER, DIARY, EXPERIENCES]
    names += [
        f"{FOLDER}/{name}"
        for name in tree_of(memory.place(FOLDER))
        if name.endswith(".md")
    ]
    found: dict[str, list[str]] = {}
    for name in dict.fromkeys(filter(None, names)):
        if os.path.isfile(memory.place(name)):
            is_log = name.startswith(f"{FOLDER}/")
            rule = f"{FOLDER}/" if is_log else name
            found.setdefault(rule, []).append(name)
    return found


def _and_more(names: Sequence[str]) -> str:
    if len(names) > 1:
        return f" and {len(names) - 1:,} more"
    return ""
