"""The `setup` command: connect a coding agent to the workspace."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.agents.hosts import all_hosts
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.model.errors import UsageError
from cuedeck.shells.cli.capture_command import capture_lines
from cuedeck.shells.cli.command_base import Shell, common, say, say_lines
from cuedeck.shells.cli.text_table import Column, finding_line, table

EPILOG = f"""\b
Hosts: {", ".join(host.name for host in all_hosts())} (AGENTS.md alone).
By default, set-up writes files that you can commit: hooks that do nothing for people
without CueDeck, and instructions. --local and --user add the MCP server.

\b
Examples:
  cuedeck setup claude --dry-run       print the changes
  cuedeck setup claude                 connect Claude Code; exit code 1 if it cannot work
  cuedeck setup claude --local         hooks and MCP server for this checkout; nothing to commit
  cuedeck setup claude --user          hooks and MCP server in your own settings of the host
  cuedeck setup claude --allow-tools   also let it run read-only tools without asking
  cuedeck setup codex --check          report problems; exit code 1 if there are any
  cuedeck setup cursor --remove        restore the old files, or remove the entries from edited ones"""

_COLUMNS = (Column("FILE"), Column("DONE"))
_STATES = {"right": "ok"}
"""Display names of states that differ from those in `--json`."""


def _complete_host(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[str]:
    return [host.name for host in all_hosts() if host.name.startswith(incomplete)]


@click.command(epilog=EPILOG)
@click.argument("host", shell_complete=_complete_host)
@click.option(
    "--local",
    "form",
    flag_value="local",
    help="This checkout alone: hooks and MCP server in files that git ignores.",
)
@click.option(
    "--user",
    "form",
    flag_value="user",
    help="Hooks and MCP server in your own settings of the host, for all projects.",
)
@click.option(
    "--check", is_flag=True, help="Report problems of the connection; write no file."
)
@click.option(
    "--remove",
    is_flag=True,
    help="Remove all entries of CueDeck and restore replaced ones.",
)
@click.option(
    "--dry-run", is_flag=True, help="Print the change of each file; write no file."
)
@click.option(
    "--allow-tools",
    is_flag=True,
    help="Let the host run read-only MCP tools without asking.",
)
@common
def setup(
    shell: Shell,
    host: str,
    form: Form | None,
    check: bool,
    remove: bool,
    dry_run: bool,
    allow_tools: bool,
) -> int:
    """Connect a coding agent: hooks, MCP server, instructions.

    Adds lines to existing files and keeps all other bytes. Running it again
    changes nothing. Setting up a host with hooks agrees that sessions are recorded;
    see `cuedeck capture --help`.
    """
    from cuedeck.agents import setup as app

    if check and (remove or dry_run):
        raise UsageError(
            "--check only reports problems", hint="use it without other options"
        )
    if allow_tools and (check or remove):
        raise UsageError(
            "--allow-tools cannot be combined with --check or --remove",
            hint="use it alone or with --dry-run; --remove removes its rules",
        )
    known = app.require_host(host)
    workspace = shell.workspace()
    if check:
        answer = shell.masked(app.examine(workspace, known, form))
        shell.answer(answer, lambda: _show_check(answer))
        return 0 if answer["healthy"] else 1
    if remove:
        answer = shell.masked(app.disconnect(workspace, known, form, dry_run=dry_run))
    else:
        answer = shell.masked(
            app.connect(
                workspace,
                known,
                form or "project",
                dry_run=dry_run,
                allow_tools=allow_tools,
            )
        )
    shell.answer(answer, lambda: _show(answer))
    if any(each["level"] == "error" for each in answer["findings"]):
        return 1
    return 0


def _show(answer: dict[str, Any]) -> None:
    if answer["dry_run"]:
        for each in answer["files"]:
            say(each["diff"], nl=False)
        if not any(each["diff"] for each in answer["files"]):
            say("nothing would change")
        _show_findings(answer)
        return
    click.echo(
        table(_COLUMNS, [(each["path"], each["state"]) for each in answer["files"]])
    )
    _show_findings(answer)
    if "capture" in answer:
        say("")
        say_lines(capture_lines(answer["capture"]))
    if answer["next"]:
        say(f"\nNext: {answer['next']}")


def _show_check(answer: dict[str, Any]) -> None:
    rows = [
        (each["path"], _STATES.get(each["state"], each["state"]))
        for each in answer["files"]
    ]
    click.echo(table((Column("FILE"), Column("STATE")), rows))
    _show_findings(answer)
    if answer["healthy"]:
        say(f"\n{answer['host']}: no problems found")
    if answer["next"]:
        say(f"Next: {answer['next']}")


def _show_findings(answer: dict[str, Any]) -> None:
    if answer["findings"]:
        click.echo()
    for each in answer["findings"]:
        click.echo(
            finding_line(
                each["level"], each["path"], each["line"], each["message"], each["hint"]
            )
        )
