"""Drawings of the graph, of a scene, and of the dependencies of cards."""

from collections.abc import Iterator
from typing import Annotated, Any

from cuedeck.model.diagram import Drawing
from cuedeck.shells.call import Answer, Call, Note, Raw
from cuedeck.shells.operation import Card, Param, operation
from cuedeck.shells.text_table import printable

FORMS = ("ascii", "mermaid", "dot", "json", "svg")
Form = Annotated[str, Param(choices=FORMS, help="Form of the drawing.")]
Out = Annotated[str, Param(metavar="FILE", help="Write to FILE instead of stdout.")]


@operation(
    "graph",
    "cuedeck graph                                     refs and the code next to them, as a tree\n"
    "cuedeck graph --code all --format json            every import, test and mention as well\n"
    "cuedeck graph --scene --format svg --out scene.svg\n"
    "cuedeck graph --format mermaid --stats",
)
def graph(
    call: Call,
    *,
    form: Form = "ascii",
    scene: bool = False,
    card: Card = "",
    code: Annotated[str, Param(choices=("near", "all", "none"))] = "near",
    stats: bool = False,
    out: Out = "",
) -> Answer:
    """Draw the graph of refs and code, or of a scene.

    Args:
        form --format: Form of the drawing.
        scene: Draw the scene of the active card: files shown, sizes, files left out.
        card: With --scene: use this card.
        code: Sources linked to the drawn files, all sources, or none; edges: imports,
            tests, mentions, cochange.
        stats: Count nodes, edges and cycles instead of drawing.
    """
    from cuedeck.context.graph import draw_graph as work

    extent: Any = code
    if scene or card:
        drawing = work.draw_scene(call.workspace, card or None)
    else:
        drawing = work.draw_workspace(call.workspace, extent)
    if stats:
        return Answer(work.statistics(drawing), _FIGURES)
    return _drawn(call, drawing, form, out, list(_left_out(drawing)))


@operation("card graph", "cuedeck card graph --format mermaid")
def card_graph(call: Call, *, form: Form = "ascii", out: Out = "") -> Answer:
    """Draw the dependencies between cards.

    Args:
        form --format: Form of the drawing.
    """
    from cuedeck.context.graph import draw_graph as work

    return _drawn(call, work.draw_dependencies(call.workspace), form, out, [])


def _drawn(
    call: Call, drawing: Drawing, form: str, out: str, notes: list[str]
) -> Answer:
    from cuedeck.graph.draw import FORMATS

    if call.json and not out:
        form = "json"
    text = FORMATS[form](drawing)
    if not out:
        shown = text if form == "json" else printable(text)
        return Answer(Raw(shown), notes=notes, is_masked=True)
    from cuedeck.context.scene.deliver_scene import write_text

    place = call.target(out)
    write_text(place, text, text[:4], call.workspace.paths)
    value = {"path": call.shown(place), "format": form}
    return Answer(value, lambda answer: Note(f"wrote {answer['path']}"), notes=notes)


_FIGURES = """\
nodes   {nodes}{kinds:? ({kinds!c})}
edges   {edges}
?types         {types!c}
cycles  {cycles!n}
*cycles         {it!p}
alone   {alone} (nodes without an edge)"""


def _left_out(drawing: Drawing) -> Iterator[str]:
    if drawing.left_out and drawing.budget:
        yield f"{drawing.left_out:,} more related files are not drawn; `cuedeck scene` lists them"
    elif drawing.left_out:
        yield f"{drawing.left_out:,} more linked sources are not drawn; `--code all` draws them"
    if drawing.records_left_out:
        yield f"{drawing.records_left_out:,} older records are not drawn; `cuedeck memory list` lists them"
