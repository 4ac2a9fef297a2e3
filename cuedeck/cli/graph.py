"""`cuedeck graph`."""

from __future__ import annotations

import sys

import click

from cuedeck.cli.command import Shell, common, note
from cuedeck.model.drawing import Drawing

EPILOG = """\b
Examples:
  cuedeck graph                                     all refs of the workspace as a tree
  cuedeck graph --scene --format svg --out scene.svg
  cuedeck graph --format mermaid --stats"""


@click.command(epilog=EPILOG)
@click.option(
    "--format",
    "form",
    type=click.Choice(["ascii", "mermaid", "dot", "json", "svg"]),
    default="ascii",
    show_default=True,
)
@click.option("--scene", is_flag=True, help="Draw the walk of the active card's scene.")
@click.option("--card", metavar="CARD", help="With --scene: of this card.")
@click.option("--stats", is_flag=True, help="Count nodes, edges and cycles instead of drawing.")
@click.option("--out", metavar="FILE", help="Write it to FILE.")
@common
def graph(shell: Shell, form: str, scene: bool, card: str | None, stats: bool, out: str | None) -> int:
    """Draw the reference graph, or the walk of a scene."""
    from cuedeck.app import graph as app

    project = shell.project()
    drawing = app.draw_scene(project, card) if scene or card else app.draw_workspace(project)
    if not stats:
        return give(shell, drawing, "json" if shell.json and not out else form, out)
    figures = app.statistics(drawing)

    def show() -> None:
        kinds = ", ".join(f"{count} {kind}" for kind, count in figures["kinds"].items())
        click.echo(f"nodes   {figures['nodes']} ({kinds})\nedges   {figures['edges']}")
        click.echo(f"cycles  {len(figures['cycles'])}\nalone   {figures['alone']}")
        for cycle in figures["cycles"]:
            click.echo(f"        {' → '.join(cycle)}")

    shell.answer(figures, show)
    return 0


def give(shell: Shell, drawing: Drawing, form: str, out: str | None) -> int:
    """Print a drawing, or write it to a file."""
    from cuedeck.graph.draw import FORMATS

    text = FORMATS[form](drawing)
    if out:
        from cuedeck.app.deliver import write_text

        write_text(shell.place(out), text, text[:4])
        shell.answer({"path": out, "format": form}, lambda: note(f"wrote {out}"))
    else:
        sys.stdout.write(text)
    return 0
