"""The user's cache folder, which contains the index of each folder that has no
`.cuedeck/`.

The index lies in `<user's cache folder>/cuedeck/<keyed hash of the real path>/`;
`private_folder` describes the hash.
"""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from cuedeck.model.errors import StorageError, WorkspaceMissing
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import failed
from cuedeck.store.files.nofollow import is_below
from cuedeck.store.files.private_folder import is_own, private_name
from cuedeck.store.git.head import find_repository
from cuedeck.store.workspace_paths import WorkspacePaths, find_workspace


class OutsideIndex(NamedTuple):
    """The index of a folder in the user's cache folder."""

    place: str
    """Absolute path of its folder."""
    size: int
    """Bytes."""


def user_cache() -> str:
    """Return the real path of CueDeck's folder in the user's cache folder; it need not
    exist.

    The cache folder is that of the XDG base directory specification, of macOS or of
    Windows.
    """
    if os.name == "nt":
        local = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local")
        return os.path.realpath(os.path.join(local, "cuedeck", "Cache"))
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        is_mac = sys.platform == "darwin"
        base = os.path.expanduser("~/Library/Caches" if is_mac else "~/.cache")
    return os.path.realpath(os.path.join(base, "cuedeck"))


def make_usable(folder: str, root: str) -> bool:
    """Create the cache folder if it is missing; return whether an index of `root` may
    be stored in it.

    It must belong to the user, and no other user may have write access: another user
    could replace an index. The folder of a user with a permissive umask is made
    private. A folder below `root` is not used, because the files of the index would be
    scanned.
    """
    if is_below(folder, root):
        return False
    try:
        nofollow.make_folder(folder, mode=0o700)
        found = nofollow.status(folder)
        if not is_own(found) and found.st_uid == os.geteuid():
            nofollow.make_private(folder)
            found = nofollow.status(folder)
    except OSError:
        return False
    return is_own(found)


def find_outside_index(root: str) -> OutsideIndex | None:
    """Return the index that was made of a folder while it had no `.cuedeck/`; None if
    there is none.
    """
    try:
        place = os.path.join(user_cache(), private_name(root))
        sizes = [
            nofollow.status(os.path.join(place, name)).st_size
            for name in nofollow.list_folder(place)
        ]
    except (OSError, StorageError):
        return None
    return OutsideIndex(place, sum(sizes))


def remove_outside_index(found: OutsideIndex) -> None:
    """Remove an index in the user's cache folder. Raises: StorageError."""
    try:
        nofollow.remove_tree(found.place)
    except OSError as error:
        raise failed(f"clean {found.place}", error, "check its permissions") from error


def find_workspace_or_folder(start: str) -> WorkspacePaths:
    """Return the nearest workspace at or above `start`, else the project folder without
    one.

    That is the top of the git checkout that contains `start`, else `start` itself.
    Nothing is created in it.

    Raises: WorkspaceMissing for the home folder, and for a folder above it, that is not
    the top of a git checkout.
    """
    try:
        return find_workspace(start)
    except WorkspaceMissing:
        return plain_folder(start)


def plain_folder(start: str) -> WorkspacePaths:
    """Return the project folder that contains `start`, without regard to a workspace.
    Raises: WorkspaceMissing.
    """
    root = _project_root(os.path.realpath(start))
    folder = user_cache()
    return WorkspacePaths(root, folder, keeps_index=make_usable(folder, root))


def _project_root(folder: str) -> str:
    repository = find_repository(folder)
    if repository is not None:
        top = repository.top(folder)
        # A checkout of the home folder holds settings; a project below it is not a part
        # of that.
        if top == folder or not _contains_home(top):
            return top
    if _contains_home(folder):
        raise WorkspaceMissing(
            f"no folder .cuedeck/ in {folder} or above it, and a folder that contains the"
            " whole home folder is not a project",
            hint="change to the folder of your project, or name it with -C DIR",
        )
    return folder


def _contains_home(folder: str) -> bool:
    home = os.path.realpath(os.path.expanduser("~"))
    return folder == home or is_below(home, folder)
