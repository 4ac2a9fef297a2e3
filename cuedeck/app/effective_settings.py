"""Effective settings and the source of each value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.app.memory.due_jobs import check_schedule
from cuedeck.model.paths import CONFIG
from cuedeck.parse.settings_file import find_sources, keys, parse_settings

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


def show_settings(workspace: Workspace) -> dict[str, Any]:
    """Return every key with its effective value and its source. Raises:
    ConfigurationError.
    """
    settings = workspace.settings
    sources = find_sources(workspace.config_text, workspace.environ)
    rows = []
    for full, key in keys():
        section, name = full.split(".")
        rows.append(
            {
                "key": full,
                "value": _plain(getattr(getattr(settings, section), name)),
                "source": sources.get(full, "default"),
                "default": _plain(key.default),
                "doc": key.doc,
            }
        )
    return {"settings": rows}


def check_settings(workspace: Workspace) -> dict[str, Any]:
    """Return warnings about unknown keys. Raises: ConfigurationError for invalid
    values.
    """
    _, found = parse_settings(workspace.config_text, workspace.environ)
    check_schedule(workspace)
    return {
        "path": CONFIG,
        "valid": not found,
        "findings": [each._asdict() for each in found],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return value
