"""The `graph` command."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cuedeck.model.diagram import Drawing
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Shell, common, output, print_note, say
from cuedeck.shells.cli.text_table import printable

if TYPE_CHECKING:
    from cuedeck.context.graph.code_edges import Extent
    from cuedeck.engine.workspace import Workspace

EPILOG = """\b
Examples:
  cuedeck graph                                     refs and the code next to them, as a tree
  cuedeck graph --code all --format json            every import, test and mention as well
  cuedeck graph --scene --format svg --out scene.svg
  cuedeck graph --format mermaid --stats"""


@click.command(epilog=EPILOG)
@click.option(
    "--format",
    "form",
    type=click.Choice(["ascii", "mermaid", "dot", "json", "svg"]),
    default="ascii",
    show_default=True,
    help="Form of the drawing.",
)
@click.option(
    "--scene",
    is_flag=True,
    help="Draw the scene of the active card: files shown, sizes, files left out.",
)
@click.option(
    "--card",
    metavar="CARD",
    shell_complete=complete_arguments.card,
    help="With --scene: use this card.",
)
@click.option(
    "--code",
    type=click.Choice(["near", "all", "none"]),
    default="near",
    show_default=True,
    help="Sources linked to the drawn files, all sources, or none; edges: imports, tests, mentions, cochange.",
)
@click.option(
    "--stats", is_flag=True, help="Count nodes, edges and cycles instead of drawing."
)
@click.option("--out", metavar="FILE", help="Write to FILE instead of stdout.")
@common
def graph(
    shell: Shell,
    form: str,
    scene: bool,
    card: str | None,
    code: Extent,
    stats: bool,
    out: str | None,
) -> int:
    """Draw the graph of refs and code, or of a scene."""
    from cuedeck.context.graph import draw_graph as app

    workspace = shell.workspace()
    wants_scene = scene or bool(card)
    drawing = (
        app.draw_scene(workspace, card)
        if wants_scene
        else app.draw_workspace(workspace, code)
    )
    if not stats:
        if drawing.left_out:
            print_note(_more(drawing))
        if drawing.records_left_out:
            print_note(
                f"{drawing.records_left_out:,} older records are not drawn; `cuedeck memory list` lists them"
            )
        if shell.json and not out:
            form = "json"
        return give(shell, workspace, drawing, form, out)
    figures = app.statistics(drawing)

    def show() -> None:
        kinds = ", ".join(f"{count} {kind}" for kind, count in figures["kinds"].items())
        of_kinds = f" ({kinds})" if kinds else ""
        say(f"nodes   {figures['nodes']}{of_kinds}\nedges   {figures['edges']}")
        if "types" in figures:
            types = ", ".join(
                f"{count} {edge}" for edge, count in figures["types"].items()
            )
            say(f"        {types}")
        say(f"cycles  {len(figures['cycles'])}")
        for cycle in figures["cycles"]:
            say(f"        {' → '.join(cycle)}")
        say(f"alone   {figures['alone']} (nodes without an edge)")

    shell.answer(figures, show)
    return 0


def give(
    shell: Shell, workspace: Workspace, drawing: Drawing, form: str, out: str | None
) -> int:
    """Print a drawing, or write it to a file."""
    from cuedeck.graph.draw import FORMATS

    text = FORMATS[form](drawing)
    if out:
        from cuedeck.context.scene.deliver_scene import write_text

        place = shell.target(out)
        write_text(place, text, text[:4], workspace.paths)
        path = shell.shown(place)
        shell.answer(
            {"path": path, "format": form}, lambda: print_note(f"wrote {path}")
        )
    else:
        shown = text if form == "json" else printable(text)
        with output():
            sys.stdout.write(shown)
    return 0


def _more(drawing: Drawing) -> str:
    if drawing.budget:
        return f"{drawing.left_out:,} more related files are not drawn; `cuedeck scene` lists them"
    return f"{drawing.left_out:,} more linked sources are not drawn; `--code all` draws them"
