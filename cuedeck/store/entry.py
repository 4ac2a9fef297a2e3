"""One path with the face of an `os.DirEntry`."""

from __future__ import annotations

import os
import posixpath
import stat


class LoneEntry:
    """A path that is looked at without its folder."""

    def __init__(self, root: str, path: str) -> None:
        self.name = posixpath.basename(path)
        try:
            self._now: os.stat_result | None = os.lstat(os.path.join(root, path))
        except (OSError, ValueError):
            self._now = None

    @property
    def exists(self) -> bool:
        """True when there is anything at the path."""
        return self._now is not None

    def is_dir(self, *, follow_symlinks: bool) -> bool:
        """Tell whether it is a folder."""
        return stat.S_ISDIR(self.stat(follow_symlinks=follow_symlinks).st_mode)

    def is_file(self, *, follow_symlinks: bool) -> bool:
        """Tell whether it is a plain file."""
        return stat.S_ISREG(self.stat(follow_symlinks=follow_symlinks).st_mode)

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        """Return what is known of what exists; links are never followed."""
        assert self._now is not None and not follow_symlinks
        return self._now
