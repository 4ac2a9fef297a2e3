"""Rendering of SCENE.md: the choice, the order and the joining of its parts.

Order: the task, assumptions and decisions, the map, linked files, the notice of omitted
files, precedents, related files, occurrences, companions, notes, the receipt. The text
is joined from pieces that end with a newline and begin with `#`, `>`, `-` or a fence.
No tokenizer merges across such a border, so the tokens of the file are the sum over its
pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.context.scene.budget import Plan, grow, share_room
from cuedeck.context.scene.frame import (
    Footer,
    Opening,
    format_notice,
    frame,
    least_notice,
    left_out,
)
from cuedeck.context.scene.history_sections import (
    COMPANIONS,
    PRECEDENTS,
    fit_companions,
    fit_precedents,
)
from cuedeck.context.scene.ledger_blocks import NOTHING, Fitted
from cuedeck.context.scene.occurrences_section import OccurrencesSection
from cuedeck.context.scene.related_tier import RelatedPart, RelatedTier
from cuedeck.context.scene.visit_heading import end_rows
from cuedeck.context.scene.visit_views import Views
from cuedeck.model.ports import Count
from cuedeck.model.scene_values import TASK, Block, Scene, Shown, Unresolved, Visit
from cuedeck.parse.fence import code, quoted
from cuedeck.parse.secrets.mask import Mask

if TYPE_CHECKING:
    from cuedeck.context.ranking.companions import Companion
    from cuedeck.context.ranking.precedents import Precedent

_END_SHARE = 0.03
"""Share of the budget for the truncation notice and the footer together."""
_UNRESOLVED_SHARE = 0.01
"""Share of the budget for the list of unresolved refs in the footer."""
_ROW_TOKENS = 60
"""Tokens for one named visit in the notice, if the footer alone uses up the share of a
small budget.
"""
_NOTICE_TOKENS = 200
"""Maximum tokens of leftover room for the notice, if its own share is smaller."""
KEPT_SHARE = 0.4
"""Share of the budget that whole docs reached only from docs leave to related visits.
"""
_PRECEDENTS_CAP = (0.2, 600)
"""Maximum share of the room after the linked files, and maximum tokens, of the
precedents.
"""
_COMPANIONS_CAP = (0.1, 200)
"""The same for the companions."""
_NO_HISTORY = "> No git history to compare with: no precedents and no companions.\n\n"
_TASK = "## Task\n\n"
BRIEF_HEADING = "Project context of CueDeck"
_MAP = "## Map\n\n"
_LINKED = "## Linked\n\n"
_BEFORE_MAP = ("changes", "assumptions", "decisions")
"""Blocks between the task and the map."""
_AFTER_RELATED = (
    ("occurrences",),
    (COMPANIONS,),
    ("progress", "files", "memory", "experiences"),
)
"""Sections and blocks at the end of the scene."""


@dataclass(frozen=True, slots=True)
class RankedParts:
    """The parts of a scene that a ranking fills; empty without one."""

    tier: RelatedTier | None = None
    occurrences: OccurrencesSection | None = None
    precedents: Sequence[Precedent] = ()
    companions: Sequence[Companion] = ()
    has_history: bool = True
    """False if there is no commit to compare with, which a scene states."""


@dataclass(frozen=True, slots=True)
class SceneInputs:
    """All that the text of a scene is made of."""

    title: str
    visits: Sequence[Visit]
    """The root is the first visit."""
    unresolved: Sequence[Unresolved]
    views: Views
    mask: Mask
    count: Count
    budget: int
    ranked: RankedParts
    related_most: int = 0
    """Maximum tokens of the related files in the room left by the visits."""
    blocks: Sequence[Fitted] = ()
    missing: Sequence[str] = ()
    """Names of the inputs that could not be read."""
    front: str | None = None
    """Text of a brief before its task; None for a scene."""
    receipt: str = ""


class Piece(NamedTuple):
    """A part of the text of a scene."""

    text: str
    tokens: int


def render_scene(inputs: SceneInputs) -> Scene:
    """Render the scene of the visits within its budget."""
    visits, views, ranked = inputs.visits, inputs.views, inputs.ranked
    budget, count, mask = inputs.budget, inputs.count, inputs.mask
    root = visits[0]
    has_card = root.address != TASK
    card_name = views.labels.name(root) if has_card else ""
    title = _short_title(mask.words(inputs.title, root.path), count, budget)
    heading, lead = f"Scene: {title}", [_TASK]
    if inputs.front is not None:
        heading = BRIEF_HEADING
        lead = [inputs.front, f"{_TASK}{title}. Card {code(card_name)}\n\n"]
    opening = Opening(heading, budget, inputs.missing, count)
    footer = Footer(card_name, budget, count, inputs.receipt, inputs.unresolved, mask)
    footer_reserve = footer.most(int(budget * _UNRESOLVED_SHARE))
    room = budget - opening.most - footer_reserve
    room -= sum(map(count.count, (*lead, _MAP, _LINKED)))

    notice_cap = _notice_cap(budget, footer.least, len(visits), count)
    reserve_most = min(inputs.related_most, int(budget * KEPT_SHARE))
    planned, blocks, related_reserve = share_room(
        visits, views, room, notice_cap, inputs.blocks, ranked.tier, reserve_most
    )
    room -= sum(each.cost for each in planned.shown)
    room -= sum(block.tokens for block in blocks)

    omitted = left_out(planned, views)
    # The notice share of a small budget is negligible; the notice may then use room in
    # which no view fits.
    notice_room = min(_NOTICE_TOKENS, room - related_reserve)
    if planned.pressed:
        notice_room = max(notice_room, notice_cap)
    crowded = [block.name for block in blocks if not block.text]
    notice_room = max(0, notice_room)
    notice_text = format_notice(planned, omitted, views, count, notice_room, crowded)
    notice = Piece(notice_text, count.count(notice_text))
    room -= notice.tokens

    related, sections, room = _fill_room(inputs, planned, room)
    grown = grow(planned, visits, views, room)
    if grown.shown != planned.shown:
        planned = grown
        sections = _without_repeats(sections, ranked.occurrences, planned, related)
    blocks = [*blocks, *sections]
    pieces = _pieces(lead, planned.shown, notice, related, blocks, count)
    content = sum(piece.tokens for piece in pieces)
    start, ending, tokens = frame(opening, footer, content)

    text = "".join(piece.text for piece in pieces)
    return Scene(
        text=start + text + ending,
        card=root.address if has_card else "",
        budget=budget,
        tokens=tokens,
        encoding=count.encoding,
        receipt=inputs.receipt,
        visits=(*planned.shown, *related.nodes, *related.listed),
        blocks=_report_blocks(blocks, notice, notice_cap),
        left_out=omitted,
        unresolved=tuple(inputs.unresolved),
        missing=tuple(inputs.missing),
    )


def _report_blocks(
    blocks: Sequence[Fitted], notice: Piece, notice_cap: int
) -> tuple[Block, ...]:
    """Return the sizes of the notice, if the scene has one, and of the blocks."""
    reported = []
    if notice.tokens:
        cap = max(notice_cap, notice.tokens)
        reported.append(Block("notice", notice.tokens, cap))
    for each in blocks:
        reported.append(Block(each.name, each.tokens, each.cap, each.entries))
    return tuple(reported)


def _short_title(text: str, count: Count, budget: int) -> str:
    """Return the quoted title of a card for the heading, cut to its share of the
    budget.
    """
    line = quoted(text, 160)[1:-1]
    short = count.cut(line, max(6, budget // 32))
    return f"“{line}”" if short == line else f"“{short.rstrip()}…”"


def _notice_cap(budget: int, footer: int, visits: int, count: Count) -> int:
    """Return the tokens to reserve for the notice, if `footer` tokens are reserved for
    the footer.
    """
    share = int(budget * _END_SHARE)
    least = min(share, _ROW_TOKENS)
    return max(share - footer, least, least_notice(visits, count))


def _fill_room(
    inputs: SceneInputs, planned: Plan, room: int
) -> tuple[RelatedPart, Sequence[Fitted], int]:
    """Return the related files and the sections with text that fill the room after the
    linked files, and the tokens left.

    Precedents come first, then related files, which leave the companions their share,
    and the occurrences their cap, because these are more useful per token than the last
    related files.
    """
    ranked, mask, count = inputs.ranked, inputs.mask, inputs.count
    tier, occurrences = ranked.tier, ranked.occurrences
    precedents_cap = _cap(room, _PRECEDENTS_CAP)
    precedents = fit_precedents(ranked.precedents, precedents_cap, mask, count)
    no_history = count.count(_NO_HISTORY)
    is_noted = not ranked.has_history and not inputs.missing
    if is_noted and no_history <= precedents_cap:
        precedents = Fitted(PRECEDENTS, _NO_HISTORY, no_history, no_history)
    companions_cap = _cap(room, _COMPANIONS_CAP)
    companions_reserve = companions_cap if ranked.companions else 0
    room -= precedents.tokens + companions_reserve
    related = RelatedPart()
    if tier is not None:
        occurrences_cap = occurrences.cap if occurrences is not None else 0
        related = tier.show(min(inputs.related_most, room - occurrences_cap))
        room -= related.text_tokens
        room -= sum(each.cost - each.tokens for each in related.nodes)
    occurring = NOTHING
    if occurrences is not None:
        visible = (*planned.shown, *related.nodes, *related.listed)
        occurring = occurrences.fit(visible, room)
    shown = (*planned.shown, *related.nodes)
    with_text = {each.visit.path for each in shown if each.body}
    companions = fit_companions(
        ranked.companions, companions_cap, mask, count, with_text
    )
    room += companions_reserve - companions.tokens - occurring.tokens
    sections = (precedents, occurring, companions)
    return related, [section for section in sections if section.text], room


def _without_repeats(
    sections: Sequence[Fitted],
    occurrences: OccurrencesSection | None,
    planned: Plan,
    related: RelatedPart,
) -> Sequence[Fitted]:
    """Return the sections."""
    visible = (*planned.shown, *related.nodes, *related.listed)
    kept: list[Fitted] = []
    for section in sections:
        if section.name == "occurrences" and occurrences is not None:
            section = occurrences.fit(visible, section.tokens)
        if section.text:
            kept.append(section)
    return kept


def _cap(room: int, share: tuple[float, int]) -> int:
    """Return the tokens for a section: a share of the room, with a maximum."""
    return max(0, min(int(room * share[0]), share[1]))


def _pieces(
    lead: Sequence[str],
    shown: Sequence[Shown],
    notice: Piece,
    related: RelatedPart,
    blocks: Sequence[Fitted],
    count: Count,
) -> Sequence[Piece]:
    """Return the parts of a scene between its opening and its ending, in order."""

    def counted(texts: Sequence[str]) -> list[Piece]:
        return [Piece(text, count.count(text)) for text in texts]

    root = [each for each in shown if not each.visit.depth]
    linked = [each for each in shown if each.visit.depth]
    entries = end_rows([each.entry for each in (*linked, *related.nodes)])
    pieces = counted(lead)
    pieces += _visit_pieces(root)
    pieces += _block_pieces(blocks, _BEFORE_MAP)
    if entries:
        pieces += counted([_MAP, *entries])
    if any(each.head for each in linked):
        pieces += counted([_LINKED])
    pieces += _visit_pieces(linked)
    pieces.append(notice)
    pieces += _block_pieces(blocks, (PRECEDENTS,))
    pieces.append(Piece(related.text, related.text_tokens))
    for names in _AFTER_RELATED:
        pieces += _block_pieces(blocks, names)
    return [piece for piece in pieces if piece.text]


def _visit_pieces(shown: Sequence[Shown]) -> list[Piece]:
    return [Piece(each.head + each.body, each.tokens) for each in shown]


def _block_pieces(blocks: Sequence[Fitted], names: Collection[str]) -> list[Piece]:
    return [Piece(block.text, block.tokens) for block in blocks if block.name in names]
