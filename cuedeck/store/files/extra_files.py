"""Listing of Markdown files outside the workspace that the user's settings name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from cuedeck.store.files.nofollow import is_below

MOST_FILES = 20_000
"""Files of one folder that are read."""


class ExtraRoot(NamedTuple):
    """A folder or file that the settings name."""

    name: str
    """Its name in addresses, unique among the roots."""
    written: str
    """The path as the settings contain it."""
    place: str
    """Its real path."""


def extra_roots(written: tuple[str, ...], root: str) -> tuple[ExtraRoot, ...]:
    """Return the roots of the paths in the settings, in their order.

    A relative path is relative to the folder `root` of the workspace. Of two roots of
    the same name, the second is called `notes-2`. A path that is given twice counts
    once.
    """
    found: dict[str, ExtraRoot] = {}
    names: set[str] = set()
    for text in written:
        named = os.path.join(root, os.path.expanduser(text))
        place = os.path.realpath(named)
        if place in found:
            continue
        base = os.path.basename(place) or "root"
        name, number = base, 1
        while name in names:
            number += 1
            name = f"{base}-{number}"
        names.add(name)
        found[place] = ExtraRoot(name, text, place)
    return tuple(found.values())


def extra_files(root: ExtraRoot, workspace: str) -> Iterator[tuple[str, str]]:
    """Yield the relative path (empty for a root that is a file) and the absolute path
    of each Markdown file of a root, sorted.

    Names that begin with a dot are left out, and so is every file whose real path is
    outside the root or inside the folder `workspace`.
    """
    if os.path.isfile(root.place):
        if is_markdown(root.place) and not is_below(root.place, workspace):
            yield "", root.place
        return
    count = 0
    for folder, folders, names in os.walk(root.place):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            place = os.path.join(folder, name)
            if not is_markdown(name) or not _is_inside(place, root.place, workspace):
                continue
            count += 1
            if count > MOST_FILES:
                return
            relative = os.path.relpath(place, root.place)
            yield relative.replace(os.sep, "/"), place


def is_markdown(name: str) -> bool:
    """Return whether a path names a Markdown file that is not hidden."""
    base = os.path.basename(name)
    return base.lower().endswith(".md") and not base.startswith(".")


def _is_inside(place: str, root: str, workspace: str) -> bool:
    real = os.path.realpath(place)
    if not is_below(real, root) or is_below(real, workspace):
        return False
    return os.path.isfile(real)
