"""The `open` command."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from cuedeck.model.errors import NotFound
from cuedeck.shells.cli.card_list_command import card_filters
from cuedeck.shells.cli.command_base import Shell, common
from cuedeck.shells.cli.text_table import Column, table

EPILOG = """\b
Examples:
  cuedeck open login                  choose one of the matches and edit it
  cuedeck open login --json           only list the matches"""


@click.command("open", epilog=EPILOG)
@click.argument("query", nargs=-1)
@card_filters
@common
def open_(
    shell: Shell,
    query: tuple[str, ...],
    tags: tuple[str, ...],
    priority: str,
    assignee: str,
) -> int:
    """Find a card, doc or file by words and open it in $EDITOR.

    In a pipe the matches are listed.
    """
    from cuedeck.context.search.fuzzy_find import find

    workspace = shell.workspace()
    answer = find(
        workspace, " ".join(query), tags=tags, priority=priority, assignee=assignee
    )
    if not answer["results"]:
        if shell.json:
            shell.answer(shell.masked(answer), lambda: None)
            return 1
        raise NotFound(
            f"nothing matches `{answer['query']}`",
            hint="`cuedeck open` without a query lists cards and docs",
        )
    masked = shell.masked(answer)
    shell.answer(masked, lambda: _show(masked))
    if shell.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return 0
    chosen = _choose(answer["results"])
    if chosen is not None:
        from cuedeck.engine.open_in_editor import edit_address

        edit_address(workspace, chosen["address"], chosen["line"], os.environ)
    return 0


def _show(answer: dict[str, Any]) -> None:
    columns = [
        Column("", right=True),
        Column("kind"),
        Column("address"),
        Column("title", wraps=True),
    ]
    rows = []
    for number, each in enumerate(answer["results"], 1):
        rows.append((str(number), each["kind"], each["address"], each["title"]))
    click.echo(table(columns, rows))
    more = answer["total"] - len(rows)
    if more > 0:
        click.echo(f"… and {more} more")


def _choose(results: list[dict[str, Any]]) -> dict[str, Any] | None:
    if len(results) == 1:
        return results[0]
    number = click.prompt(
        "open",
        default=1,
        type=click.IntRange(0, len(results)),
        prompt_suffix=" (0 for none): ",
    )
    if not number:
        return None
    return results[number - 1]
