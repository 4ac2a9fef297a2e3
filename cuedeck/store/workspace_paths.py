"""Where the workspace is, and the fixed places inside it."""

from __future__ import annotations

import os

from cuedeck.model.errors import WorkspaceMissing
from cuedeck.model.paths import HOME


class WorkspacePaths:
    """The folder that holds `.cuedeck/`. Paths inside are relative and POSIX, whatever the system."""

    __slots__ = ("root",)

    def __init__(self, root: str) -> None:
        self.root = root

    def absolute(self, path: str) -> str:
        """Return the place of a workspace-relative path on this machine."""
        return os.path.join(self.root, *path.split("/"))

    def shown(self, place: str) -> str:
        """Return a place on this machine as it is told: as a workspace-relative path; outside it stays absolute."""
        root, real = os.path.realpath(self.root), os.path.realpath(place)
        inside = real == root or is_below(real, root)
        return os.path.relpath(real, root).replace(os.sep, "/") if inside else os.path.abspath(place)

    @property
    def identity(self) -> tuple[int, int] | None:
        """What tells this workspace from another one at its place; None while there is none."""
        try:
            found = os.stat(os.path.join(self.root, HOME, ""))
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @property
    def scene(self) -> str:
        return os.path.join(self.root, HOME, "SCENE.md")

    @property
    def active(self) -> str:
        return os.path.join(self.root, HOME, "active")

    @property
    def config(self) -> str:
        return os.path.join(self.root, HOME, "config.toml")

    @property
    def cache(self) -> str:
        return os.path.join(self.root, HOME, "cache")

    @property
    def index(self) -> str:
        return os.path.join(self.cache, "index.sqlite")


def is_below(place: str, folder: str) -> bool:
    """Tell whether a place lies in a folder, at any depth. Links in both are to be followed before."""
    return place.startswith(folder.rstrip(os.sep) + os.sep)


def find_workspace(start: str) -> WorkspacePaths:
    """Walk up from `start` to the nearest folder that holds `.cuedeck/`.

    Raises: WorkspaceMissing when there is none up to the root of the file system.
    """
    folder = os.path.realpath(start)
    while True:
        if os.path.isdir(os.path.join(folder, HOME)):
            return WorkspacePaths(folder)
        above = os.path.dirname(folder)
        if above == folder:
            raise missing(start)
        folder = above


def missing(start: str) -> WorkspaceMissing:
    """Return what is told where no workspace is."""
    return WorkspaceMissing(
        f"no workspace at or above {start}", hint="run `cuedeck init` in the folder of your project"
    )
