"""The name of the folder below `.cuedeck/cache/` and `.cuedeck/sessions/pending/` that
a repository cannot predict.

Attacker model: the one of `nofollow`; a repository may contain any file below
`.cuedeck/`. A prepared index, a log that SQLite would replay, the state of a session, a
token or a queued event must not be used, because it would be trusted.

So each file whose content is trusted lies in a folder whose name is a keyed hash of
the real path of the workspace. The key is a random file of the user, outside of every
repository. A file that came with a repository, an archive or a copied or moved checkout
lies under another name: CueDeck never opens it, and `cuedeck clean` deletes it.

The key is looked for in the state folder of the user, then in the one that the user
database names (a process with an empty environment finds that one), then in a private
folder for temporary files; the first one found is used, and read again only after it
changed. A new key is written to the first folder where that is possible: a read-only or
missing home folder costs nothing.
Without any key the index is kept in memory and events are not queued. The folder of the
key must belong to the user, and no other user may write there. Processes whose
environments name different state folders may have different keys, thus two caches.

Hooks import this module before anything else is loaded, so it imports nothing heavy.
"""

from __future__ import annotations

import os
import stat
import sys

from cuedeck.model.errors import StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.nofollow import PRIVATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "index-key"
_BYTES = 32


def private_name(root: str) -> str:
    """Return the name of the private folders of a workspace. Raises: StorageError when
    no key can be read or made.
    """
    return keyed_hash(os.path.realpath(root).encode("utf-8", "surrogateescape"))


def keyed_hash(data: bytes) -> str:
    """Return a hash (32 hex digits) that cannot be computed without the key of the
    user.

    Raises: StorageError when no key can be read or made.
    """
    # `hashlib` loads OpenSSL, which costs a hook more than all the rest.
    from _blake2 import blake2b

    return blake2b(data, key=_key(), digest_size=16).hexdigest()


def _key() -> bytes:
    for folder in state_folders():
        if key := _read(folder):
            return key
    for folder in state_folders():
        try:
            _make(folder)
        except (StorageError, OSError):
            continue
        if key := _read(folder):  # of this thread, or of one that was faster
            return key
    raise StorageError(
        "no folder for the key of the cache",
        hint="make the home folder or TMPDIR writable",
    )


def state_folders() -> Iterator[str]:
    """Yield the folders in which a key and other state of the user may be, the
    preferred one first; each is private to the user.
    """
    if os.name == "nt":
        local = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
        yield os.path.join(local, "cuedeck")
        return
    kept = os.path.join(".local", "state")
    if sys.platform == "darwin":
        kept = os.path.join("Library", "Application Support")
    state = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(state):
        yield os.path.join(os.path.realpath(state), "cuedeck")
    for home in (os.path.expanduser("~"), _home_of_user()):
        if os.path.isabs(home) and os.path.isdir(home):
            yield os.path.join(os.path.realpath(home), kept, "cuedeck")
    temporary = os.path.realpath(os.environ.get("TMPDIR") or "/tmp")
    yield os.path.join(temporary, f"cuedeck-{os.geteuid()}")


def _home_of_user() -> str:
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        return ""


def _read(folder: str) -> bytes:
    """Return the key in a folder; empty without one that only its owner can write."""
    data = read_own(folder, KEY, _BYTES + 1)
    return data if len(data) == _BYTES else b""


def read_own(folder: str, name: str, most: int) -> bytes:
    """Return at most `most` bytes of a file; empty unless the file and its folder
    belong to this user alone.
    """
    try:
        if not is_own(nofollow.status(folder)):
            return b""
        handle = nofollow.open_file(os.path.join(folder, name), os.O_RDONLY)
        with open(handle, "rb") as file:
            return file.read(most) if is_own(os.fstat(handle)) else b""
    except OSError:
        return b""


def _make(folder: str) -> None:
    """Write a new key, unless another process was faster. Raises: StorageError,
    OSError.
    """
    from cuedeck.store.files.disk import create

    nofollow.make_folder(os.path.dirname(folder))
    nofollow.make_folder(folder, mode=0o700)
    if is_own(nofollow.status(folder)):
        create(os.path.join(folder, KEY), os.urandom(_BYTES), mode=PRIVATE)


def is_own(found: os.stat_result) -> bool:
    """Return whether a file or folder belongs to this user alone."""
    if os.name == "nt":
        return True
    writable = stat.S_IWGRP | stat.S_IWOTH
    readable = 0
    if stat.S_ISREG(found.st_mode):
        readable = stat.S_IRGRP | stat.S_IROTH
    if found.st_uid != os.geteuid():
        return False
    return not found.st_mode & (writable | readable)
