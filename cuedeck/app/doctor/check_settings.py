"""Checks of `config.toml` and of the environment variables that override it."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.app.doctor.check_context import CheckContext
from cuedeck.app.memory.due_jobs import check_schedule
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.paths import CONFIG
from cuedeck.parse.settings_file import setter_of


def check_config(context: CheckContext) -> Iterator[Diagnostic]:
    """Find invalid TOML and invalid values."""
    found = [each for each in context.config if each.level == "error"]
    yield from found
    if not found:
        try:
            check_schedule(context.workspace)
        except ConfigurationError as error:
            is_variable = (
                setter_of("compaction.schedule", context.workspace.environ) != CONFIG
            )
            path, message = (
                (".", error.message) if is_variable else (CONFIG, error.problem)
            )
            yield Diagnostic(path, 0, "error", "config", message, error.hint)


def check_config_keys(context: CheckContext) -> Iterator[Diagnostic]:
    """Find unknown keys."""
    return (each for each in context.config if each.level != "error")
