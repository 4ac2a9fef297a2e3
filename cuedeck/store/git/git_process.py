"""A git process without network and without programs that a repository configures; it
is killed if it hangs.

The variables that a git hook sets are removed from the environment. The total time of
git is not limited, because a result that depends on the speed of a machine is not
reproducible. The time without output is limited: git waits forever at a named pipe,
which an archive may have in the place of any file. After the first wait others are
short, so that a command waits about a minute in all.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import IO

from cuedeck.store.files.external_command import kill_group
from cuedeck.store.files.ignore_rules import user_excludes
from cuedeck.store.git.head import Repository
from cuedeck.store.git.history_diagnostics import (
    FAILED,
    NO_GIT,
    REFUSED,
    SILENT,
    UNFINISHED,
    GitFault,
)

SILENT_SECONDS = 60.0
"""A git process without output for this time hangs."""
_SHORT_SECONDS = 1.0
"""The same for ten minutes after a git process hung."""
_SHORT_UNTIL = [0.0]
"""Time of the monotonic clock until which waits are short."""
_ENVIRONMENT = {
    # stops fetches of missing objects in versions of git without GIT_NO_LAZY_FETCH
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_GIT = (
    *(
        "git",
        "--no-pager",
        "--no-replace-objects",
        "-c",
        "safe.bareRepository=explicit",
    ),
    # Both settings name programs that git would start.
    *("-c", "core.fsmonitor=false", "-c", "log.showSignature=false"),
    # These name files that git would read, such as a device.
    *(
        "-c",
        "log.mailmap=false",
        "-c",
        f"mailmap.file={os.devnull}",
        "-c",
        "mailmap.blob=",
    ),
    *("-c", f"diff.orderFile={os.devnull}", "-c", f"core.attributesFile={os.devnull}"),
)
_DIED = 128
"""Exit status of git after a fatal error."""
_CHUNK_BYTES = 1 << 18
_SHA256_DIGITS = 64
_CONFIG = "[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectformat = {}\n"


class GitDied(GitFault):
    """git died of a fatal error; the same request would fail again."""


def run_git(
    root: str,
    repository: Repository,
    arguments: Sequence[str],
    variables: Mapping[str, str] | None = None,
    deadline: float | None = None,
) -> bytes:
    """Return everything that git prints in the folder of a checkout. Raises: GitFault.

    git finds the repository itself, and refuses one that belongs to another user. It
    reads the ignore file of the user, not one that the repository names.
    """
    excludes = ("-c", f"core.excludesFile={user_excludes()}")
    # Settings may name another folder as the checkout, whose files are not part of the
    # workspace.
    variables = {**(variables or {}), "GIT_WORK_TREE": repository.top(root)}
    return b"".join(git_output((*excludes, *arguments), root, variables, deadline))


def head_commit(
    root: str, repository: Repository, deadline: float | None = None
) -> str:
    """Return the id of the commit of HEAD, as git reads it. Raises: GitFault."""
    arguments = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    found = run_git(root, repository, arguments, deadline=deadline)
    return found.decode("ascii", "replace").strip()


def git_output(
    arguments: Sequence[str],
    folder: str,
    variables: Mapping[str, str],
    deadline: float | None = None,
    stdin: IO[bytes] | None = None,
) -> Generator[bytes, None, None]:
    """Start git in a folder and yield its output as it arrives; the process ends with
    the iterator.

    `deadline` is a time of the monotonic clock. Raises: GitFault; GitDied.
    """
    environ = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_")
    }
    with tempfile.TemporaryFile() as errors, selectors.DefaultSelector() as selector:
        try:
            process = subprocess.Popen(
                [*_GIT, *arguments],
                cwd=folder,
                env={**environ, **_ENVIRONMENT, **variables},
                stdin=subprocess.DEVNULL if stdin is None else stdin,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        except OSError as error:
            raise GitFault(NO_GIT) from error
        assert process.stdout is not None
        selector.register(process.stdout, selectors.EVENT_READ)
        try:
            while data := _read(process.stdout, selector, deadline):
                yield data
            status = process.wait(SILENT_SECONDS)
        except subprocess.TimeoutExpired:
            raise GitFault(SILENT) from None
        finally:
            # `git` may be a wrapper script whose child keeps the pipes open.
            if process.returncode is None:
                kill_group(process)
            process.stdout.close()
            process.wait()
        if status == 0:
            return
        errors.seek(0)
        if b"dubious ownership" in errors.read(_CHUNK_BYTES):
            raise GitFault(REFUSED)
        raise GitDied(FAILED) if status == _DIED else GitFault(FAILED)


def _read(
    stream: IO[bytes], selector: selectors.BaseSelector, deadline: float | None
) -> bytes:
    """Return the next bytes; empty at the end of the output. Raises: GitFault without
    output for too long, or after the deadline.
    """
    now = time.monotonic()
    silent = (
        min(_SHORT_SECONDS, SILENT_SECONDS) if now < _SHORT_UNTIL[0] else SILENT_SECONDS
    )
    seconds = silent if deadline is None else min(silent, deadline - now)
    # Windows cannot wait for a pipe.
    if seconds > 0 and (os.name == "nt" or selector.select(seconds)):
        return os.read(stream.fileno(), _CHUNK_BYTES)
    if seconds < silent:
        raise GitFault(UNFINISHED)
    _SHORT_UNTIL[0] = now + 10 * SILENT_SECONDS
    raise GitFault(SILENT)


@contextlib.contextmanager
def borrowed_objects(
    repository: Repository,
    commit: str,
    head: str = "",
    exclude: bytes = b"",
    links: Sequence[str] = (),
) -> Iterator[dict[str, str]]:
    """Provide the environment in which git uses an empty temporary repository with the
    objects of another one. Raises: OSError.

    Settings, attributes, the index and the files of a checkout change what git prints,
    and name programs that git starts. git reads none of these in a repository without
    them. `commit` is any commit of the repository, `head` the one of HEAD, `exclude`
    the rules of ignored files, and `links` the files that a link leads to.
    """
    algorithm = "sha256" if len(commit) == _SHA256_DIGITS else "sha1"
    files = {
        "HEAD": f"{head or 'ref: refs/heads/none'}\n".encode(),
        "config": _CONFIG.format(algorithm).encode(),
        "info/exclude": exclude,
    }
    with tempfile.TemporaryDirectory(
        prefix="cuedeck-git-", ignore_cleanup_errors=True
    ) as folder:
        for name in ("objects", "refs", "info"):
            os.mkdir(os.path.join(folder, name))
        for name, data in files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        for place in links:
            os.symlink(place, os.path.join(folder, os.path.basename(place)))
        yield {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_DIR": folder,
            "GIT_INDEX_FILE": os.path.join(folder, "index"),
            "GIT_OBJECT_DIRECTORY": os.path.join(repository.common, "objects"),
            "GIT_WORK_TREE": folder,
            "HOME": folder,  # older versions of git ignore GIT_CONFIG_GLOBAL
            "XDG_CONFIG_HOME": folder,
        }
