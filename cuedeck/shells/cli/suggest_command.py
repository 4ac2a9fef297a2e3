"""The `suggest` command: refs worth adding to a card."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Shell, common
from cuedeck.shells.cli.text_table import Column, printable, table

EPILOG = """\b
Examples:
  cuedeck suggest                     refs that the active card lacks
  cuedeck suggest 2a9 --limit 5 --json
  cuedeck suggest --apply             add the marked ones to its refs"""


@click.command(epilog=EPILOG)
@click.argument("card", required=False, shell_complete=complete_arguments.card)
@click.option("--apply", is_flag=True, help="Add the refs marked `+` to the card.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    metavar="N",
    help="List at most N refs.  [default: 10]",
)
@common
def suggest(shell: Shell, card: str | None, apply: bool, limit: int | None) -> int:
    """Suggest refs for a card.

    Lists unlinked files and symbols that the words of the card, imports and git history
    point to.
    """
    from cuedeck.context.scene.suggest_refs import LIMIT
    from cuedeck.context.scene.suggest_refs import suggest as find

    answer = shell.masked(find(shell.workspace(), card, limit or LIMIT, apply=apply))
    shell.answer(answer, lambda: click.echo(_text(answer, apply)))
    return 0


def _text(answer: dict[str, Any], apply: bool) -> str:
    found, applied = answer["suggestions"], answer["applied"]
    if not found:
        return printable(f"nothing to suggest for {answer['card']}")
    rows = [
        (str(rank), _mark(each), each["address"], each["why"])
        for rank, each in enumerate(found, 1)
    ]
    columns = [
        Column("rank", right=True),
        Column("apply"),
        Column("address"),
        Column("why", wraps=True),
    ]
    lines = [table(columns, rows)]
    clear = sum(each["clear"] for each in found)
    if applied:
        lines.append(printable(f"added to {answer['card']}: {', '.join(applied)}"))
    elif apply or not clear:
        outcome = "nothing was added: " if apply else ""
        lines.append(
            f"{outcome}no suggestion is clear enough; `cuedeck card ref add CARD ADDRESS` adds any ref"
        )
    else:
        lines.append(
            f"`cuedeck suggest --apply` adds the {clear} marked +, `cuedeck card ref add CARD ADDRESS` any other"
        )
    return "\n".join(lines)


def _mark(suggestion: dict[str, Any]) -> str:
    """Return the mark of a ref that `--apply` adds or has added."""
    if suggestion["clear"] or suggestion["linked"]:
        return "+"
    return ""
