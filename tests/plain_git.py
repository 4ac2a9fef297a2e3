"""git without settings of the user and without background processes, for the
repositories of tests.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path


def settings(others: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return variables that give git these settings, and none of a user. Maintenance
    after a commit would be a process that finds nothing to do.
    """
    known = {"maintenance.auto": "false", "gc.auto": "0", **(others or {})}
    variables = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_COUNT": str(len(known)),
    }
    for at, (name, value) in enumerate(known.items()):
        variables[f"GIT_CONFIG_KEY_{at}"] = name
        variables[f"GIT_CONFIG_VALUE_{at}"] = value
    return variables


def person(name: str, email: str) -> dict[str, str]:
    """Return variables that name the author and committer."""
    return {
        f"GIT_{role}_{field}": value
        for role in ("AUTHOR", "COMMITTER")
        for field, value in (("NAME", name), ("EMAIL", email))
    }


def outer_environ() -> dict[str, str]:
    """Return the environment of the tests without the variables of git."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_")
    }


def git(root: Path, *arguments: str) -> str:
    """Run git in a folder; return its output."""
    ran = subprocess.run(
        ["git", *arguments],
        cwd=root,
        env=outer_environ() | settings() | person("A", "a@example.org"),
        check=True,
        capture_output=True,
    )
    return ran.stdout.decode(errors="replace").strip()
