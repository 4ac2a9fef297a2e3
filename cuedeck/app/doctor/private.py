"""What of the memories git would take, or has taken."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from cuedeck.app.doctor.view import View
from cuedeck.app.memory.profiles import memory_of
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.node import Diagnostic
from cuedeck.model.profile import OWN
from cuedeck.model.shown import quoted
from cuedeck.store.folders import tree_of
from cuedeck.store.memory.files import EXPERIENCES, FOLDER, PRIMARY, USER, MemoryFiles
from cuedeck.store.versioned import git_hides, in_git, tracked_of


def shown_memories(view: View) -> Iterator[Diagnostic]:
    """Yield one finding for each line that an ignore file lacks."""
    for memory in _memories(view):
        file, head = (f"{OWN.root}/.gitignore", "") if memory.profile == OWN else (".gitignore", _head(memory))
        for line, names in _by_line(memory).items():
            shown = [name for name in names if not git_hides(view.workspace.root, memory.path(name))]
            if shown:
                what = f"git does not ignore this memory{_more(shown)}"
                hint = f"add the line `{head}{line}` to {file}"
                yield Diagnostic(memory.path(shown[0]), 0, "warning", "not-ignored", what, hint)


def tracked_memories(view: View) -> Iterator[Diagnostic]:
    """Yield one finding for each file that is committed, and one for the folder."""
    for memory in _memories(view):
        for line, names in _by_line(memory).items():
            found = tracked_of(view.workspace.root, map(memory.path, names))
            if found:
                what = f"git tracks this memory{_more(found)}: what is forgotten stays in its history"
                path = memory.path(line.rstrip("/"))
                hint = f"git rm {'-r ' if line.endswith('/') else ''}--cached {quoted(path)}"
                yield Diagnostic(found[0], 0, "error", "tracked", what, hint)


def _memories(view: View) -> Iterator[MemoryFiles]:
    """Yield the memories whose files git may take."""
    if in_git(view.workspace.root):
        for profile in (OWN, *view.settings.profile):
            with contextlib.suppress(ConfigurationError):  # the check of memory tells it
                yield memory_of(view.project, profile.id)


def _by_line(memory: MemoryFiles) -> dict[str, list[str]]:
    """Return the names of the files that are there, by the line that would hide them."""
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
