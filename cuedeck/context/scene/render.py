"""Rendering of SCENE.md: the choice, the order and the joining of its parts.

Order: the task, assumptions and decisions, the map, linked files, the notice of omitted
files, precedents, related files, occurrences, companions, notes, the receipt. The text
is joined from pieces that end with a newline and begin with `#`, `>`, `-` or a fence.
No tokenizer merges across such a border, so the tokens of the file are the sum over its
pieces.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from cuedeck.context.scene.budget import Plan, grow, share_room
from cuedeck.context.scene.frame import (
    Footer,
    Opening,
    format_notice,
    frame,
    least_notice,
    left_out,
)
from cuedeck.context.scene.ledger_blocks import Fitted
from cuedeck.context.scene.occurrences_section import OccurrencesSection
from cuedeck.context.scene.related_tier import RelatedPart, RelatedTier
from cuedeck.context.scene.visit_heading import end_rows
from cuedeck.context.scene.visit_views import Views
from cuedeck.model.ports import Count, Lookup
from cuedeck.model.scene_values import TASK, Block, Scene, Shown, Unresolved, Visit
from cuedeck.parse.fence import quoted
from cuedeck.parse.secrets.mask import Mask

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
_CARD = "## Card\n\n"
"""Heading of the text of the task, if a front states the task."""
_MAP = "## Map\n\n"
_LINKED = "## Linked\n\n"
_BEFORE_MAP = ("assumptions", "decisions")
"""Blocks between the task and the map."""
_PRECEDENTS = ("precedents",)
"""Section between the linked and the related files."""
_AFTER_RELATED = (
    ("occurrences",),
    ("companions",),
    ("progress", "memory", "experiences"),
)
"""Sections and blocks at the end of the scene."""
_NOTHING = Fitted("", "", 0, 0)


class History(Protocol):
    """Renders the sections of a scene that git history fills."""

    def precedents(self, room: int) -> Fitted:
        """Return the past commits like the task, in at most `room` tokens."""
        ...

    def reserve(self, room: int) -> int:
        """Return the part of `room` tokens that the companions may need."""
        ...

    def companions(self, room: int, shown: Collection[str]) -> Fitted:
        """Return the files that usually change as well and are not `shown`, in at most
        `room` tokens.
        """
        ...

    def fingerprint(self, lookup: Lookup) -> Sequence[object]:
        """Return the inputs of both sections, for the receipt."""
        ...


class RankedParts(NamedTuple):
    """The parts of a scene that a ranking fills; None for those that the scene
    lacks.
    """

    tier: RelatedTier | None = None
    occurrences: OccurrencesSection | None = None
    history: History | None = None


class Front(NamedTuple):
    """The beginning of a brief, in place of the title and the ledger blocks of
    SCENE.md.
    """

    heading: str
    text: str
    """Text between the introduction and the text of the task."""
    notes: tuple[Fitted, ...] = ()
    """Blocks for the end of the brief."""
    root_lines: tuple[int, ...] = ()
    """Lines of the root that `text` contains."""


class Piece(NamedTuple):
    """A part of the text of a scene."""

    text: str
    tokens: int


def render_scene(
    title: str,
    visits: Sequence[Visit],
    unresolved: Sequence[Unresolved],
    *,
    views: Views,
    mask: Mask,
    count: Count,
    budget: int,
    receipt: str,
    ranked: RankedParts,
    related_most: int = 0,
    blocks: Sequence[Fitted] = (),
    missing: Sequence[str] = (),
    lacks_history: bool = False,
    front: Front | None = None,
) -> Scene:
    """Render the scene of the visits within its budget; the root is the first visit.

    The related files fill at most `related_most` tokens of the room left by the visits.
    `missing` names the inputs that could not be read; with `lacks_history` one line
    states that there is no history. `front` is the beginning of a brief.
    """
    root = visits[0]
    if front is not None:
        heading = front.heading
        lead = [front.text, _CARD]
    else:
        masked = mask.words(title, root.path)
        heading = f"Scene: {_short_title(masked, count, budget)}"
        lead = [_TASK]
    has_card = root.address != TASK
    card_name = views.labels.name(root) if has_card else ""
    opening = Opening(heading, budget, missing, count)
    footer = Footer(card_name, budget, count, receipt, unresolved, mask)
    footer_reserve = footer.most(int(budget * _UNRESOLVED_SHARE))
    room = budget - opening.most - footer_reserve
    room -= sum(map(count.count, (*lead, _MAP, _LINKED)))

    notice_cap = _notice_cap(budget, footer.least, len(visits), count)
    planned, blocks, related_reserve = share_room(
        visits,
        views,
        room,
        notice_cap,
        blocks,
        ranked.tier,
        min(related_most, int(budget * KEPT_SHARE)),
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
    notice_text = format_notice(
        planned, omitted, views, count, max(0, notice_room), crowded
    )
    notice = Piece(notice_text, count.count(notice_text))
    room -= notice.tokens

    history = ranked.history or _NoHistory(count, is_noted=lacks_history)
    related, sections, room = _fill_room(planned, room, ranked, related_most, history)
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
        receipt=receipt,
        visits=(*planned.shown, *related.nodes, *related.listed),
        blocks=_report_blocks(blocks, notice, notice_cap),
        left_out=omitted,
        unresolved=tuple(unresolved),
        missing=tuple(missing),
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


class _NoHistory:
    """History of a task without commits; with `is_noted` one line states that."""

    def __init__(self, count: Count, *, is_noted: bool) -> None:
        self._count = count
        self._is_noted = is_noted

    def precedents(self, room: int) -> Fitted:
        tokens = self._count.count(_NO_HISTORY) if self._is_noted else 0
        if not 0 < tokens <= room:
            return _NOTHING
        return Fitted(_PRECEDENTS[0], _NO_HISTORY, tokens, tokens)

    def reserve(self, room: int) -> int:
        return 0

    def companions(self, room: int, shown: Collection[str]) -> Fitted:
        return _NOTHING

    def fingerprint(self, lookup: Lookup) -> Sequence[object]:
        return ()


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
    planned: Plan, room: int, ranked: RankedParts, related_most: int, history: History
) -> tuple[RelatedPart, Sequence[Fitted], int]:
    """Return the related files and the sections with text that fill the room after the
    linked files, and the tokens left.

    Precedents come first, then related files, which leave the companions their share,
    and the occurrences their cap, because these are more useful per token than the last
    related files.
    """
    tier, occurrences = ranked.tier, ranked.occurrences
    precedents = history.precedents(_cap(room, _PRECEDENTS_CAP))
    companions_cap = _cap(room, _COMPANIONS_CAP)
    room -= precedents.tokens + history.reserve(companions_cap)
    related = RelatedPart()
    if tier is not None:
        occurrences_cap = occurrences.cap if occurrences is not None else 0
        related = tier.show(min(related_most, room - occurrences_cap))
        room -= related.text_tokens
        room -= sum(each.cost - each.tokens for each in related.nodes)
    occurring = _NOTHING
    if occurrences is not None:
        visible = (*planned.shown, *related.nodes, *related.listed)
        occurring = occurrences.fit(visible, room)
    with_text = {
        each.visit.path for each in (*planned.shown, *related.nodes) if each.body
    }
    companions = history.companions(companions_cap, with_text)
    room += history.reserve(companions_cap) - companions.tokens - occurring.tokens
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
            section = occurrences.fit(visible, section.tokens, "grown")
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
    pieces += _block_pieces(blocks, _PRECEDENTS)
    pieces.append(Piece(related.text, related.text_tokens))
    for names in _AFTER_RELATED:
        pieces += _block_pieces(blocks, names)
    return [piece for piece in pieces if piece.text]


def _visit_pieces(shown: Sequence[Shown]) -> list[Piece]:
    return [Piece(each.head + each.body, each.tokens) for each in shown]


def _block_pieces(blocks: Sequence[Fitted], names: Collection[str]) -> list[Piece]:
    return [Piece(block.text, block.tokens) for block in blocks if block.name in names]
