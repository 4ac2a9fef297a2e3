"""Scene blocks of failing assumptions, and of the decisions and failed attempts that
concern visited files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING

from cuedeck.context.blocks.proximity import VisitProximity
from cuedeck.context.scene.ledger_blocks import LONGEST_TEXT, Content, Row
from cuedeck.engine.citations import head_now
from cuedeck.engine.open_session import (
    card_boxes,
    card_title,
    open_session,
    step_position,
)
from cuedeck.ledger.citation_freshness import Freshness, hash_of, judge
from cuedeck.ledger.kinds.attempt_kind import ATTEMPT
from cuedeck.ledger.kinds.decision_kind import DECISION, accepted_decisions, ancestry
from cuedeck.ledger.sessions.progress_items import (
    gather,
    last_action,
    line,
    next_action,
)
from cuedeck.model.paths import CARDS
from cuedeck.parse.fence import fence, named, quoted, single_line
from cuedeck.text.plain_text import with_full_stop
from cuedeck.text.similarity import DECISIONS_HEAD
from cuedeck.work.assumptions.check_assumptions import failing, faults_of

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.kinds.decision_kind import Decision
    from cuedeck.model.ports import Count
    from cuedeck.model.scene_values import Mentioned
    from cuedeck.model.session import Session
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceTexts
    from cuedeck.store.workspace_paths import WorkspacePaths
    from cuedeck.work.assumptions.check_assumptions import Judged

Quote = Callable[[str], str]
_LONGEST_ERROR = 2_000
_BRIEF_TOKENS = 60
"""Maximal number of tokens of one text in a brief, so that each block has a row in any
script.
"""


def assumptions_block(
    workspace: Workspace, near: VisitProximity, mask: Mask
) -> Content | None:
    """Return the block of failing assumptions, those about visited files first."""
    rows = []
    for fault in faults_of(workspace.paths):
        if fault.level == "error":
            where = f"{fault.path}:{fault.line}" if fault.line else fault.path
            words = quoted(f"{where}: {fault.message}", LONGEST_TEXT)
            rows.append(Row(f"- {words}; `cuedeck assumption check`\n", ""))
    ranked: list[tuple[int, Judged, Mentioned]] = []
    for each in failing(workspace):
        address = f"assumption:{each.assumption.id}"
        found = near.of_entry(address, each.assumption.affects, "affects")
        depth = found.depth if found else len(near)
        ranked.append((depth, each, found or near.of_root(address, "check")))
    if not ranked and not rows:
        return None
    for _, each, entry in sorted(ranked, key=itemgetter(0)):
        name = f"(`{single_line(mask.plain(each.assumption.id), LONGEST_TEXT)}`)\n"
        full = f"- {quoted(each.message, LONGEST_TEXT)} {name}"
        short = f"- ⚠️ {quoted(each.verdict.evidence, LONGEST_TEXT)} {name}"
        rows.append(Row(full, short, entry=entry))
    more = "- {} more: `cuedeck assumption check`\n"
    return Content(
        "assumptions", "## Assumptions that no longer hold\n\n", tuple(rows), more
    )


def decisions_block(
    workspace: Workspace,
    near: VisitProximity,
    mask: Mask,
    *,
    is_brief: bool = False,
) -> Content | None:
    """Return the decisions and attempts that concern the visits: the nearest first,
    then the newest; None without any.

    A decision inherits the affected places of the decisions it superseded.
    """
    quote = _quoter(mask, workspace.counter() if is_brief else None)
    decisions = workspace.ledger.entries(DECISION)
    older = ancestry(decisions)
    head = head_now(workspace.paths.root)
    ranked: list[tuple[int, int, Row]] = []  # depth, age
    for age, decision in enumerate(reversed(accepted_decisions(decisions))):
        before = older[decision.id]
        found = _nearest(near, (decision, *before))
        if found is not None:
            stale = _stale(workspace.index, workspace.texts, decision, head)
            was = [each.decision for each in before]
            row = _decision_row(decision, stale, was, mask, quote)
            entry = found._replace(address=f"decision:{decision.id}")
            ranked.append((found.depth, age, row._replace(entry=entry)))
    attempts = workspace.ledger.entries(ATTEMPT)
    for age, attempt in enumerate(reversed(attempts)):
        found = near.of_entry(f"attempt:{attempt.id}", attempt.on, "on")
        if found is not None:
            name = single_line(mask.plain(f"attempt:{attempt.id}"), LONGEST_TEXT)
            short = f"- {quote(ATTEMPT.line(attempt))} (`{name}`)\n"
            error = mask.plain(attempt.error[-_LONGEST_ERROR:]).strip("\n")
            full = short
            if error:
                full = f"{short}\n{fence(error)}".removesuffix("\n")
            row = Row(full, short)
            ranked.append((found.depth, age, row._replace(entry=found)))
    if not ranked:
        return None
    ranked.sort(key=lambda each: each[:2])
    return Content(
        name="decisions",
        head=DECISIONS_HEAD,
        rows=tuple(row for _, _, row in ranked),
        more="- {} more: `cuedeck decision list`, `cuedeck attempt list`\n",
    )


def _nearest(near: VisitProximity, decisions: Sequence[Decision]) -> Mentioned | None:
    """Return the relation of one of these decisions to the nearest visit."""
    found = [
        near.of_entry(f"decision:{each.id}", each.affects, "affects", each.card)
        for each in decisions
    ]
    return min(filter(None, found), key=lambda each: each.depth, default=None)


def _decision_row(
    decision: Decision,
    stale: Sequence[Freshness],
    was: Sequence[str],
    mask: Mask,
    shorten: Quote,
) -> Row:
    quote = _quoter(mask, None)

    def place(address: str) -> str:
        return named(mask.plain(address), LONGEST_TEXT)

    marks = ""
    for each in stale:
        marks += f" ({each.state}: {place(each.address)})"
    name = single_line(mask.plain(f"decision:{decision.id}"), LONGEST_TEXT)
    parts = [f"- `{name}` {quote(with_full_stop(decision.decision))}"]
    if decision.rationale:
        parts.append(f"Because: {quote(with_full_stop(decision.rationale))}")
    if decision.alternatives:
        rejected = "; ".join(decision.alternatives)
        parts.append(f"Rejected: {quote(with_full_stop(rejected))}")
    if decision.impact:
        impact = ", ".join(decision.impact)
        parts.append(f"This affects {quote(with_full_stop(impact))}")
    if decision.affects:
        places = ", ".join(map(place, decision.affects))
        parts.append(f"Applies to {places}.")
    if was:
        replaced = "; ".join(was)
        parts.append(f"It replaced: {quote(with_full_stop(replaced))}")
    short = shorten(DECISION.reminder(decision))
    stale_word = "; cited code changed" if stale else ""
    full = " ".join(parts)
    return Row(f"{full}{marks}\n", f"- {short} (`{name}`{stale_word})\n")


def _quoter(mask: Mask, count: Count | None) -> Quote:
    """Return a function that quotes a masked text; `count` shortens it for a brief."""

    def quote(text: str) -> str:
        plain = mask.plain(text)
        if count and (short := count.cut(plain, _BRIEF_TOKENS)) != plain:
            plain = f"{short}…"
        return quoted(plain, LONGEST_TEXT)

    return quote


def _stale(
    index: Index, texts: WorkspaceTexts, noted: Decision, head: str
) -> Sequence[Freshness]:
    found = judge(
        noted.affects,
        noted.proof,
        noted.commit,
        head,
        lambda each: hash_of(each, index, texts),
    )
    return [each for each in found if each.is_stale]


def session_block(
    workspace: Workspace, root: str, mask: Mask, *, is_brief: bool = False
) -> Content | None:
    """Return the block of the open session; None without an open session, for one of
    another card than the `root` of a scene, and for one without a card, a step, items
    and actions. A brief shows title and checkboxes of its card elsewhere.
    """
    session = open_session(workspace.sessions)
    if session is None:
        return None
    if session.card and root not in ("", f"{CARDS}/{session.card}.md"):
        return None

    quote = _quoter(mask, workspace.counter() if is_brief else None)
    card = "" if is_brief else session.card
    boxes = card_boxes(workspace.index, workspace.paths, card, lambda: mask)
    items = gather(session.progress, boxes)
    title = card_title(workspace.index, session.card) or session.card or "no card"
    step = _step(workspace.paths, session, mask)
    last = last_action(session, seen=False)
    following = next_action(session)
    if not any((session.card, step, items, last, following)):
        return None
    about: list[str] = []
    if not is_brief or step:
        about.append(f"> Current task: {quote(title)}{step}\n")
    for name, text in (("Last action", last), ("Next", following)):
        if text:
            about.append(f"> {name}: {quote(text)}\n")
    rows = []
    for at, item in enumerate(items):
        # Open items matter more than finished ones. Of the finished ones the latest
        # matters most.
        rank = len(items) - at if item.state == "done" else 0
        rows.append(Row(f"- {line(item, quote)}\n", "", rank))
    head = f"## Progress so far this session\n\n{''.join(about)}\n"
    more = "- {} more: `cuedeck progress list`\n"
    return Content("progress", head, tuple(rows), more)


def _step(paths: WorkspacePaths, session: Session, mask: Mask) -> str:
    found = step_position(paths, session)
    return (
        f" (step {found.number} of {found.of}: {quoted(mask.plain(found.step.name), 80)})"
        if found
        else ""
    )
