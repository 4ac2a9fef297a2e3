"""The user's agreement to record sessions of a workspace.

It is one file in the state folder of the user, `capture/<keyed hash of the real path of
the workspace>`, in one of the folders that `private_folder` describes: no repository
can contain it, so a committed file never agrees for anybody. The first line is the
answer, the third the path, for people, the fourth the time of an agreement after the
user had declined.

An answer counts for one repository, or for a folder outside of git. It leaves a mark in
the git directory, whose name depends on the key of the user. Outside of git, the number
of the file system's entry of `.cuedeck` is noted in the second line.

All worktrees of a repository share one answer, which is that of the main worktree.

Every hook that could record something reads this file, so this module imports nothing
heavy.
"""

from __future__ import annotations

import os
import time

from cuedeck.model.errors import StorageError
from cuedeck.store.files import nofollow
from cuedeck.store.files.private_folder import (
    keyed_hash,
    private_name,
    read_own,
    state_folders,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Answer = Literal["on", "off", "asked", ""]
    """`asked`: a session start said that the user has not answered; empty: not even
    that.
    """


FOLDER = "capture"
_NO_GIT = "no git"
_MOST_BYTES = 10_000
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
        answer, known = _read_file(os.path.join(folder, FOLDER), name)
        if answer:
            return answer if _is_same(root, known) else ""
    return ""


def _mark_in(folder: str, answering: str) -> str:
    """Return the path of the mark in a folder. Raises: StorageError without a key."""
    name = keyed_hash(f"capture {answering}".encode("utf-8", "surrogateescape"))
    return os.path.join(folder, f"cuedeck-{name}")


def _is_same(root: str, known: str) -> bool:
    """Return whether an answer was given for the present content of a folder."""
    answering, git, _ = locate(root)
    if git and not known.startswith(_NO_GIT):
        return os.path.lexists(_mark_in(git, answering))
    if git:  # `git init` in the same workspace
        return known == _outside_git(answering)
    return known.startswith(_NO_GIT)


def _outside_git(answering: str) -> str:
    """Return the second line of the answer for a folder outside of git."""
    try:
        status = nofollow.status(os.path.join(answering, ".cuedeck"))
    except OSError:
        return _NO_GIT
    return f"{_NO_GIT} {status.st_dev} {status.st_ino}"


def _read_file(folder: str, name: str) -> tuple[Answer, str]:
    """Return the answer in a file, and its second line; empty if others could have
    written it.
    """
    data = read_own(folder, name, _MOST_BYTES)
    text, known, *_ = [*data.decode("utf-8", "replace").split("\n"), ""]
    return next((answer for answer in _ANSWERS if answer == text), ""), known


def answering_folder(root: str) -> str:
    """Return the folder whose answer counts for a workspace: in a linked worktree, the
    place of the workspace in the main worktree; else the workspace itself.
    """
    return locate(root)[0]


def locate(root: str) -> tuple[str, str, str]:
    """Return the folder whose answer counts for a workspace, the git directory of its
    repository, empty without one, and the workspace in another worktree that has its
    private memory; empty if it has its own.
    """
    root = os.path.realpath(root)
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        above = os.path.dirname(folder)
        if above == folder:
            return root, "", ""
        folder = above
    git = os.path.join(folder, ".git")
    if os.path.isdir(git):
        return root, git, ""
    # Few workspaces are linked worktrees or submodules. A `.git` that leads to a
    # repository which does not name this folder is not followed.
    from cuedeck.store.git.worktrees import find_with_main

    repository, memory = find_with_main(root)
    if repository is None:
        return root, "", ""
    main = repository.common
    if main == repository.private:
        return root, main, ""
    if os.path.basename(main) == ".git":
        main = os.path.dirname(main)
    answering = os.path.normpath(os.path.join(main, repository.prefix))
    return answering, repository.common, memory


_HINT = "make the home folder or XDG_STATE_HOME writable"


def write_answer(root: str, answer: Answer) -> None:
    """Store the answer of the user. Raises: StorageError."""
    # Hooks that only read the answer need no atomic write.
    from cuedeck.store.files.disk import failed, write_atomic

    answering, git, _ = locate(root)
    name = private_name(answering)
    since = agreed_again_at(root)
    if answer == "on" and read_answer(root) == "off":
        since = time.time()
    known = "" if git else _outside_git(answering)
    text = "\n".join((answer, known, answering, str(since), "")).encode(
        "utf-8", "surrogateescape"
    )
    if git:
        mark = _mark_in(git, answering)
        try:
            os.close(nofollow.open_file(mark, os.O_WRONLY | os.O_CREAT))
        except OSError as error:
            raise failed(f"write {mark}", error, "make it writable") from error
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
        if _read_file(folder, name)[0] == answer:
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
