"""Settings that decide which tools a server lists."""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.model.errors import CueDeckError


def has_experiences(folder: str, environ: Mapping[str, str]) -> bool:
    """Return whether experiences are enabled in the workspace at or above a folder; False if it cannot be opened."""
    from cuedeck.app.open_workspace import open_workspace

    try:
        project = open_workspace(folder, environ)
        return project.speaks_of("experiences") and project.settings.experiences.enabled
    except CueDeckError:
        return False
