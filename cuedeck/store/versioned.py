"""What git makes of the files in `.cuedeck/`: which it hides and which it tracks, read from its own files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from cuedeck.parse.gitignore import Rules, parse_rules
from cuedeck.store.disk import look_at
from cuedeck.store.ignore import outside_rules


def in_git(root: str) -> bool:
    """Tell whether a folder lies in a checkout of git."""
    return bool(outside_rules(root))


def git_hides(root: str, path: str, *, is_folder: bool = False) -> bool:
    """Tell whether an ignore rule keeps a path out of git, by itself or through a folder above it."""
    rules = list(_rule_files(root, path))
    steps = path.split("/")
    for end in range(1, len(steps) + 1):
        part = os.path.join(root, *steps[:end])
        for base, each in rules:
            if not part.startswith(base + os.sep):
                continue
            name = part[len(base) + 1 :].replace(os.sep, "/")
            verdict = each.verdict(name, is_folder or end < len(steps))
            if verdict:
                return True
            if verdict is not None:
                break
    return False


def git_tracks(root: str, path: str) -> bool:
    """Tell whether git's index names a path; False when that cannot be told without asking git itself."""
    return path in tracked_of(root, (path,))


def tracked_of(root: str, paths: Iterable[str]) -> tuple[str, ...]:
    """Return those of some paths that git's index names, as far as that can be told without asking git itself."""
    top = root
    while not os.path.lexists(os.path.join(top, ".git")):
        if os.path.dirname(top) == top:
            return ()
        top = os.path.dirname(top)
    folder = os.path.join(top, ".git")
    if os.path.isfile(folder):  # a worktree or a submodule: the file names the folder
        pointer = _text(folder).strip()
        folder = os.path.normpath(os.path.join(top, pointer.removeprefix("gitdir:").strip()))
    index = look_at(os.path.join(folder, "index"))
    return tuple(path for path in paths if _entry(os.path.join(root, *path.split("/")), top) in index)


def _entry(place: str, top: str) -> bytes:
    """Return what stands in an index for a file: its length, its name and a NUL.

    So in all versions but 4, which shares prefixes.
    """
    name = os.fsencode(os.path.relpath(place, top).replace(os.sep, "/"))
    return min(len(name), 0xFFF).to_bytes(2, "big") + name + b"\0"


def _rule_files(root: str, path: str) -> Iterator[tuple[str, Rules]]:
    """Yield (folder, rules) of the rule files that may decide, the nearest first."""
    folder = os.path.dirname(os.path.join(root, *path.split("/")))
    places = []
    while folder.startswith(root):
        places.append((os.path.join(folder, ".gitignore"), folder))
        folder = os.path.dirname(folder)
    *above, exclude = outside_rules(root) or [""]
    places += [(place, os.path.dirname(place)) for place in above]
    if exclude:
        places.append((exclude, os.path.dirname(above[-1]) if above else root))
    for place, base in places:
        if text := _text(place):
            yield base, parse_rules(text)


def _text(place: str) -> str:
    return look_at(place).decode("utf-8", "replace")
