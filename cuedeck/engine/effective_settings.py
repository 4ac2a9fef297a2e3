"""Effective settings and the source of each value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.engine.mask_answers import error_report
from cuedeck.knowledge.memory.due_jobs import schedule_errors
from cuedeck.model.paths import CONFIG
from cuedeck.model.ports import Json
from cuedeck.parse.settings_file import (
    configuration_error,
    find_sources,
    keys,
    read_settings,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


def show_settings(workspace: Workspace) -> Json:
    """Return every key with its effective value and its source, and the profiles.
    Raises: ConfigurationError.
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
    profiles = [profile._asdict() for profile in settings.profile]
    return {"settings": rows, "profiles": profiles}


def check_settings(workspace: Workspace) -> Json:
    """Return all invalid values of the settings, then the warnings; `error` is the
    first of the invalid values, as commands report it. Raises: ConfigurationError if
    the file cannot be read.
    """
    environ = workspace.environ
    reading = read_settings(workspace.config_text, environ)
    errors = [*reading.errors, *schedule_errors(reading.settings, environ)]
    found = [*errors, *reading.warnings]
    answer: Json = {
        "path": CONFIG,
        "valid": not found,
        "findings": [each._asdict() for each in found],
    }
    if errors:
        first = configuration_error(errors[0])
        answer["error"] = error_report(first, workspace)
    return answer


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return value
