"""The `cortex` command group."""

from __future__ import annotations

import click

from cuedeck.shells.cli.command_base import Group
from cuedeck.shells.cli.cortex_import_command import import_
from cuedeck.shells.cli.cortex_session_command import (
    add,
    close,
    commit,
    open_,
    sessions,
)
from cuedeck.shells.cli.cortex_tree_command import (
    abstract,
    explore,
    forget,
    ls,
    overview,
    read,
    search,
    tree,
)

_EXAMPLE = """\b
Example:
  cuedeck cortex add "We decided to use SQLite"
  cuedeck cortex commit"""


@click.group(cls=Group, epilog=_EXAMPLE)
def cortex() -> None:
    """Keep timelines of sessions, and memories of users and agents.

    They are files below .cuedeck/cortex/, with addresses such as
    cortex://user/default/preferences/editor.md.
    """


for _command in (
    ls,
    tree,
    read,
    abstract,
    overview,
    search,
    explore,
    add,
    commit,
    open_,
    close,
    sessions,
    import_,
    forget,
):
    cortex.add_command(_command)
