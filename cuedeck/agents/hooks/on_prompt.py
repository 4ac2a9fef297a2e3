"""Handler of prompt: reports changes, the progress of the work, and lines of the memory
that answer the prompt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.agents.hooks.hook_context import HookContext, HookResult, log_hook_error
from cuedeck.model.errors import CueDeckError
from cuedeck.model.hook_event import PROGRESS_SECONDS, SCENE, session_name

if TYPE_CHECKING:
    from cuedeck.model.agent_session import HostSession

DIGEST_HEAD = "## Relevant memory\n\n"
_PROGRESS_BUDGET = 3_750
"""Token limit of a scene in which the progress of a session has 150 tokens."""


def prompt(context: HookContext) -> HookResult:
    """Return the changes; the whole brief if the agent session has none, or if its
    context was compacted.
    """
    hooks = context.hooks
    if not context.event.is_main and hooks.context_name("subagent-start"):
        return HookResult(context.known)
    result = _brief_or_changes(context)
    if not hooks.context_name("prompt"):
        return HookResult(result.known)
    return _with_digest(context, _with_progress(context, result))


def _brief_or_changes(context: HookContext) -> HookResult:
    # Imported here, because most prompts need neither a brief nor a scene.
    known = context.known
    if known.given is None or known.compacted or known.ended:
        from cuedeck.agents.hooks.on_session_start import start

        return start(context)
    if context.event.work < SCENE:
        return HookResult(known)
    from cuedeck.agents.hooks.session_brief import report_changes

    return report_changes(context)


def _with_progress(context: HookContext, result: HookResult) -> HookResult:
    """Add the progress block, if the agent session was not given it lately."""
    known = result.known
    if 0 <= context.seconds - known.progress_at < PROGRESS_SECONDS:
        return result
    # Most prompts come within a few minutes.
    from cuedeck.context.blocks.statement_blocks import session_block
    from cuedeck.context.scene.ledger_blocks import fit_blocks

    workspace = context.workspace
    workspace.refresh()
    given = known._replace(progress_at=context.seconds)
    content = workspace.settled(lambda: session_block(workspace, "", workspace.mask()))
    if content is None:
        return HookResult(given, result.text)
    blocks = fit_blocks((content,), _PROGRESS_BUDGET, workspace.counter())
    return HookResult(given, result.text + "".join(block.text for block in blocks))


def _with_digest(context: HookContext, result: HookResult) -> HookResult:
    """Add the lines of the memory that answer the prompt, each once in an agent
    session, if the host has room for them.
    """
    workspace, event, known = context.workspace, context.event, result.known
    if not event.is_main or not known.asks:
        return result
    rows = ""
    try:
        rows, keys = _digest_rows(context, known)
    except CueDeckError as error:
        log_hook_error(workspace, event, error)
    if not rows:
        return result
    text = f"{result.text}{DIGEST_HEAD}{rows}\n"
    if result.text:
        # Most prompts have nothing but a digest, which is small.
        from cuedeck.agents.hooks.session_brief import is_small

        if not is_small(text, workspace.counter):
            return result
    recalled = (*known.recalled, *keys)
    return HookResult(known._replace(recalled=recalled), text)


def _digest_rows(
    context: HookContext, known: HostSession
) -> tuple[str, tuple[str, ...]]:
    """Return the lines that answer the prompt and their keys: statements of earlier
    sessions, then lines of the memory in the room that is left.
    """
    # Most prompts of a session that waits for an answer need no search.
    from cuedeck.knowledge.recall.memory_digest import memory_digest
    from cuedeck.knowledge.statements.digest import (
        TOKENS,
        names_subject,
        statement_digest,
    )

    workspace, event = context.workspace, context.event
    card = known.given.card if known.given is not None else ""
    session = session_name(event)
    found = statement_digest(workspace, event.prompt, session, known.recalled)
    lines = found or []
    rows = "".join(line.row for line in lines)
    keys = tuple(unit.id for line in lines for unit in line.units)
    if not names_subject(event.prompt):
        return rows, keys
    room = TOKENS - workspace.counter().count(rows) if rows else TOKENS
    digest = memory_digest(
        workspace,
        event.prompt,
        tokens=room,
        known=known.recalled,
        hidden=(card,),
        is_current=found is not None,
    )
    return rows + digest.rows, (*keys, *digest.keys)
