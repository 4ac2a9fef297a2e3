"""The `card ref`, `card deps` and `card graph` commands."""

from __future__ import annotations

import click

from cuedeck.model.errors import UsageError
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Group, Shell, common, say
from cuedeck.shells.cli.graph_command import give


@click.group(
    "ref",
    cls=Group,
    epilog="\b\nExample:\n  cuedeck card ref add 2a9 docs/auth.md#LoginFlow",
)
def ref() -> None:
    """Add or remove refs of a card."""


@ref.command(
    "add", epilog="\b\nExample:\n  cuedeck card ref add 2a9 src/auth.py#Login.verify"
)
@click.argument("name", metavar="CARD", shell_complete=complete_arguments.card)
@click.argument("address", shell_complete=complete_arguments.address)
@common
def ref_add(shell: Shell, name: str, address: str) -> int:
    """Add a ref; a ref without a target is refused."""
    from cuedeck.work.cards.edit_card import add_ref

    answer = shell.masked(add_ref(shell.workspace(), name, shell.address(address)))
    shell.answer(
        answer,
        lambda: say(
            f"{answer['path']} → {answer['address']}"
            + ("" if answer["changed"] else " (already there)")
        ),
    )
    return 0


@ref.command("rm", epilog="\b\nExample:\n  cuedeck card ref rm 2a9 docs/auth.md")
@click.argument("name", metavar="CARD", shell_complete=complete_arguments.card)
@click.argument("address", shell_complete=complete_arguments.address)
@common
def ref_rm(shell: Shell, name: str, address: str) -> int:
    """Remove a ref, given as it is written in the card."""
    from cuedeck.work.cards.edit_card import CardChange, update_card

    changed = update_card(shell.workspace(), name, CardChange(drop_refs=(address,)))
    answer = shell.masked({**changed, "ref": address})
    shell.answer(answer, lambda: say(f"{answer['path']}: removed {answer['ref']}"))
    return 0


@click.command(
    "deps",
    epilog="\b\nExamples:\n  cuedeck card deps 2a9\n  cuedeck card deps 2a9 --add 7bk",
)
@click.argument("name", metavar="CARD", shell_complete=complete_arguments.card)
@click.option("--reverse", is_flag=True, help="Show the cards that depend on this one.")
@click.option(
    "--add",
    metavar="ID",
    shell_complete=complete_arguments.card,
    help="Add a dependency on card ID; a cycle is refused (code 1002).",
)
@click.option(
    "--drop",
    metavar="ID",
    shell_complete=complete_arguments.card,
    help="Remove a dependency.",
)
@common
def deps(
    shell: Shell, name: str, reverse: bool, add: str | None, drop: str | None
) -> int:
    """Show or change the dependencies of a card."""
    from cuedeck.work.cards.card_dependencies import dependencies
    from cuedeck.work.cards.edit_card import CardChange, update_card

    workspace = shell.workspace()
    if add and drop:
        raise UsageError(
            "--add and --drop cannot be combined", hint="run the command once for each"
        )
    if add:
        update_card(workspace, name, CardChange(add_depends_on=(add,)))
    if drop:
        update_card(workspace, name, CardChange(drop_depends_on=(drop,)))
    answer = shell.masked(dependencies(workspace, name, reverse=reverse))
    shell.answer(
        answer,
        lambda: say(
            "\n".join(
                f"{each['id']}  {each['status']:<8}  {each['title']}"
                for each in answer["cards"]
            )
            or "none"
        ),
    )
    return 0


@click.command("graph", epilog="\b\nExample:\n  cuedeck card graph --format mermaid")
@click.option(
    "--format",
    "form",
    type=click.Choice(["ascii", "mermaid", "dot", "json", "svg"]),
    default="ascii",
    show_default=True,
    help="Form of the drawing.",
)
@click.option("--out", metavar="FILE", help="Write to FILE instead of stdout.")
@common
def graph(shell: Shell, form: str, out: str | None) -> int:
    """Draw the dependencies between cards."""
    from cuedeck.context.graph.draw_graph import draw_dependencies

    if shell.json and not out:
        form = "json"
    workspace = shell.workspace()
    return give(shell, workspace, draw_dependencies(workspace), form, out)
