"""Click command of `hook` for `--help`. Hosts enter through `hook_main`, which
skips click.
"""

from __future__ import annotations

import click

from cuedeck.agents.hosts import hook_hosts
from cuedeck.shells.cli.command_base import directory_option
from cuedeck.shells.hook.hook_main import main

_EXAMPLE = """\b
Example:
  echo '{"session_id": "a", "cwd": ".", "source": "startup"}' | cuedeck hook session-start --host claude"""


@click.command(epilog=_EXAMPLE)
@click.argument("event", default="")
@click.option(
    "--host",
    metavar="HOST",
    default="",
    help=f"Sender of the event: {', '.join(hook_hosts())}.  [default: detected]",
)
@click.option(
    "--from",
    "form",
    metavar="FORM",
    default="",
    help="Settings that contain the hook, local or user: it then does nothing if the repository has the same hook.",
)
@directory_option
@click.option(
    "--json", "as_json", is_flag=True, help="Changes nothing: every answer is JSON."
)
def hook(event: str, host: str, form: str, directory: str | None, as_json: bool) -> int:
    """Answer a hook event of a coding agent.

    EVENT is session-start, subagent-start, prompt, pre-compact, post-tool, stop or
    session-end. The host writes JSON to standard input and reads JSON from standard
    output. The exit code is always 0. `cuedeck setup HOST` configures a host to call
    this command.
    """
    return main(
        [
            event,
            "--host",
            host,
            "--from",
            form,
            *(["-C", directory] if directory else []),
        ]
    )
