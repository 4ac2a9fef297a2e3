"""The `memory` command group."""

from __future__ import annotations

import click

from cuedeck.shells.cli import (
    memory_admin_command,
    memory_files_command,
    memory_maintenance_command,
    memory_records_command,
)
from cuedeck.shells.cli.command_base import Group

_EXAMPLE = """\b
Example:
  cuedeck remember "Deploys go out on Tuesdays, never on Fridays"
  cuedeck memory add --category user-preference "Prefers small commits"
  cuedeck memory context"""
_COMMANDS = (
    memory_records_command.add,
    memory_records_command.list_,
    memory_records_command.show,
    memory_records_command.edit,
    memory_files_command.read_,
    memory_files_command.write_,
    memory_admin_command.forget,
    memory_records_command.supersede_,
    memory_records_command.confirm,
    memory_admin_command.context,
    memory_admin_command.integrity,
    memory_admin_command.stats,
    memory_maintenance_command.compact_,
    memory_maintenance_command.tick_,
)


@click.group(cls=Group, epilog=_EXAMPLE)
def memory() -> None:
    """Add, list, edit and compact records; read memory files.

    Records are kept in MEMORY.md and in one log a day.
    """


for _command in _COMMANDS:
    memory.add_command(_command)
