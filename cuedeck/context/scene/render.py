"""Rendering of SCENE.md: the choice, the order and the joining of its parts.

Order: the task, assumptions and decisions, the map, linked files, the notice of omitted
files, precedents, related files, occurrences, companions, notes, the receipt. The text
is joined from pieces that end with a newline and begin with `#`, `>`, `-` or a fence.
No tokenizer merges across such a border, so the tokens of the file are the sum over its
pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from cuedeck.context.scene.budget import Plan, grow, share_room
from cuedeck.context.scene.frame import (
    Footer,
    format_notice,
    frame,
    least_notice,
    left_out,
    opening,
    opening_tokens,
)
from cuedeck.context.scene.ledger_blocks import NOTHING, Fitted
from cuedeck.context.scene.occurrences_section import (
    COMPANIONS,
    PRECEDENTS,
    Covered,
    covered_lines,
    fit_companions,
    fit_occurrences,
    fit_precedents,
    occurrences_cap,
)
from cuedeck.context.scene.occurrences_section import NAME as OCCURRENCES
from cuedeck.context.scene.related_tier import RelatedPart, RelatedTier
from cuedeck.context.scene.visit_heading import VisitRenderer, end_rows
from cuedeck.context.scene.visit_views import Views
from cuedeck.model.scene_values import TASK, Block, Scene, Shown, Unresolved, Visit
from cuedeck.parse.fence import code, quoted

if TYPE_CHECKING:
    from cuedeck.context.ranking.companions import Companion
    from cuedeck.context.ranking.occurrences import Occurrences
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
    occurrences: Occurrences | None = None
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
    ranked: RankedParts
    related_most: int = 0
    """Maximum tokens of the related files in the room left by the visits."""
    blocks: Sequence[Fitted] = ()
    missing: Sequence[str] = ()
    """Names of the inputs that could not be read."""
    front: str | None = None
    """Text of a brief before its task; None for a scene."""
    receipt: str = ""


def render_scene(inputs: SceneInputs) -> Scene:
    """Render the scene of the visits within its budget."""
    visits = inputs.visits
    views = inputs.views
    ranked = inputs.ranked
    renderer = views.renderer
    budget = renderer.budget
    count = renderer.count.count
    root = visits[0]
    has_card = root.address != TASK
    card_name = renderer.name(root) if has_card else ""
    title = _short_title(renderer.mask.words(inputs.title, root.path), renderer)
    heading = f"Scene: {title}"
    lead = [_TASK]
    if inputs.front is not None:
        heading = BRIEF_HEADING
        lead = [inputs.front, f"{_TASK}{title}. Card {code(card_name)}\n\n"]
    begin = partial(opening, heading, budget, inputs.missing)
    footer = Footer(renderer, card_name, inputs.receipt, inputs.unresolved)
    room = budget - opening_tokens(begin, renderer)
    room -= footer.most(int(budget * _UNRESOLVED_SHARE))
    room -= sum(map(count, (*lead, _MAP, _LINKED)))

    share = int(budget * _END_SHARE)
    least = min(share, _ROW_TOKENS)
    notice_cap = max(
        share - footer.least, least, least_notice(len(visits), renderer.count)
    )
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
    notice = format_notice(planned, omitted, renderer, max(0, notice_room), crowded)
    room -= count(notice)

    related, sections, room = _fill_room(inputs, planned, room)
    grown = grow(planned, visits, views, room)
    if grown.shown != planned.shown:
        planned = grown
        covered = covered_lines((*planned.shown, *related.shown))
        sections = [
            _without_repeats(each, ranked, covered, renderer) for each in sections
        ]
    blocks = [*blocks, *(section for section in sections if section.text)]
    pieces = _pieces(lead, planned.shown, notice, related, blocks)
    content = sum(map(count, pieces))
    start, ending, tokens = frame(renderer, begin, footer, content)
    return Scene(
        text="".join([start, *pieces, ending]),
        card=root.address if has_card else "",
        budget=budget,
        tokens=tokens,
        encoding=renderer.count.encoding,
        receipt=inputs.receipt,
        visits=(*planned.shown, *related.shown),
        blocks=_report_blocks(blocks, count(notice), notice_cap),
        left_out=omitted,
        unresolved=tuple(inputs.unresolved),
        missing=tuple(inputs.missing),
    )


def _report_blocks(
    blocks: Sequence[Fitted], notice: int, notice_cap: int
) -> tuple[Block, ...]:
    """Return the sizes of the notice, if the scene has one, and of the blocks."""
    reported = [
        Block(each.name, each.tokens, each.cap, each.entries) for each in blocks
    ]
    if notice:
        reported.insert(0, Block("notice", notice, max(notice_cap, notice)))
    return tuple(reported)


def _short_title(text: str, renderer: VisitRenderer) -> str:
    """Return the quoted title of a card for the heading, cut to its share of the
    budget.
    """
    line = quoted(text, 160)[1:-1]
    short = renderer.count.cut(line, max(6, renderer.budget // 32))
    return f"“{line}”" if short == line else f"“{short.rstrip()}…”"


def _fill_room(
    inputs: SceneInputs, planned: Plan, room: int
) -> tuple[RelatedPart, Sequence[Fitted], int]:
    """Return the related files and the sections that fill the room after the linked
    files, and the tokens left.

    Precedents come first, then related files, which leave the companions their share,
    and the occurrences their cap, because these are more useful per token than the last
    related files.
    """
    ranked = inputs.ranked
    renderer = inputs.views.renderer
    found = ranked.occurrences
    count = renderer.count.count
    precedents_cap = _cap(room, _PRECEDENTS_CAP)
    companions_cap = _cap(room, _COMPANIONS_CAP)
    precedents = fit_precedents(ranked.precedents, precedents_cap, renderer)
    if not ranked.has_history and not inputs.missing:
        tokens = count(_NO_HISTORY)
        if tokens <= precedents_cap:
            precedents = Fitted(PRECEDENTS, _NO_HISTORY, tokens, tokens)
    companions_reserve = companions_cap if ranked.companions else 0
    room -= precedents.tokens + companions_reserve
    related = RelatedPart()
    occurrences_most = occurrences_cap(found, renderer.budget)
    if ranked.tier is not None:
        related = ranked.tier.show(min(inputs.related_most, room - occurrences_most))
        room -= sum(map(count, related.pieces))
        room -= sum(each.cost - each.tokens for each in related.nodes)
    occurring = NOTHING
    if found is not None:
        covered = covered_lines((*planned.shown, *related.shown))
        most = min(room, occurrences_most)
        occurring = fit_occurrences(found.identifiers, covered, most, renderer)
    shown = (*planned.shown, *related.nodes)
    with_text = {each.visit.path for each in shown if each.body}
    companions = fit_companions(ranked.companions, companions_cap, renderer, with_text)
    room += companions_reserve - companions.tokens - occurring.tokens
    return related, (precedents, occurring, companions), room


def _cap(room: int, share: tuple[float, int]) -> int:
    """Return the tokens for a section: a share of the room, with a maximum."""
    part, most = share
    return max(0, min(int(room * part), most))


def _without_repeats(
    section: Fitted, ranked: RankedParts, covered: Covered, renderer: VisitRenderer
) -> Fitted:
    """Return a section; the occurrences without lines that are shown elsewhere."""
    if section.name != OCCURRENCES or ranked.occurrences is None:
        return section
    found = ranked.occurrences.identifiers
    return fit_occurrences(found, covered, section.tokens, renderer)


def _pieces(
    lead: Sequence[str],
    shown: Sequence[Shown],
    notice: str,
    related: RelatedPart,
    blocks: Sequence[Fitted],
) -> Sequence[str]:
    """Return the parts of a scene between its opening and its ending, in order."""
    root = [each for each in shown if not each.visit.depth]
    linked = [each for each in shown if each.visit.depth]
    entries = end_rows([each.entry for each in (*linked, *related.nodes)])
    pieces = [*lead, *_texts(root), *_named(blocks, _BEFORE_MAP)]
    if entries:
        pieces += [_MAP, *entries]
    if any(each.head for each in linked):
        pieces.append(_LINKED)
    pieces += [*_texts(linked), notice, *_named(blocks, (PRECEDENTS,))]
    pieces += related.pieces
    for names in _AFTER_RELATED:
        pieces += _named(blocks, names)
    return pieces


def _texts(shown: Sequence[Shown]) -> Iterator[str]:
    for each in shown:
        yield from (each.head, each.body)


def _named(blocks: Sequence[Fitted], names: Collection[str]) -> list[str]:
    return [block.text for block in blocks if block.name in names]
