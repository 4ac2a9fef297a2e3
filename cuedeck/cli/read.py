"""`cuedeck read` and `cuedeck why`."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.cli.command import Shell, common, note, say
from cuedeck.cli.table import Column, table


@click.command(epilog="\b\nExamples:\n  cuedeck read docs/auth.md#LoginFlow\n  cuedeck read src/auth.py#L10-L40")
@click.argument("address")
@common
def read(shell: Shell, address: str) -> int:
    """Print what is behind an address: a card, doc, section, source, symbol or lines. Secrets are masked."""
    from cuedeck.app.read import read_address

    answer = shell.masked(read_address(shell.project(), address))
    ending = "" if answer["text"].endswith("\n") or not answer["text"] else "\n"
    if answer["kind"] == "binary":
        note(f"{answer['path']} is a binary file")
    shell.answer(answer, lambda: click.echo(answer["text"] + ending, nl=False))
    return 0


@click.command(epilog="\b\nExample:\n  cuedeck why src/auth.py")
@click.argument("address")
@click.option("--card", metavar="CARD", help="For this card instead of the active one.")
@common
def why(shell: Shell, address: str, card: str | None) -> int:
    """Say why an address is in the scene, or why it is not: links, ranks, budget. Exit 1 when it is not."""
    from cuedeck.app.why import why as explain

    answer = shell.masked(explain(shell.project(), address, card))
    shell.answer(answer, lambda: _show(answer))
    return 0 if answer["in_scene"] else 1


def _show(answer: dict[str, Any]) -> None:
    for step in answer["chain"]:
        say(f"{'  ' * step['depth']}{step['address']}   {step['why']}")
    if answer["in_scene"] and not answer["view"]:
        say(f"in a block of the scene: {answer['reason']}")
    elif answer["in_scene"]:
        where = "in the scene's related tier" if answer["tier"] == "related" else "in the scene"
        said = f"; {answer['reason']}" if answer["reason"] else ""
        say(f"{where}, shown {answer['view']}, {answer['tokens']:,} tokens{said}")
    else:
        say(f"not in the scene: {answer['reason']}")
    if answer["ranks"]:
        rows = sorted(answer["ranks"].items(), key=lambda each: (each[1], each[0]))
        shown = [(signal, str(rank)) for signal, rank in rows]
        click.echo(table([Column("signal"), Column("rank", right=True)], shown))
    for each in answer["referred_by"][:20]:
        say(f"  {each['path']}:{each['line']} refers to it, as {each['ref']}")
