"""Handler of the text of a prompt, and messages of hook events in the timeline of a
session.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cuedeck.agents.hooks.hook_context import HookContext, HookResult, log_hook_error
from cuedeck.knowledge.cortex.add_message import (
    MAX_BYTES,
    MessageSource,
    NewMessage,
    add_message,
)
from cuedeck.knowledge.cortex.session_owners import NO_OWNERS, SessionOwners
from cuedeck.knowledge.statements.capture_statements import capture_prompt
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import replace_controls
from cuedeck.model.hook_event import file_name
from cuedeck.parse.own_words import own_words, stored_words
from cuedeck.text.plain_text import plain_line

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.cortex.message_file import Role
    from cuedeck.model.hook_event import HookEvent

_PATIENCE_SECONDS = 1.0
"""Waiting time for another writer of the tree; the event stays in the queue."""
_MOST_NAME = 200
"""Characters of the name of an agent that are kept."""


def record(context: HookContext) -> HookResult:
    """Add the words of the user in a prompt to the timeline, if sessions are
    recorded.
    """
    if context.is_recorded:
        text = context.event.message
        record_message(context, "user", stored_words(text))
        capture_prompt(context, own_words(text))
    return HookResult(context.known)


def record_message(context: HookContext, role: Role, text: str) -> None:
    """Add a message to the session `cortex.session` if `cortex.timeline` is on.

    A message that the same agent session sent just before is not added again. A
    message that is too long is cut, and says so. Raises: Locked, StorageError,
    ConfigurationError, after which the event is processed again.
    """
    workspace, event = context.workspace, context.event
    if not workspace.may_configure("cortex"):
        return
    if not workspace.settings.cortex.timeline or not text.strip():
        return
    source = MessageSource(f"{event.host}/{file_name(event)}", event.turn)
    time = datetime.fromtimestamp(int(context.seconds), UTC).isoformat()
    new = NewMessage(
        _cut(replace_controls(text)),
        role,
        time,
        source=source,
        owners=_owners(workspace, event),
        is_event=True,
    )
    try:
        add_message(workspace, new, patience_seconds=_PATIENCE_SECONDS)
    except Invalid as error:  # the session is archived
        log_hook_error(workspace, event, error)


def _owners(workspace: Workspace, event: HookEvent) -> SessionOwners:
    """Return the agent that the host names; no host names its user."""
    name = plain_line(event.agent_name[:_MOST_NAME])
    if not name or workspace.find_secrets(name):
        return NO_OWNERS
    return SessionOwners(agent=name)


def _cut(text: str) -> str:
    """Return a message that is short enough for a timeline; a cut one says so."""
    data = text.encode("utf-8", "replace")
    if len(data) <= MAX_BYTES:
        return text
    note = f"\n\n[cut: the message has more than {MAX_BYTES:,} bytes]"
    kept = data[: MAX_BYTES - len(note)].decode("utf-8", "ignore")
    return kept + note
