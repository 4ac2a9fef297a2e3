"""An empty temporary repository that borrows the objects of another one.

Settings, attributes, the index and the files of a checkout change what git prints, and
name programs that git starts. git reads none of these in a repository without them.
"""

from __future__ import annotations

import os
import tempfile
from types import TracebackType

from cuedeck.store.git.head import Repository

_SHA256_DIGITS = 64
_CONFIG = "[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectformat = {}\n"
_NO_COMMIT = "ref: refs/heads/none"


class BorrowedObjects:
    """The temporary repository; as a context manager it removes itself at its end."""

    def __init__(self, repository: Repository) -> None:
        self._objects = os.path.join(repository.common, "objects")
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> BorrowedObjects:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def make(self, commit: str, *, is_head: bool = False) -> str:
        """Return the folder of the repository, created by the first call for commits
        like the given one; with `is_head`, that is its HEAD. Raises: OSError.
        """
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(
                prefix="cuedeck-git-", ignore_cleanup_errors=True
            )
            algorithm = "sha256" if len(commit) == _SHA256_DIGITS else "sha1"
            head = commit if is_head and commit else _NO_COMMIT
            self.write("HEAD", f"{head}\n".encode("ascii"))
            self.write("config", _CONFIG.format(algorithm).encode("ascii"))
            for name in ("objects", "refs", "info"):
                os.mkdir(os.path.join(self._folder.name, name))
        return self._folder.name

    def write(self, name: str, data: bytes) -> None:
        """Write a file of the repository. Raises: OSError."""
        assert self._folder is not None
        with open(os.path.join(self._folder.name, name), "wb") as file:
            file.write(data)

    def link(self, name: str, place: str) -> None:
        """Let a file of the repository be another one. Raises: OSError."""
        assert self._folder is not None
        os.symlink(place, os.path.join(self._folder.name, name))

    def variables(self) -> dict[str, str]:
        """Return the environment in which git uses the repository."""
        assert self._folder is not None
        folder = self._folder.name
        return {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_DIR": folder,
            "GIT_INDEX_FILE": os.path.join(folder, "index"),
            "GIT_OBJECT_DIRECTORY": self._objects,
            "GIT_WORK_TREE": folder,
            "HOME": folder,  # older versions of git ignore GIT_CONFIG_GLOBAL
            "XDG_CONFIG_HOME": folder,
        }
