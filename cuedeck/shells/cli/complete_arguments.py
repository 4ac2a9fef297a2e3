"""Shell completion of arguments that refer to things in the workspace."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from cuedeck.shells.cli.command_base import Shell

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def _completer(kind: str) -> Completer:
    """Return the completion function for arguments of one kind; on any error it offers
    nothing.
    """

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        from cuedeck.context.search.completion import complete as candidates

        try:
            workspace = Shell(_directory(context)).workspace()
            found = candidates(workspace, kind, incomplete)
            workspace.close()
        except Exception:  # noqa: BLE001 - an error would be printed into the command line that is being typed
            return []
        return [CompletionItem(each.value, help=each.help or None) for each in found]

    return complete


def _directory(context: click.Context) -> str | None:
    """Return the folder given with `-C`, before or after the command name."""
    step: click.Context | None = context
    while step is not None:
        given = step.params.get("directory")
        if given is not None:
            return str(given)
        step = step.parent
    return None


card = _completer("card")
address = _completer("address")
session = _completer("session")
decision = _completer("decision")
assumption = _completer("assumption")
record = _completer("record")
experience = _completer("experience")
memory_file = _completer("memory file")
cortex = _completer("cortex")
cortex_session = _completer("cortex session")
cortex_user = _completer("cortex user")
cortex_agent = _completer("cortex agent")
