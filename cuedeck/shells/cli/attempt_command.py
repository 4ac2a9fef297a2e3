"""The `attempt` commands: record and list failed attempts."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import (
    Group,
    Shell,
    common,
    filter_option,
    print_note,
    say,
)
from cuedeck.shells.cli.read_stdin import read_stdin
from cuedeck.shells.cli.text_table import Column, problem_line, table

_EXAMPLE = """\b
Example:
  cuedeck attempt add --on src/auth.py#refresh --tried "a retry loop" --failed "the token is gone by then"
  pytest 2>&1 | cuedeck attempt add --on src/auth.py --tried "asyncio" --failed "deadlock" --error -"""


@click.group(cls=Group, epilog=_EXAMPLE)
def attempt() -> None:
    """Record and list failed attempts.

    A scene shows the attempts on the files that it shows.
    """


@attempt.command("add", epilog=_EXAMPLE)
@click.option(
    "--on",
    multiple=True,
    required=True,
    metavar="ADDRESS",
    shell_complete=complete_arguments.address,
    help="File or symbol of the attempt. Repeatable.",
)
@click.option("--tried", required=True, metavar="TEXT", help="The attempt.")
@click.option("--failed", required=True, metavar="TEXT", help="How it failed.")
@click.option(
    "--error",
    metavar="FILE",
    help="File with the error output, or `-` for stdin. Its end is kept.",
)
@click.option(
    "--card",
    metavar="CARD",
    shell_complete=complete_arguments.card,
    help="Card it belongs to.  [default: the active card]",
)
@common
def add(
    shell: Shell,
    on: tuple[str, ...],
    tried: str,
    failed: str,
    error: str | None,
    card: str | None,
) -> int:
    """Record a failed attempt."""
    from cuedeck.work.decisions.failed_attempts import NewAttempt, add_attempt

    workspace = shell.workspace()
    attempt = NewAttempt(
        shell.addresses(on), tried, failed, _error(shell, error), card or ""
    )
    answer = shell.masked(add_attempt(workspace, attempt))
    for warning in answer["warnings"]:
        print_note(warning)
    shell.answer(answer, lambda: say(f"{answer['id']}  {answer['tried']}"))
    return 0


def _error(shell: Shell, file: str | None) -> str:
    from cuedeck.work.decisions.failed_attempts import read_error

    if file == "-":
        return read_stdin(is_output=True)
    if file is None:
        return ""
    return read_error(shell.place(file))


@attempt.command("list", epilog="\b\nExample:\n  cuedeck attempt list --on src/auth.py")
@filter_option(
    "--on",
    metavar="ADDRESS",
    shell_complete=complete_arguments.address,
    help="Only attempts on this file, symbol or folder.",
)
@common
def list_(shell: Shell, on: str) -> int:
    """List failed attempts, newest last."""
    from cuedeck.work.decisions.failed_attempts import list_attempts

    answer = shell.masked(list_attempts(shell.workspace(), shell.address(on) or None))
    for problem in answer["problems"]:
        print_note(problem_line(problem))
    shell.answer(answer, lambda: click.echo(_table(answer["attempts"], on)))
    return 0


def _table(attempts: list[dict[str, Any]], on: str | None) -> str:
    if not attempts:
        return "no failed attempts there" if on else "no failed attempts"
    rows = [
        (each["id"], each["tried"], each["failed"], " ".join(each["on"]), each["mark"])
        for each in attempts
    ]
    return table(
        [
            Column("id"),
            Column("tried", wraps=True),
            Column("failed", wraps=True),
            Column("on"),
            Column("cited code", wraps=True),
        ],
        rows,
    )
