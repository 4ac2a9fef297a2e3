"""Checks of `config.toml` and of the environment variables that override it."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.doctor.check_context import CheckContext
from cuedeck.knowledge.memory.due_jobs import schedule_errors
from cuedeck.model.diagnostic import Diagnostic


def check_config(context: CheckContext) -> Iterator[Diagnostic]:
    """Find invalid TOML and invalid values."""
    yield from (each for each in context.config if each.level == "error")
    yield from schedule_errors(context.settings, context.workspace.environ)


def check_config_keys(context: CheckContext) -> Iterator[Diagnostic]:
    """Find unknown keys."""
    return (each for each in context.config if each.level != "error")
