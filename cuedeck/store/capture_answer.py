"""Storage of the user's answer that `capture_consent` reads."""

from __future__ import annotations

import os
import time

from cuedeck.model.errors import StorageError
from cuedeck.store.capture_consent import (
    FOLDER,
    answering_folder,
    leave_mark,
    locate,
    mark_in,
    outside_git,
    read_answer,
    read_file,
)
from cuedeck.store.files import nofollow
from cuedeck.store.files.disk import failed, write_atomic
from cuedeck.store.files.private_folder import private_name, state_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cuedeck.store.capture_consent import Answer

_HINT = "make the home folder or XDG_STATE_HOME writable"


def write_answer(root: str, answer: Answer, commit: str = "") -> None:
    """Store the answer of the user, and the first commit of the repository. Raises:
    StorageError.
    """
    answering, git, _ = locate(root)
    name = private_name(answering)
    since = agreed_again_at(root)
    if answer == "on" and read_answer(root) == "off":
        since = time.time()
    known = commit if git else outside_git(answering)
    text = "\n".join((answer, known, answering, str(since), "")).encode(
        "utf-8", "surrogateescape"
    )
    if git:
        leave_mark(mark_in(git, answering))
    problem: StorageError | None = None
    for state in state_folders():
        folder = os.path.join(state, FOLDER)
        place = os.path.join(folder, name)
        try:
            nofollow.make_folder(folder, mode=0o700)
            write_atomic(place, text, private=True)
        except StorageError as error:
            problem = problem or error
        except OSError as error:
            problem = problem or failed(f"write {place}", error, _HINT)
        if read_file(folder, name)[0] == answer:
            return
    raise problem or StorageError("no folder for the answer of the user", hint=_HINT)


def agreed_again_at(root: str) -> float:
    """Return the time at which the user agreed after they had declined; 0 if they never
    did. Raises: StorageError.
    """
    name = private_name(answering_folder(root))
    for state in state_folders():
        try:
            data = nofollow.read_file(os.path.join(state, FOLDER, name))
        except OSError:
            continue
        _, _, _, since, *_ = [*data.split(b"\n"), b"", b"", b""]
        return float(since) if since.replace(b".", b"").isdigit() else 0
    return 0
