"""Scene of a workspace without an active card: the list of its open cards."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.context.scene.frame import Footer, Opening, frame
from cuedeck.context.scene.ledger_blocks import Front
from cuedeck.context.scene.render import BRIEF_HEADING
from cuedeck.context.scene.visit_heading import end_rows, entry_tokens
from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Scene
from cuedeck.parse.fence import named, quoted
from cuedeck.parse.secrets.mask import Mask

_HEADING = "Scene: no active card"
_CARDS = "## Open cards\n\n"
_NO_CARDS = "## No open cards\n\n"
_CHOOSE = "> Choose one: `cuedeck card activate ID`\n\n"
_CREATE = '> Create one: `cuedeck card new --activate -- "TITLE"`\n\n'
_MORE_CARDS = "- and {} more: `cuedeck list`\n"
_LONGEST_TITLE = 120
"""Maximum characters of the title of a card."""


def render_idle(
    cards: Sequence[tuple[str, str, str]],
    *,
    mask: Mask,
    count: Count,
    budget: int,
    receipt: str,
    front: Front | None = None,
) -> Scene:
    """Render the scene of a workspace without an active card; with `front` a brief,
    which has no receipt, and is empty without a text.

    `cards` are its open cards as (address, status, title).
    """
    heading, footer = BRIEF_HEADING, None
    lead = [_CARDS, _CHOOSE] if cards else []
    notes: list[str] = []
    if front is None:
        heading, footer = _HEADING, Footer("", budget, count, receipt, (), mask)
        lead = lead or [_NO_CARDS, _CREATE]
    else:
        lead.insert(0, front.text(mask))
        notes = [block.text for block in front.blocks((), mask, budget, count)]
    opening = Opening(heading, budget, (), count)
    room = budget - opening.most - (footer.least if footer else 0)
    room -= sum(map(count.count, (*lead, *notes)))
    rows = _fit_cards(cards, room, mask, count)
    pieces = [*lead, *end_rows(rows), *notes]
    start, ending, tokens = frame(opening, footer, sum(map(count.count, pieces)))
    text = "".join(pieces) + ending
    return Scene(
        text=start + text if text else "",
        card="",
        budget=budget,
        tokens=tokens if text else 0,
        encoding=count.encoding,
        receipt=receipt,
        visits=(),
        blocks=(),
        left_out=(),
        unresolved=(),
    )


def _fit_cards(
    cards: Sequence[tuple[str, str, str]], room: int, mask: Mask, count: Count
) -> list[str]:
    room -= entry_tokens(_MORE_CARDS.format(len(cards)), count)
    rows: list[str] = []
    for address, status, title in cards:
        words = quoted(mask.plain(title), _LONGEST_TITLE)
        row = f"- {named(mask.plain(address))} {status} · {words}\n"
        cost = entry_tokens(row, count)
        if cost <= room:
            rows.append(row)
            room -= cost
    omitted = len(cards) - len(rows)
    if omitted:
        rows.append(_MORE_CARDS.format(omitted))
    return rows
