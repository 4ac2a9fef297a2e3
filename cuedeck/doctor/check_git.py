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
    memory_of,
)
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
_REPAIR = "`cuedeck doctor --repair` adds the lines"


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
    workspace = context.workspace
    if not workspace.settings.scene.related or not read_head(context.paths.root):
        return
    known = bool(workspace.history.commits())
    for problem in workspace.history.problems():
        level: Level = "info" if known or problem.code in WANTED else "warning"
        yield problem._replace(level=level)


@check("gitignore", "git ignores generated and private files")
def check_gitignore(context: CheckContext) -> Iterator[Diagnostic]:
    visible = visible_to_git(context)
    if is_linked(context):
        message = "git does not read rules from a .gitignore that is a symbolic link"
        hint = "replace the link with a copy of the file"
        yield warning(GITIGNORE, "linked-rules", message, hint)
    elif visible:
        message = f"git does not ignore {', '.join(visible)}, which CueDeck generates"
        yield warning(GITIGNORE, "not-ignored", message, _REPAIR)
    elif missing := missing_rules(context):
        message = f"the lines {', '.join(missing)} are missing: private files may be committed once they exist"
        yield note(GITIGNORE, "missing-lines", message, _REPAIR)
    for memory, rule, names in _visible_memory_files(context):
        root = memory.profile.root
        file, line = ".gitignore", f"/{root}/{rule}" if root else f"/{rule}"
        if memory.profile == OWN:
            file, line = f"{OWN.root}/.gitignore", rule
        message = f"git does not ignore this memory file{_and_more(names)}"
        hint = f"add the line `{line}` to {file}"
        yield warning(memory.path(names[0]), "not-ignored", message, hint)


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
    place = context.paths.absolute(GITIGNORE)
    if not os.path.isfile(place) or git_hides(context.paths.root, HOME, is_folder=True):
        return ()
    return missing_lines(look_at(place))


def visible_memory_rules(context: CheckContext) -> list[str]:
    """Return the lines of `.cuedeck/.gitignore` that are missing for existing memory
    files of the workspace.
    """
    found = _visible_memory_files(context)
    return [rule for memory, rule, _ in found if memory.profile == OWN]


@check("tracked", "no generated file and no memory is committed")
def check_tracked(context: CheckContext) -> Iterator[Diagnostic]:
    root = context.paths.root
    message = "git tracks this generated file"
    for path in (f"{HOME}/SCENE.md", f"{HOME}/active"):
        if git_tracks(root, path):
            yield warning(path, "tracked", message, f"git rm --cached {quoted(path)}")
    paths = [f"{CACHE}/{name}" for name in tree_of(context.paths.cache)]
    cached = tracked_of(root, paths)
    if cached:
        hint = f"git rm -r --cached {CACHE}"
        yield warning(cached[0], "tracked", f"{message}{_and_more(cached)}", hint)
    for memory, rule, names in _memory_files(context):
        tracked = tracked_of(root, map(memory.path, names))
        if tracked:
            message = f"git tracks this memory file{_and_more(tracked)}: deleted records remain in the git history"
            options = "-r --cached" if rule.endswith("/") else "--cached"
            hint = f"git rm {options} {quoted(memory.path(rule.rstrip('/')))}"
            yield failure(tracked[0], "tracked", message, hint)


_MemoryFiles = tuple[MemoryFiles, str, Sequence[str]]
"""A memory, an ignore rule, and the names of existing files that it hides."""


def _visible_memory_files(context: CheckContext) -> Iterator[_MemoryFiles]:
    root = context.paths.root
    for memory, rule, names in _memory_files(context):
        visible = [name for name in names if not git_hides(root, memory.path(name))]
        if visible:
            yield memory, rule, visible


def _memory_files(context: CheckContext) -> Iterator[_MemoryFiles]:
    """Yield the memory files of each profile by the ignore rule that hides them;
    nothing outside a git repository.
    """
    if not in_git(context.paths.root):
        return
    for profile in (OWN, *context.workspace.settings.profile):
        with contextlib.suppress(ConfigurationError):  # reported by `check_memory`
            memory = memory_of(context.workspace, profile.id)
            files = (PRIMARY, memory.archive, memory.long_memory, USER, DIARY, EXPERIENCES)  # fmt: skip
            logs = [f"{FOLDER}/{name}" for name in tree_of(memory.place(FOLDER))]
            found: dict[str, list[str]] = {}
            for name in dict.fromkeys((*files, *filter(_is_markdown, logs))):
                if name and os.path.isfile(memory.place(name)):
                    is_log = name.startswith(f"{FOLDER}/")
                    found.setdefault(f"{FOLDER}/" if is_log else name, []).append(name)
            for rule, names in found.items():
                yield memory, rule, names


def _is_markdown(name: str) -> bool:
    return name.endswith(".md")


def _and_more(names: Sequence[str]) -> str:
    more = len(names) - 1
    return f" and {counted(more, 'more file')}" if more else ""
