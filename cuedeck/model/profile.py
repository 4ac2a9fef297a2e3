"""A profile: a separate memory and its folder."""

from __future__ import annotations

from typing import NamedTuple

DEFAULT_PROFILE = "default"


class Profile(NamedTuple):
    """One memory: MEMORY.md, daily logs, archive, long memory and experiences below one
    folder.
    """

    id: str
    root: str
    """Workspace-relative POSIX path; empty for the workspace folder."""


OWN = Profile(DEFAULT_PROFILE, ".cuedeck")
"""The workspace's own memory."""
