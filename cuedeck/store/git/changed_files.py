"""Paths of a checkout that differ from its commit.

To compare a file with its index, git runs the filter programs that the settings of the
repository name. Therefore git runs without these settings (`borrowed_objects`).
"""

from __future__ import annotations

import os

from cuedeck.store.files.ignore_rules import look_at_rules
from cuedeck.store.git.git_process import GitProcess, borrowed_objects
from cuedeck.store.git.head import Repository
from cuedeck.store.git.history_diagnostics import NO_GIT, GitFault
from cuedeck.store.git.irregular_files import check_files
from cuedeck.store.git.user_excludes import user_excludes

_STATUS = (
    *("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"),
    *("--ignore-submodules=all", "--", "."),
)


def changed_paths(
    root: str, repository: Repository, commit: str, *, has_modes: bool
) -> list[str]:
    """Return the paths of a workspace that differ from HEAD, which is a commit or
    empty, or are new to git, in no order. Raises: GitFault.

    Unix and Windows line ends count as equal, and a file under a filter program counts
    as changed once its times differ. `has_modes` is whether the file system stores
    executable bits.
    """
    check_files(root, repository)
    settings = (
        f"core.excludesFile={user_excludes()}",
        "core.autocrlf=input",
        "core.safecrlf=false",
        f"core.fileMode={str(has_modes).lower()}",
    )
    arguments = [part for each in settings for part in ("-c", each)]
    checkout = {
        "GIT_INDEX_FILE": os.path.join(repository.private, "index"),
        "GIT_WORK_TREE": repository.top(root),
    }
    exclude = look_at_rules(os.path.join(repository.common, "info", "exclude"))
    try:
        with borrowed_objects(repository, commit, commit) as variables:
            folder = variables["GIT_DIR"]
            with open(os.path.join(folder, "info", "exclude"), "wb") as file:
                file.write(exclude)
            for name in os.listdir(repository.private):
                if name.startswith("sharedindex."):  # of a split index
                    place = os.path.join(repository.private, name)
                    os.symlink(place, os.path.join(folder, name))
            process = GitProcess([*arguments, *_STATUS], root, variables | checkout)
            rows = process.read().split(b"\0")[:-1]
    except OSError as error:
        raise GitFault(NO_GIT) from error
    start = len("XY ") + len(os.fsencode(repository.prefix))
    paths = [row[start:].decode("utf-8", "surrogateescape") for row in rows]
    return list(dict.fromkeys(paths))
