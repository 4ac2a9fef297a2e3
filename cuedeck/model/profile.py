"""A profile: whose memory it is, and where it lies."""

from __future__ import annotations

from typing import NamedTuple

DEFAULT_PROFILE = "default"


class Profile(NamedTuple):
    """One memory: MEMORY.md, daily logs, archive, long memory and experiences under one folder."""

    id: str
    root: str
    """Workspace-relative POSIX path; empty for the workspace itself."""


OWN = Profile(DEFAULT_PROFILE, ".cuedeck")
"""The memory of the workspace."""
