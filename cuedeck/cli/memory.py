"""`cuedeck memory …`: what is kept from one session to the next."""

from __future__ import annotations

import click

from cuedeck.cli import records, tending, upkeep
from cuedeck.cli.command import Group

_EXAMPLE = """\b
Example:
  cuedeck remember "Deploys go out on Tuesdays, never on Fridays"
  cuedeck memory add --category user-preference "Prefers small commits"
  cuedeck memory context"""
_COMMANDS = (
    records.add,
    records.list_,
    records.show,
    records.edit,
    upkeep.forget,
    records.supersede_,
    records.confirm,
    upkeep.context,
    upkeep.integrity,
    upkeep.stats,
    tending.compact_,
    tending.tick_,
)


@click.group(cls=Group, epilog=_EXAMPLE)
def memory() -> None:
    """Add, list, edit and compact memory records.

    Records are kept in MEMORY.md and in one log a day.
    """


for _command in _COMMANDS:
    memory.add_command(_command)
