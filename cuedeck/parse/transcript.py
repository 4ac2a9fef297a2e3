"""What an agent said last, in the files in which hosts keep conversations.

They are JSON, one object a line, or one object with a list. Whose words a line holds stands in it as `role` or as
`type`; the words stand in it or one step inside, as a text or as a list of parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

_AGENT = frozenset(["assistant", "model", "gemini", "assistant.message", "agent_message"])
_HUMAN = frozenset(["user", "human", "user.message", "user_message"])
_INSIDE = ("message", "payload", "data")
_ASIDE = ("isSidechain", "isMeta", "isApiErrorMessage")
"""Lines of subagents, of the host and of its troubles."""
_PARTS = frozenset(["text", "output_text", "input_text"])
_LISTS = ("messages", "history")


def last_said(data: bytes) -> str:
    """Return the last words of the agent in the last turn, from the end of a conversation; empty when there are none.

    The first line may be the end of one.
    """
    found = _last(map(_parsed, reversed(data.split(b"\n"))))
    if found is None:
        whole = _parsed(data)
        rows: list[Any] = next((whole[name] for name in _LISTS if isinstance(whole.get(name), list)), [])
        found = _last(row for row in reversed(rows) if isinstance(row, dict))
    return found or ""


def _last(rows: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the words of the agent, empty where the human spoke last; None when nobody is known to have spoken."""
    for row in rows:
        if not row or any(row.get(name) for name in _ASIDE):
            continue
        who, words = _who(row), _words(row)
        if words and who in _AGENT:
            return words
        if words and who in _HUMAN:
            return ""
    return None


def _who(row: Mapping[str, Any]) -> str:
    inside = [row[name] for name in _INSIDE if isinstance(row.get(name), dict)]
    named = [each.get(name) for each in (*inside, row) for name in ("role", "type")]
    return next((each for each in named if isinstance(each, str) and each in _AGENT | _HUMAN), "")


def _words(row: Mapping[str, Any]) -> str:
    for each in (row, *(row[name] for name in _INSIDE if isinstance(row.get(name), dict))):
        for name in ("content", "text", "message", "parts"):
            words = _joined(each.get(name))
            if words:
                return words
    return ""


def _joined(content: Any) -> str:
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, list):
        return ""
    texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type", "text") in _PARTS] + [
        part for part in content if isinstance(part, str)
    ]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def _parsed(data: bytes) -> dict[str, Any]:
    data = data.strip()
    if not data.startswith(b"{"):
        return {}
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
