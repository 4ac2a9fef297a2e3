"""Serialisation of the response to a hook."""

from __future__ import annotations

import json

from cuedeck.hosts import hooks_of


def response(host: str, event: str, context: str = "") -> str:
    """Return what a hook prints: JSON in ASCII, independent of the locale, or the plain text that the host expects.

    The text `context` is omitted if the host accepts none for this event.
    """
    hooks = hooks_of(host)
    name = hooks.context_name(event)
    added: dict[str, str] | None = None
    if name and context:
        context = context.encode("utf-8", "replace").decode()  # replace lone surrogates, which no host accepts
        added = {"hookEventName": name, "additionalContext": context}
    value = hooks.respond(event, added)
    return value if isinstance(value, str) else json.dumps(value)
