"""Checks of `config.toml` and of the variables that stand for it."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.app.configuration import setter_of
from cuedeck.app.doctor.view import View
from cuedeck.app.memory.due import check_schedule
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.node import Diagnostic
from cuedeck.model.places import CONFIG


def check_config(view: View) -> Iterator[Diagnostic]:
    """Find broken TOML and values that cannot be used."""
    found = [each for each in view.config if each.level == "error"]
    yield from found
    if not found:
        try:
            check_schedule(view.project)
        except ConfigurationError as error:
            is_variable = setter_of(view.project, "compaction.schedule") != CONFIG
            path, message = (".", error.message) if is_variable else (CONFIG, error.problem)
            yield Diagnostic(path, 0, "error", "config", message, error.hint)


def check_config_keys(view: View) -> Iterator[Diagnostic]:
    """Find keys nobody reads."""
    return (each for each in view.config if each.level != "error")
