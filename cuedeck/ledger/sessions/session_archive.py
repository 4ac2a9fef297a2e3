"""Archive of sessions: one file of concatenated LZ4 frames, one frame for each
session.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import lz4.frame

from cuedeck.ledger.sessions.session_file import format_session, parse_session
from cuedeck.ledger.sessions.session_files import SessionFiles, is_name
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import SESSION_ARCHIVE, SESSIONS
from cuedeck.model.session import Session
from cuedeck.store.files.disk import read_generated, write_atomic
from cuedeck.store.files.unpacking import TooLarge, unpack_frames
from cuedeck.store.workspace_paths import WorkspacePaths


def archived(paths: WorkspacePaths) -> Iterator[Session]:
    """Yield the sessions of the archive, oldest first; a session that was archived
    twice is yielded twice.

    Raises: StorageError.
    """
    data = read_generated(paths.absolute(SESSION_ARCHIVE)) or b""
    for frame, _ in _frames(data):
        for line in frame.splitlines():
            try:
                session = parse_session(line)
            except (ValueError, RecursionError):
                continue
            if is_name(session.id):
                yield session


def archive(paths: WorkspacePaths, files: SessionFiles, identity: str) -> None:
    """Move a session into the archive: its files are removed after the archive is on
    disk. Raises: StorageError.
    """
    found = files.load(identity)
    if found.session is None:
        return
    for path in found.broken:
        files.set_aside(path)
    fields = json.loads(format_session(found.session))
    line = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
    frame = lz4.frame.compress(line, content_checksum=True)
    place = paths.absolute(SESSION_ARCHIVE)
    # An incomplete frame, left by a crash, is dropped: the frames after it could not be
    # read.
    before = _complete_frames(read_generated(place) or b"")
    # Equal sessions have equal frames: the frame exists already after a crash before
    # the removal of the files.
    if not before.endswith(frame):
        write_atomic(place, before + frame, paths.absolute(SESSIONS), private=True)
    files.remove(identity)


def _complete_frames(data: bytes) -> bytes:
    """Return the leading frames that can be unpacked. Raises: StorageError."""
    ends = [end for _, end in _frames(data)]
    if not ends:
        return b""
    return data[: ends[-1]]


def _frames(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the content and the end of each frame. Raises: StorageError for a frame too
    large for a session.
    """
    try:
        yield from unpack_frames(data)
    except TooLarge as error:
        hint = "move the file away: a session is never that large; nothing was changed"
        raise StorageError(
            f"cannot read {SESSION_ARCHIVE}: {error}", hint=hint
        ) from error
