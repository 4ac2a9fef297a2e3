"""Which tools a server lists depends on the settings of the workspace it was started in."""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.model.errors import CueDeckError


def has_experiences(folder: str, environ: Mapping[str, str]) -> bool:
    """Return whether experiences are on in the workspace at or above a folder; False where none can be read."""
    from cuedeck.app.workspace import open_project

    try:
        project = open_project(folder, environ)
        return project.speaks_of("experiences") and project.settings.experiences.enabled
    except CueDeckError:
        return False
