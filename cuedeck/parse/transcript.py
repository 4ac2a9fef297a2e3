"""The words of user and agent in the files in which hosts keep conversations.

They are JSON, one object a line, or one object with a list. Whose words a line holds stands in it as `role` or as
`type`; the words stand in it or one step inside, as a text or as a list of parts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

_AGENT = frozenset(["assistant", "model", "gemini", "assistant.message", "agent_message"])
_HUMAN = frozenset(["user", "human", "user.message", "user_message"])
_INSIDE = ("message", "payload", "data")
_ASIDE = ("isSidechain", "isMeta", "isApiErrorMessage", "isCompactSummary")
"""Lines of subagents, of the host, of its troubles and of its compactions."""
_ADDED = re.compile(r"<[A-Za-z][\w-]*>")
"""Begins what a host adds in the name of the user, such as `<environment_context>` and `<command-name>`."""
_PARTS = frozenset(["text", "output_text", "input_text"])
_COMPRESSED = "Got it. Thanks for the additional context!"
_LISTS = ("messages", "history")


class Message(NamedTuple):
    """Words of a conversation."""

    is_human: bool
    text: str


def last_said(data: bytes) -> str:
    """Return the last words of the agent in the last turn, from the end of a conversation; empty when there are none.

    The first line may be the end of one.
    """
    last = next(_spoken(data), None)
    return last.text if last is not None and not last.is_human else ""


def messages(data: bytes) -> list[Message]:
    """Return what user and agent said, from the end of a conversation; the first line may be the end of one.

    Words that a host adds in the name of the user are left out, and a message that follows itself is given once:
    Codex writes each message twice.
    """
    found: list[Message] = []
    for message in _spoken(data):
        is_added = message.is_human and _ADDED.match(message.text) is not None
        if not is_added and message not in found[-1:]:
            found.append(message)
    return found[::-1]


def _spoken(data: bytes) -> Iterator[Message]:
    """Yield the messages from the last one on."""
    is_found = False
    for message in _said(_parsed(line) for line in reversed(data.split(b"\n"))):
        is_found = True
        yield message
    if not is_found:
        whole = _parsed(data)
        rows: list[Any] = next((whole[name] for name in _LISTS if isinstance(whole.get(name), list)), [])
        yield from _said(row for row in reversed(rows) if isinstance(row, dict))


def compression_id(data: bytes) -> str:
    """Return the id of the last compression of a conversation of Gemini CLI; empty for none.

    Gemini CLI writes a rewritten history as a list of messages; a compressed one answers its own summary with a fixed
    sentence. The first line may be the end of one.
    """
    for line in reversed(data.split(b"\n")):
        if b'"$set"' not in line:
            continue
        changed = _parsed(line).get("$set")
        history = changed.get("messages") if isinstance(changed, dict) else None
        if isinstance(history, list):
            rows = (each for each in history if isinstance(each, dict))
            return next((str(each.get("id")) for each in rows if _words(each) == _COMPRESSED), "")
    return ""


def _said(rows: Iterable[Mapping[str, Any]]) -> Iterator[Message]:
    for row in rows:
        if not row or any(row.get(name) for name in _ASIDE):
            continue
        who, words = _who(row), _words(row)
        if words and who:
            yield Message(who in _HUMAN, words)


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
