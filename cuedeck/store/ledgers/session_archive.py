"""The archive of sessions: one LZ4 frame each, one after the other, in one file."""

from __future__ import annotations

import json
from collections.abc import Iterator

import lz4.frame

from cuedeck.model.errors import StorageError
from cuedeck.model.paths import SESSION_ARCHIVE, SESSIONS
from cuedeck.model.session import Session
from cuedeck.parse.session_file import format_session, parse_session
from cuedeck.store.fs.disk import read_generated, write_atomic
from cuedeck.store.fs.unpacking import TooLarge, unpack_frames
from cuedeck.store.ledgers.session_files import SessionFiles, is_name
from cuedeck.store.workspace_paths import WorkspacePaths


def archived(workspace: WorkspacePaths) -> Iterator[Session]:
    """Yield the sessions of the archive, oldest first; one that was archived twice comes twice.

    Raises: StorageError.
    """
    data = read_generated(workspace.absolute(SESSION_ARCHIVE)) or b""
    for frame, _ in _frames(data):
        for line in frame.splitlines():
            try:
                session = parse_session(line)
            except (ValueError, RecursionError):
                continue
            if is_name(session.id):
                yield session


def archive(workspace: WorkspacePaths, files: SessionFiles, identity: str) -> None:
    """Move a session into the archive: on disk there before it is removed here. Raises: StorageError."""
    found = files.load(identity)
    if found.session is None:
        return
    for path in found.broken:
        files.set_aside(path)
    row = json.dumps(json.loads(format_session(found.session)), ensure_ascii=False).encode("utf-8", "replace")
    place = workspace.absolute(SESSION_ARCHIVE)
    # Frames that follow one another are one stream; what was cut short by a crash is left out of it.
    whole = _whole_frames(read_generated(place) or b"")
    # The frame of equal bytes is equal: it is there when a crash came before the files were removed.
    frame = lz4.frame.compress(row + b"\n", content_checksum=True)
    if not whole.endswith(frame):
        write_atomic(place, whole + frame, workspace.absolute(SESSIONS), private=True)
    files.remove(identity)


def _whole_frames(data: bytes) -> bytes:
    """Return the frames from the beginning that can be unpacked. Raises: StorageError."""
    ends = [end for _, end in _frames(data)]
    return data[: ends[-1]] if ends else b""


def _frames(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the content and the end of each frame. Raises: StorageError for one that is too large to be a session."""
    try:
        yield from unpack_frames(data)
    except TooLarge as error:
        hint = "move the file away: a session is never that large; nothing was changed"
        raise StorageError(f"cannot read {SESSION_ARCHIVE}: {error}", hint=hint) from error
