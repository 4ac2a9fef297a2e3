"""The clones in the folder `SCENEBENCH_REPOS`, and the commands that create missing
ones.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from benchmarks.scenes.cases import Case
from benchmarks.scenes.repository import git

VARIABLE = "SCENEBENCH_REPOS"


class UnfitClones(Exception):
    """The missing clones, their purpose, and the next command."""


def find_clones(cases: Sequence[Case], folder: str | None) -> dict[str, str]:
    """Return the folder of each repository's clone. Raises: UnfitClones if one is
    missing or lacks a commit.
    """
    repos = list(dict.fromkeys(case.repo for case in cases))
    if not folder:
        raise UnfitClones(_explain(f"{VARIABLE} is not set", repos))
    clones = {
        repo: os.path.abspath(os.path.join(os.path.expanduser(folder), repo))
        for repo in repos
    }
    missing = [repo for repo, clone in clones.items() if not os.path.isdir(clone)]
    if missing:
        raise UnfitClones(
            _explain(
                f"{len(missing)} of {len(repos)} clones are not in {folder}", missing
            )
        )
    for repo, clone in clones.items():
        _check(clone, [case.parent for case in cases if case.repo == repo])
    return clones


def _explain(what: str, repos: Sequence[str]) -> str:
    rows = [
        f"{what}.",
        "The benchmark builds scenes in full clones of the repositories its cases come from.",
        "Run:",
    ]
    rows += [f'    export {VARIABLE}="${{{VARIABLE}:-$HOME/scenebench}}"']
    rows += [
        f'    git clone https://github.com/{repo.replace("+", "/")} "${VARIABLE}/{repo}"'
        for repo in repos
    ]
    return "\n".join(rows)


def _check(clone: str, commits: Sequence[str]) -> None:
    try:
        output = git(
            clone,
            "cat-file",
            "--batch-check",
            text="".join(f"{commit}^{{tree}}\n" for commit in commits),
        )
    except RuntimeError as error:
        raise UnfitClones(f"{clone} is no clone that git can read.\n{error}") from error
    lacking = [
        commit
        for commit, row in zip(commits, output.splitlines(), strict=True)
        if " tree " not in row
    ]
    if lacking:
        raise UnfitClones(
            f"{clone} lacks {len(lacking)} of {len(commits)} commits, first {lacking[0]}.\n"
            "The cases reach far back; the clone is shallow or old.\n"
            f"Run:\n    git -C {clone} fetch --unshallow || git -C {clone} fetch --all"
        )
