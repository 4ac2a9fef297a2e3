"""Scene of a workspace without an active card: the list of its open cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from cuedeck.context.scene.frame import Footer, frame, opening, opening_tokens, receipt
from cuedeck.context.scene.ledger_blocks import Front
from cuedeck.context.scene.render import BRIEF_HEADING
from cuedeck.context.scene.visit_heading import (
    VisitRenderer,
    end_rows,
    entry_tokens,
    fit_rows,
)
from cuedeck.engine.active_card import open_cards
from cuedeck.model.scene_values import Scene
from cuedeck.parse.fence import named, quoted

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_HEADING = "Scene: no active card"
_CARDS = ("## Open cards\n\n", "> Choose one: `cuedeck card activate ID`\n\n")
_NO_CARDS = (
    "## No open cards\n\n",
    '> Create one: `cuedeck card new --activate -- "TITLE"`\n\n',
)
_MORE_CARDS = "- and {} more: `cuedeck list`\n"
_LONGEST_TITLE = 120
"""Maximum characters of the title of a card."""


def idle_scene(workspace: Workspace, budget: int | None, front: Front | None) -> Scene:
    """Build the scene of a workspace without an active card; with `front`, a brief.

    `budget` overrides the budget of the settings.
    """
    rows = [
        (file.path, file.card.status, file.card.title)
        for file in open_cards(workspace.index)
        if file.card
    ]
    budget = budget or workspace.settings.scene.budget
    renderer = VisitRenderer(
        workspace.index, workspace.mask(), workspace.counter(), budget
    )
    choices: dict[str, object] = {
        "budget": budget,
        "cards": rows,
        "encoding": renderer.count.encoding,
    }
    if front is not None:
        choices["front"] = front
    return render_idle(rows, renderer, receipt(choices, {}, (), ()), front)


def render_idle(
    cards: Sequence[tuple[str, str, str]],
    renderer: VisitRenderer,
    receipt: str,
    front: Front | None = None,
) -> Scene:
    """Render the scene of a workspace without an active card; with `front` a brief,
    which has no receipt, and is empty without a text.

    `cards` are its open cards as (address, status, title).
    """
    mask = renderer.mask
    count = renderer.count.count
    budget = renderer.budget
    heading = BRIEF_HEADING
    footer: Footer | None = None
    lead: list[str] = [*_CARDS] if cards else []
    notes: list[str] = []
    if front is None:
        heading = _HEADING
        footer = Footer(renderer, "", receipt)
        lead = lead or [*_NO_CARDS]
    else:
        lead.insert(0, front.text(mask))
        notes = [block.text for block in front.blocks((), mask, budget, renderer.count)]
    begin = partial(opening, heading, budget, ())
    room = budget - opening_tokens(begin, renderer) - (footer.least if footer else 0)
    room -= sum(map(count, (*lead, *notes)))
    room -= entry_tokens(_MORE_CARDS.format(len(cards)), renderer.count)
    rows = []
    for address, status, title in cards:
        words = quoted(mask.plain(title), _LONGEST_TITLE)
        name = named(mask.plain(address))
        rows.append(f"- {name} {status} · {words}\n")
    rows = fit_rows(rows, room, lambda row: entry_tokens(row, renderer.count))
    if len(rows) < len(cards):
        rows.append(_MORE_CARDS.format(len(cards) - len(rows)))
    pieces = [*lead, *end_rows(rows), *notes]
    content = sum(map(count, pieces))
    start, ending, tokens = frame(renderer, begin, footer, content)
    text = "".join([*pieces, ending])
    return Scene(
        text=start + text if text else "",
        card="",
        budget=budget,
        tokens=tokens if text else 0,
        encoding=renderer.count.encoding,
        receipt=receipt,
        visits=(),
        blocks=(),
        left_out=(),
        unresolved=(),
    )
