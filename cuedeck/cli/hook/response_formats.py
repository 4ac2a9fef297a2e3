"""Response formats of the hosts.

Source: the hosts' own documentation and code as of 2026.
"""

from __future__ import annotations

import json

from cuedeck.model.hook_event import CONTEXT_EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_SILENT = {"continue": True, "suppressOutput": True}
_GOES_ON = {"continue": True}


def empty(host: str, event: str) -> str:
    """Return the response without content and effect; an empty string prints nothing."""
    if _is_plain(host, event):
        return ""
    if host == "codex":
        # Codex requires the event's own part at session start; elsewhere only an empty object fits every version.
        return _text({"hookSpecificOutput": _part("SessionStart", "")} if event == "session-start" else {})
    return _text({"claude": _SILENT, "qwen": _SILENT, "cursor": _GOES_ON, "vscode": _GOES_ON}.get(host, {}))


def answer(host: str, event: str, context: str) -> str:
    """Return the response that gives the agent a text, if the host supports it for this event."""
    name = CONTEXT_EVENTS.get(host, {}).get(event, "")
    if not name or not context:
        return empty(host, event)
    context = context.encode("utf-8", "replace").decode()  # replace lone surrogates, which no host accepts
    if _is_plain(host, event):
        return context
    part = {"hookSpecificOutput": _part(name, context)}
    if host in ("claude", "qwen"):
        return _text(part if event == "session-start" else {**_SILENT, **part})
    if host == "vscode":  # Copilot CLI reads the first key, the editor the second
        return _text({"additionalContext": context, **part})
    return _text({**_GOES_ON, **part} if host == "codex" else part)


def _is_plain(host: str, event: str) -> bool:
    """Return whether a host reads standard output as plain text.

    Claude Code appends what a PreCompact hook prints to the instructions for the summary, JSON included.
    """
    return host == "claude" and event == "pre-compact"


def _part(name: str, context: str) -> dict[str, str]:
    return {"hookEventName": name, "additionalContext": context}


def _text(value: Mapping[str, object]) -> str:
    """Return JSON in ASCII, independent of the locale."""
    return json.dumps(value)
