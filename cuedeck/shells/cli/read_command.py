"""The `read` and `why` commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cuedeck.model.cortex_address import LAYERS, LayerName, is_cortex_address
from cuedeck.model.formatting import VIEW_WORDS
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Shell, common, print_note, say, write_text
from cuedeck.shells.cli.text_table import Column, place, table

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

READ_EPILOG = """\b
Examples:
  cuedeck read docs/auth.md#LoginFlow
  cuedeck read src/auth.py#L10-L40 --numbers
  cuedeck read src/auth.py --layer L1"""


@click.command(epilog=READ_EPILOG)
@click.argument("address", shell_complete=complete_arguments.address)
@click.option(
    "--numbers",
    is_flag=True,
    help="Print the number of each line of a file: `42│text`.",
)
@click.option(
    "--layer",
    type=click.Choice(LAYERS),
    default="L2",
    help="L0: abstract of at most 100 tokens. L1: overview of at most 2,000. "
    "L2: the text.",
)
@common
def read(shell: Shell, address: str, numbers: bool, layer: LayerName) -> int:
    """Print the text at an address, or an abstract of it.

    ADDRESS is a path, a path with `#section`, `#symbol` or `#L10-L40`, a card id, or
    the address of a ledger entry such as `decision:ID`. A path that begins with `./` or
    `../` counts from the current folder, any other from the folder that holds
    .cuedeck/, or without one from the top of the git checkout. Secrets are masked.
    """
    workspace = shell.workspace(or_folder=True)
    place = address if is_cortex_address(address) else shell.address(address)
    answer = shell.masked(_read(workspace, place, layer, numbers=numbers))
    ending = "" if answer["text"].endswith("\n") or not answer["text"] else "\n"
    if answer["kind"] == "binary":
        print_note(f"{answer['path']} is a binary file")
    shell.answer(answer, lambda: write_text(answer["text"] + ending))
    return 0


def _read(
    workspace: Workspace, address: str, layer: LayerName, *, numbers: bool
) -> dict[str, Any]:
    if layer == "L2":
        from cuedeck.context.search.read_address import read_address

        return read_address(workspace, address, numbers=numbers)
    from cuedeck.knowledge.layers.read_layer import read_with_layer  # loads all parsers

    return read_with_layer(workspace, address, layer, numbers=numbers)


@click.command(epilog="\b\nExample:\n  cuedeck why src/auth.py")
@click.argument("address", shell_complete=complete_arguments.address)
@click.option(
    "--card",
    metavar="CARD",
    shell_complete=complete_arguments.card,
    help="Use this card instead of the active one.",
)
@common
def why(shell: Shell, address: str, card: str | None) -> int:
    """Explain why an address is in the scene or not.

    Prints the links that lead to it, or its rank and the file it lost to. Exit code 1
    if it is not in the scene.
    """
    from cuedeck.context.scene.explain import why as explain

    answer = shell.masked(explain(shell.workspace(), shell.address(address), card))
    shell.answer(answer, lambda: _show(answer, shell.short))
    return 0 if answer["in_scene"] else 1


SIGNALS = {
    "path": "task words in the path",
    "stem": "file name shared with a linked file",
    "defines": "defines a name from the task",
    "names": "task words in names of definitions and sections",
    "text": "task words in the text",
    "chunk": "task words close together",
    "sources": "rare words shared with linked files",
    "focus": "words shared with linked passages about the task",
    "imports": "imports from or into linked files",
    "session": "used in the open session",
    "cochange": "changed together with linked files",
    "commits": "changed by commits with a similar message",
    "lines": "lines that similar commits edited",
}
"""Display texts of the ranking signals; `--json` has their names."""


def _show(answer: dict[str, Any], short: Callable[[str], str]) -> None:
    for step in answer["chain"]:
        indent = "  " * step["depth"]
        say(f"{indent}{short(step['address'])}   {step['why']}")
    say(_placement(answer))
    if answer["ranks"]:
        columns = [Column("signal"), Column("rank", right=True)]
        rows = sorted(answer["ranks"].items(), key=lambda each: (each[1], each[0]))
        shown = []
        for signal, rank in rows:
            shown.append((SIGNALS.get(signal, signal), str(rank)))
        click.echo(table(columns, shown))
    for each in answer["referred_by"][:20]:
        where = place(each["path"], each["line"], each.get("cell", ""))
        say(f"  linked from {where} as {each['ref']}")


def _placement(answer: dict[str, Any]) -> str:
    """Return how the scene shows an address, or why it does not."""
    reason = answer["reason"]
    if not answer["in_scene"]:
        return f"not shown: {reason}"
    if not answer["view"]:
        return f"shown in another part of the scene: {reason}"
    tier = "related file" if answer["tier"] == "related" else "linked from the card"
    view = VIEW_WORDS[answer["view"]]
    shown = f"shown ({view}, {answer['tokens']:,} tokens), {tier}"
    if reason:
        return f"{shown}: {reason}"
    return shown
