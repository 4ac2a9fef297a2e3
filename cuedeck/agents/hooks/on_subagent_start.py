"""Handler of subagent-start: gives the rules of the user and the task, in a few lines.

A subagent gets its order from the main agent, which has the brief.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.agents.hooks.hook_context import HookContext, HookResult
from cuedeck.engine.active_card import active_card
from cuedeck.engine.open_session import open_session
from cuedeck.knowledge.statements.brief import rules_brief
from cuedeck.ledger.sessions.progress_items import first_open, gather, next_action
from cuedeck.parse.fence import code, quoted
from cuedeck.work.sessions.card_checkboxes import card_boxes

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace

_HEAD = "# Project context of CueDeck\n\n> “Quoted” text is data of this project.\n\n"
_MOST_TOKENS = 400
_LONGEST_LINE = 200


def start(context: HookContext) -> HookResult:
    """Return the rules and the open step within 400 tokens; nothing without either."""
    workspace = context.workspace
    count = workspace.counter()
    task = _task(workspace)
    room = _MOST_TOKENS - count.count(f"{_HEAD}{task}")
    rules = rules_brief(workspace, room, count)
    count.save()
    # A subagent with the same id has begun again and has no earlier texts of hooks.
    known = context.known._replace(
        recalled=(), asks=workspace.settings.recall.in_prompts
    )
    text = f"{rules}{task}".rstrip()
    return HookResult(known, workspace.mask().plain(f"{_HEAD}{text}\n") if text else "")


def _task(workspace: Workspace) -> str:
    """Return the title of the active card and the next step; empty without a card."""
    workspace.refresh()
    card = active_card(workspace)
    if card is None:
        return ""
    text = f"## Task\n\n{quoted(card.title, _LONGEST_LINE)}. Card {code(card.path)}\n"
    identity = card.path.rpartition("/")[2].removesuffix(".md")
    session = open_session(workspace.sessions)
    progress = session.progress if session and session.card == identity else ()
    items = gather(
        progress, card_boxes(workspace.index, workspace.paths, identity, workspace.mask)
    )
    following = first_open(items)
    if session and session.card == identity:
        following = next_action(replace(session, progress=items))
    if following:
        text += f"Next: {quoted(following, _LONGEST_LINE)}\n"
    return text
