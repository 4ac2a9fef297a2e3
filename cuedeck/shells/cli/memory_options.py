"""Shared options of the memory commands: `--profile`, `--allow-secret`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cuedeck.model.memory_record import SENSITIVITIES
from cuedeck.shells.cli.command_base import Function, Shell

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

sensitivities = click.Choice(SENSITIVITIES)


def profiled(function: Function) -> Function:
    """Add the option `--profile` to a command."""
    return click.option(
        "--profile",
        default="",
        metavar="ID",
        help="Memory profile from the settings.  [default: the workspace memory]",
    )(function)


def secretive(function: Function) -> Function:
    """Add the option `--allow-secret` to a command."""
    return click.option(
        "--allow-secret",
        is_flag=True,
        help="Include records with the sensitivity `secret`.",
    )(function)


def open_memory(shell: Shell, profile: str) -> tuple[Workspace, Any]:
    """Open the workspace and the memory of a profile. Raises: NotFound,
    ConfigurationError.
    """
    from cuedeck.ledger.records.memory_profiles import memory_of

    workspace = shell.workspace()
    return workspace, memory_of(workspace, profile)
