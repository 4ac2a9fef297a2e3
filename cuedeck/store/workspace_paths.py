"""Discovery of the workspace folder and the fixed paths inside it."""

from __future__ import annotations

import os

from cuedeck.model.errors import StorageError, WorkspaceMissing
from cuedeck.model.paths import HOME


class WorkspacePaths:
    """The folder that contains `.cuedeck/`. Workspace-relative paths use `/` on every system."""

    __slots__ = ("_private", "active", "cache", "config", "root", "scene")

    def __init__(self, root: str) -> None:
        home = os.path.join(root, HOME)
        self.root = root
        self.scene = os.path.join(home, "SCENE.md")
        self.active = os.path.join(home, "active")
        self.config = os.path.join(home, "config.toml")
        self.cache = os.path.join(home, "cache")
        self._private = ""

    def absolute(self, path: str) -> str:
        """Return the absolute path of a workspace-relative path."""
        return os.path.join(self.root, *path.split("/"))

    def shown(self, place: str) -> str:
        """Return a path for display: workspace-relative inside the workspace, absolute outside it."""
        root = os.path.realpath(self.root)
        real = os.path.realpath(place)
        if real != root and not is_below(real, root):
            return os.path.abspath(place)
        return os.path.relpath(real, root).replace(os.sep, "/")

    @property
    def identity(self) -> tuple[int, int] | None:
        """Device and inode of `.cuedeck/`, which differ once the folder was replaced; None if it is missing."""
        try:
            found = os.stat(os.path.join(self.root, HOME, ""))
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @property
    def private(self) -> str:
        """The folder of caches whose content is believed: see `private_folder`. Raises: StorageError without a key."""
        if not self._private:
            from cuedeck.store.fs.private_folder import private_name

            self._private = os.path.join(self.cache, private_name(self.root))
        return self._private

    @property
    def index(self) -> str:
        """The file of the index; empty where it is kept in memory."""
        try:
            return os.path.join(self.private, "index.sqlite")
        except StorageError:
            return ""


def is_below(place: str, folder: str) -> bool:
    """Return whether a path is below a folder, at any depth. Both must be real paths (links resolved)."""
    return place.startswith(folder.rstrip(os.sep) + os.sep)


def find_workspace(start: str) -> WorkspacePaths:
    """Return the nearest workspace at or above `start`.

    Raises: WorkspaceMissing if no folder up to the root of the file system contains `.cuedeck/`.
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
    """Return the error for a start folder without a workspace at or above it."""
    return WorkspaceMissing(
        f"no workspace at or above {start}", hint="run `cuedeck init` in the folder of your project"
    )
