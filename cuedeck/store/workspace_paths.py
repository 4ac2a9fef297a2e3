"""Discovery of the workspace folder and the fixed paths inside it."""

from __future__ import annotations

import os

from cuedeck.model.errors import StorageError, WorkspaceMissing
from cuedeck.model.paths import HOME, is_private_memory
from cuedeck.store.capture_consent import locate
from cuedeck.store.files.nofollow import is_below


class WorkspacePaths:
    """The folder that contains `.cuedeck/`. Workspace-relative paths use `/` on every
    system.

    A folder without `.cuedeck/` has `user_cache`, a folder outside of it, as the place
    of its caches; the other paths name files that do not exist.
    """

    __slots__ = (
        "_keeps_index",
        "_private",
        "_shared",
        "active",
        "cache",
        "config",
        "is_initialised",
        "root",
        "scene",
    )

    def __init__(
        self, root: str, user_cache: str = "", *, keeps_index: bool = True
    ) -> None:
        """Create the paths of a workspace or, with `user_cache`, of a folder without
        `.cuedeck/`.

        Without `keeps_index` the index is kept in memory.
        """
        home = os.path.join(root, HOME)
        self.root = root
        self.is_initialised = not user_cache
        self.scene = os.path.join(home, "SCENE.md")
        self.active = os.path.join(home, "active")
        self.config = os.path.join(home, "config.toml")
        self.cache = user_cache or os.path.join(home, "cache")
        self._private = ""
        self._shared: WorkspacePaths | None = None
        self._keeps_index = keeps_index

    @property
    def shared(self) -> WorkspacePaths:
        """The workspace with the private memory: in a linked worktree of git, the same
        workspace in the main worktree, if that has `.cuedeck/`; else this one.
        """
        if self._shared is None:
            self._shared = self
            if self.is_initialised and (main := locate(self.root)[2]):
                self._shared = WorkspacePaths(main)
        return self._shared

    def absolute(self, path: str) -> str:
        """Return the absolute path of a workspace-relative path: of private memory in
        the main worktree, of any other file in this one.
        """
        root = self.root
        if is_private_memory(path):
            root = self.shared.root
        return os.path.join(root, *path.split("/"))

    def from_root(self, path: str) -> str:
        """Return a path that leads from the root of the workspace to the place of a
        file: an absolute one for private memory in another worktree.
        """
        if self.shared is self:
            return path
        if not is_private_memory(path):
            return path
        return self.absolute(path)

    def has_folder(self, path: str) -> bool:
        """Return whether a workspace-relative path is a folder or a link to one."""
        return os.path.isdir(self.absolute(path))

    def shown(self, place: str) -> str:
        """Return a path for display: workspace-relative inside the workspace, absolute
        outside it.
        """
        root = os.path.realpath(self.root)
        real = os.path.realpath(place)
        if real != root and not is_below(real, root):
            return os.path.abspath(place)
        return os.path.relpath(real, root).replace(os.sep, "/")

    @property
    def identity(self) -> tuple[int, int] | None:
        """Device and inode of `.cuedeck/`, which differ once the folder was replaced;
        None if it is missing.

        Of a folder without `.cuedeck/`, those of the folder itself; None once it
        contains `.cuedeck/`.
        """
        home = os.path.join(self.root, HOME, "")
        if not self.is_initialised and os.path.isdir(home):
            return None
        try:
            found = os.stat(home if self.is_initialised else self.root)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @property
    def private(self) -> str:
        """The folder of caches whose content is trusted: see `private_folder`. Raises:
        StorageError without a key.
        """
        if not self._private:
            from cuedeck.store.files.private_folder import private_name

            self._private = os.path.join(self.cache, private_name(self.root))
        return self._private

    @property
    def index(self) -> str:
        """The file of the index; empty where it is kept in memory."""
        return self._derived("index.sqlite")

    @property
    def recall_index(self) -> str:
        """The file of the index of recall; empty where it is kept in memory."""
        return self._derived("recall.sqlite")

    def _derived(self, name: str) -> str:
        """Return the place of a derived file in the private folder; empty where such
        files are kept in memory.
        """
        if not self._keeps_index:
            return ""
        try:
            return os.path.join(self.private, name)
        except StorageError:
            return ""


def find_workspace(start: str) -> WorkspacePaths:
    """Return the nearest workspace at or above `start`.

    Raises: WorkspaceMissing if no folder up to the root of the file system contains
    `.cuedeck/`.
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
        f"no folder .cuedeck/ in {start} or above it",
        hint="run `cuedeck init` in the folder of your project",
    )
