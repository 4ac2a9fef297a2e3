"""Handler of the text of a prompt: adds it to the timeline."""

from __future__ import annotations

from cuedeck.agents.hooks.hook_context import HookContext, HookResult
from cuedeck.agents.hooks.timeline_messages import record_message
from cuedeck.knowledge.statements.capture_statements import capture_prompt
from cuedeck.parse.own_words import own_words, stored_words


def record(context: HookContext) -> HookResult:
    """Add the words of the user in a prompt to the timeline, if sessions are
    recorded.
    """
    if context.is_recorded:
        text = context.event.message
        record_message(context, "user", stored_words(text))
        capture_prompt(context, own_words(text))
    return HookResult(context.known)
