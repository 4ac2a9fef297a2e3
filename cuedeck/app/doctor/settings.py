"""Checks of `config.toml` and of the variables that stand for it."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.app.doctor.view import View
from cuedeck.model.node import Diagnostic


def check_config(view: View) -> Iterator[Diagnostic]:
    """Find broken TOML and values that cannot be used."""
    return (each for each in view.config if each.level == "error")


def check_config_keys(view: View) -> Iterator[Diagnostic]:
    """Find keys nobody reads."""
    return (each for each in view.config if each.level != "error")
