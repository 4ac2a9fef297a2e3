"""The user's agreement to record sessions of a workspace.

It is one file in the state folder of the user, `capture/<keyed hash of the real path of
the workspace>`, in one of the folders that `private_folder` describes: no repository
can contain it, so a committed file never agrees for anybody. The first line is the
answer, the second the path, for people.

All worktrees of a repository share one answer, which is that of the main worktree.

Every hook that could record something reads this file, so this module imports nothing
heavy.
"""

from __future__ import annotations

import os

from cuedeck.model.errors import StorageError
from cuedeck.store.fs import nofollow
from cuedeck.store.fs.private_folder import is_own, private_name, state_folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Answer = Literal["on", "off", "asked", ""]
    """`asked`: a session start said that the user has not answered; empty: not even
    that.
    """

_FOLDER = "capture"
_MOST_BYTES = 10_000
_HINT = "make the home folder or XDG_STATE_HOME writable"
_ANSWERS: tuple[Answer, ...] = ("on", "off", "asked")


def is_agreed(root: str) -> bool:
    """Return whether the user agreed to record sessions of a workspace; False if that
    cannot be read.
    """
    return read_answer(root) == "on"


def read_answer(root: str) -> Answer:
    """Return the answer of the user; empty if there is none that only the user could
    have written.
    """
    try:
        name = private_name(answering_folder(root))
    except StorageError:
        return ""
    for folder in state_folders():
        if answer := _read(os.path.join(folder, _FOLDER), name):
            return answer
    return ""


def write_answer(root: str, answer: Answer) -> None:
    """Store the answer of the user. Raises: StorageError."""
    # Hooks only read, except once.
    from cuedeck.store.fs.disk import failed, write_atomic

    answering = answering_folder(root)
    name = private_name(answering)
    text = f"{answer}\n{answering}\n".encode("utf-8", "surrogateescape")
    problem: StorageError | None = None
    for state in state_folders():
        folder = os.path.join(state, _FOLDER)
        place = os.path.join(folder, name)
        try:
            nofollow.make_folder(folder, mode=0o700)
            write_atomic(place, text, private=True)
        except StorageError as error:
            problem = problem or error
        except OSError as error:
            problem = problem or failed(f"write {place}", error, _HINT)
        if _read(folder, name) == answer:
            return
    raise problem or StorageError("no folder for the answer of the user", hint=_HINT)


def _read(folder: str, name: str) -> Answer:
    """Return the answer in a file; empty if others could have written it."""
    try:
        if not is_own(nofollow.status(folder)):
            return ""
        handle = nofollow.open_file(os.path.join(folder, name), os.O_RDONLY)
        with open(handle, "rb") as file:
            data = b""
            if is_own(os.fstat(handle)):
                data = file.read(_MOST_BYTES)
    except OSError:
        return ""
    text = data.partition(b"\n")[0].decode("utf-8", "replace")
    return next((answer for answer in _ANSWERS if answer == text), "")


def answering_folder(root: str) -> str:
    """Return the folder whose answer counts for a workspace: in a linked worktree, the
    place of the workspace in the main worktree; else the workspace itself.
    """
    root = os.path.realpath(root)
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return root
        folder = above
    if os.path.isdir(os.path.join(folder, ".git")):
        return root
    # Few workspaces are linked worktrees or submodules. A `.git` that leads to a
    # repository which does not name this folder is not followed.
    from cuedeck.store.git.head import find_repository

    repository = find_repository(root)
    if repository is None or repository.common == repository.private:
        return root
    main = repository.common
    if os.path.basename(main) == ".git":
        main = os.path.dirname(main)
    return os.path.normpath(os.path.join(main, repository.prefix))
