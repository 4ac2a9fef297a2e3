"""Handler of the text of a prompt: adds it to the timeline."""

from __future__ import annotations

from cuedeck.app.hooks.hook_context import HookContext, HookResult
from cuedeck.app.hooks.timeline_messages import record_message


def record(context: HookContext) -> HookResult:
    """Add the text of a prompt to the timeline as a message of the user."""
    if context.is_recorded:
        record_message(context, "user", context.event.message)
    return HookResult(context.known)
