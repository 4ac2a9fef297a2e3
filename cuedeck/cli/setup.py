"""`cuedeck setup`: connect a coding agent to the workspace."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.cli.command import Shell, common, say
from cuedeck.cli.level import finding_line
from cuedeck.cli.table import Column, table
from cuedeck.model.errors import UsageError

EPILOG = """\b
Hosts: claude, codex, gemini, cursor, vscode. All files are in the workspace; none in the home folder is changed.

\b
Examples:
  cuedeck setup claude --dry-run   show what would change
  cuedeck setup claude             connect Claude Code; twice is the same as once. Exit code 1 when it cannot work
  cuedeck setup codex --check      look whether it can work; exit code 1 when something is wrong
  cuedeck setup cursor --remove    give the old files back, or take own entries out of edited ones"""

_COLUMNS = (Column("FILE"), Column("DONE"))
_STATES = {"right": "ok"}
"""States as a person reads them, where `--json` has another word."""


@click.command(epilog=EPILOG)
@click.argument("host")
@click.option("--check", is_flag=True, help="Look whether the host can work with what is set up; write nothing.")
@click.option("--remove", is_flag=True, help="Take everything out again.")
@click.option("--dry-run", is_flag=True, help="Show the change of each file; write nothing.")
@common
def setup(shell: Shell, host: str, check: bool, remove: bool, dry_run: bool) -> int:
    """Connect a coding agent: its hooks, its MCP server and what it reads at the start.

    Only own lines are added to files that are there; every other byte of them stays.
    """
    from cuedeck.app import setup as app

    if check and (remove or dry_run):
        raise UsageError("--check writes nothing and removes nothing", hint="give it alone")
    known = app.find_host(host)
    project = shell.project()
    if check:
        answer = shell.masked(app.examine(project, known))
        shell.answer(answer, lambda: _show_check(answer))
        return 0 if answer["healthy"] else 1
    act = app.disconnect if remove else app.connect
    answer = shell.masked(act(project, known, dry_run=dry_run))
    shell.answer(answer, lambda: _show(answer))
    return 1 if any(each["level"] == "error" for each in answer["findings"]) else 0


def _show(answer: dict[str, Any]) -> None:
    if answer["dry_run"]:
        for each in answer["files"]:
            say(each["diff"], nl=False)
        if not any(each["diff"] for each in answer["files"]):
            say("nothing would change")
        _show_findings(answer)
        return
    click.echo(table(_COLUMNS, [(each["path"], each["state"]) for each in answer["files"]]))
    _show_findings(answer)
    say(f"\nNext: {answer['next']}")


def _show_check(answer: dict[str, Any]) -> None:
    rows = [(each["path"], _STATES.get(each["state"], each["state"])) for each in answer["files"]]
    click.echo(table((Column("FILE"), Column("STATE")), rows))
    _show_findings(answer)
    if answer["healthy"]:
        say(f"\n{answer['host']}: no problems found")


def _show_findings(answer: dict[str, Any]) -> None:
    if answer["findings"]:
        click.echo()
    for each in answer["findings"]:
        click.echo(finding_line(each["level"], each["path"], each["line"], each["message"], each["hint"]))
