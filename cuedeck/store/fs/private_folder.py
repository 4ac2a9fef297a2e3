"""Whether an index was made by this user, for this workspace, as this very file.

Attacker model: the one of `nofollow`; a repository may contain an index that its author has prepared. Such an index
must not be used, because its token counts, secrets and scenes would be believed.

The version that an index carries contains a seal: a keyed hash of the real path of the index and of its inode number.
The key is a random file of the user, outside of every repository. An index that came with a repository, an archive or
a copy of a checkout has another seal, and it is rebuilt; so is one that git has replaced, because git makes a new file.

The key is looked for in the state folder of the user, then in the one that the user database names (a process with an
empty environment finds that one), then in a private folder for temporary files. A new key is written to the first
folder where that is possible: a read-only or missing home folder costs nothing. Without any key the index is kept in
memory. The private folder must belong to the user, and nobody else may write there.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator

from cuedeck.model.errors import StorageError
from cuedeck.store.fs import nofollow
from cuedeck.store.fs.disk import create
from cuedeck.store.fs.nofollow import PRIVATE

_NAME = "index-key"
_BYTES = 32


def seals(file: str, place: str = "") -> list[str]:
    """Return every seal that the index in a file may carry; a new one gets the first one.

    `place` is the path of the index where the file has a temporary name.
    The file must exist. Raises: OSError when it does not. Returns: nothing when no key can be read or made.
    """
    about = f"{os.path.realpath(place or file)}\0{nofollow.status(file).st_ino}".encode("utf-8", "surrogateescape")
    return [_seal(key, about) for key in _keys()]


def _seal(key: bytes, about: bytes) -> str:
    from hashlib import blake2b

    return blake2b(about, key=key, digest_size=16).hexdigest()


def _keys() -> list[bytes]:
    folders = list(dict.fromkeys(_folders()))
    found = [key for folder in folders if (key := _read(folder))]
    if found:
        return found
    for folder in folders:
        with contextlib.suppress(StorageError, OSError):
            _make(folder)
        if key := _read(folder):  # of this thread, or of one that was faster
            return [key]
    return []


def _folders() -> Iterator[str]:
    """Yield the folders in which a key may be, the preferred one first; each is private to the user."""
    if os.name == "nt":
        yield os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "cuedeck")
        return
    kept = (
        os.path.join("Library", "Application Support") if sys.platform == "darwin" else os.path.join(".local", "state")
    )
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
    """Return the key in a folder; empty when there is none that only its owner can write."""
    try:
        if not _is_own(nofollow.status(folder)):
            return b""
        handle = nofollow.open_file(os.path.join(folder, _NAME), os.O_RDONLY)
        with open(handle, "rb") as file:
            data = file.read(_BYTES + 1) if _is_own(os.fstat(handle)) else b""
    except OSError:
        return b""
    return data if len(data) == _BYTES else b""


def _make(folder: str) -> None:
    """Write a new key, unless another process was faster. Raises: StorageError, OSError."""
    nofollow.make_folder(os.path.dirname(folder))
    nofollow.make_folder(folder, mode=0o700)
    if _is_own(nofollow.status(folder)):
        create(os.path.join(folder, _NAME), os.urandom(_BYTES), mode=PRIVATE)


def _is_own(found: os.stat_result) -> bool:
    """Return whether a file or folder belongs to this user alone."""
    if os.name == "nt":
        return True
    writable = stat.S_IWGRP | stat.S_IWOTH
    readable = stat.S_IRGRP | stat.S_IROTH if stat.S_ISREG(found.st_mode) else 0
    return found.st_uid == os.geteuid() and not found.st_mode & (writable | readable)
