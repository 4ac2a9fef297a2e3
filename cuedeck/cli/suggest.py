"""`cuedeck suggest`: refs worth adding to a card."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.cli.command import Shell, common
from cuedeck.cli.table import Column, printable, table

EPILOG = """\b
Examples:
  cuedeck suggest                     what the active card may need
  cuedeck suggest 2a9 --limit 5 --json
  cuedeck suggest --apply             add the clear ones to its refs"""


@click.command(epilog=EPILOG)
@click.argument("card", required=False)
@click.option("--apply", is_flag=True, help="Write the clear ones into the refs of the card.")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Suggest at most N; 10 unless told.")
@common
def suggest(shell: Shell, card: str | None, apply: bool, limit: int | None) -> int:
    """Suggest refs for a card: the files and definitions nobody linked that its words, imports and history point at."""
    from cuedeck.app.suggest import LIMIT
    from cuedeck.app.suggest import suggest as find

    answer = shell.masked(find(shell.project(), card, limit or LIMIT, apply=apply))
    shell.answer(answer, lambda: click.echo(_text(answer, apply)))
    return 0


def _text(answer: dict[str, Any], apply: bool) -> str:
    found, applied = answer["suggestions"], answer["applied"]
    if not found:
        return printable(f"nothing to suggest for {answer['card']}")
    rows = [(str(rank), each["address"], each["why"]) for rank, each in enumerate(found, 1)]
    lines = [table([Column("rank", right=True), Column("address"), Column("why")], rows)]
    if applied:
        lines.append(printable(f"added to {answer['card']}: {', '.join(applied)}"))
    elif apply:
        lines.append("nothing is added: none is clear enough to be written; `cuedeck card ref add` adds any")
    else:
        lines.append("nothing is written; `cuedeck suggest --apply` adds the clear ones, `cuedeck card ref add` any")
    return "\n".join(lines)
