"""What a server is told of its workspace."""

from __future__ import annotations

from typing import NamedTuple


class Changes(NamedTuple):
    """Something that happened while nobody asked."""

    paths: tuple[str, ...] = ()
    """Files that changed, sorted; also some that are not in the index."""
    listing: bool = False
    """True when files came or went, or go by other names."""
    scene: bool = False
    """True when the scene is another one."""
    error: str = ""
    """What went wrong, secrets masked."""
