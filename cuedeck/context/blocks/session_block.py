"""Scene block of the open session: task, last action, next action and progress."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.context.scene.ledger_blocks import LONGEST_TEXT, Content, Row
from cuedeck.engine.open_session import card_title, open_session
from cuedeck.engine.workflow_steps import step_position
from cuedeck.ledger.sessions.progress_items import gather, line
from cuedeck.ledger.sessions.session_summary import last_action, next_action
from cuedeck.model.paths import CARDS
from cuedeck.parse.fence import quoted
from cuedeck.work.sessions.card_checkboxes import card_boxes

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.session import Session
    from cuedeck.parse.secrets.mask import Mask


def shown_values(session: Session) -> tuple[object, ...]:
    """Return the values of a session that a scene shows, without times of access and
    hashes.
    """
    used = [(path, each.role) for path, each in session.working_set.items()]
    shown = replace(
        session,
        last_access="",
        context_checksum="",
        receipt="",
        shown={},
        dirty={},
        working_set={},
    )
    return shown, used


def session_block(workspace: Workspace, root: str, mask: Mask) -> Content | None:
    """Return the block of the open session; None without an open session, for one of
    another card than the `root` of a scene, and for one without a card, a step, items
    and actions.
    """
    session = open_session(workspace.sessions)
    if session is None or _is_of_other_card(session, root):
        return None

    def quote(text: str) -> str:
        return quoted(mask.plain(text), LONGEST_TEXT)

    items = gather(
        session.progress,
        card_boxes(workspace.index, workspace.paths, session.card, lambda: mask),
    )
    title = card_title(workspace.index, session.card)
    step = _step(workspace, session, mask)
    last, following = last_action(session, seen=False), next_action(session)
    if not (session.card or step or items or last or following):
        return None
    about = [f"> Current task: {quote(title or session.card or 'no card')}{step}\n"]
    about += [f"> Last action: {quote(last)}\n"] if last else []
    about += [f"> Next: {quote(following)}\n"] if following else []
    # Open items matter more than finished ones. Of the finished ones the latest matters
    # most.
    ranks = [
        len(items) - at if item.state == "done" else 0 for at, item in enumerate(items)
    ]
    rows = tuple(
        Row(f"- {line(item, quote)}\n", "", rank)
        for item, rank in zip(items, ranks, strict=True)
    )
    head = f"## Progress so far this session\n\n{''.join(about)}\n"
    return Content("progress", head, rows, "- {} more: `cuedeck progress list`\n")


def _is_of_other_card(session: Session, root: str) -> bool:
    return bool(root and session.card) and f"{CARDS}/{session.card}.md" != root


def _step(workspace: Workspace, session: Session, mask: Mask) -> str:
    found = step_position(workspace.paths, session)
    return (
        f" (step {found.number} of {found.of}: {quoted(mask.plain(found.step.name), 80)})"
        if found
        else ""
    )
