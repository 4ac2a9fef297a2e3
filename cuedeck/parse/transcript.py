"""Reader of the conversation transcripts that agent hosts write.

A transcript is JSON Lines, or one JSON object with a list of messages. The author of a message is its `role` or `type`.
Its text is a string or a list of parts, in the message itself or in an object directly inside it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cuedeck.model.hook_event import without_hook_context

_AGENT = frozenset(["assistant", "model", "gemini", "assistant.message", "agent_message"])
_HUMAN = frozenset(["user", "human", "user.message", "user_message"])
_INSIDE = ("message", "payload", "data")
_ASIDE = ("isSidechain", "isMeta", "isApiErrorMessage", "isCompactSummary")
"""Flags of messages to skip: those of subagents, host metadata, API errors and compaction summaries."""
_ADDED = re.compile(r"<[A-Za-z][\w-]*>")
"""The beginning of a user message that the host added, such as `<environment_context>` and `<command-name>`."""
_PARTS = frozenset(["text", "output_text", "input_text"])
_COMPRESSED = "Got it. Thanks for the additional context!"
_LISTS = ("messages", "history")


class Message(NamedTuple):
    """A message of a conversation."""

    is_human: bool
    text: str


def last_said(data: bytes) -> str:
    """Return the last message of a transcript if it is from the agent, else an empty string.

    `data` may be the tail of a transcript, so its first line may be incomplete.
    """
    last = next(_spoken(data), None)
    return last.text if last is not None and not last.is_human else ""


def messages(data: bytes) -> list[Message]:
    """Return the messages of user and agent in order.

    `data` may be the tail of a transcript, so its first line may be incomplete. User messages that the host added are
    skipped; hook output that Gemini CLI prepends to a prompt is removed. Consecutive equal messages are returned once,
    because Codex writes each message twice.
    """
    found: list[Message] = []
    for message in _spoken(data):
        if message.is_human:
            message = message._replace(text=without_hook_context(message.text))
            if not message.text or _ADDED.match(message.text):
                continue
        if message not in found[-1:]:
            found.append(message)
    return found[::-1]


def _spoken(data: bytes) -> Iterator[Message]:
    """Yield the messages, newest first."""
    is_found = False
    for message in _said(_parsed(line) for line in reversed(data.split(b"\n"))):
        is_found = True
        yield message
    if not is_found:
        whole = _parsed(data)
        rows: list[Any] = next((whole[name] for name in _LISTS if isinstance(whole.get(name), list)), [])
        yield from _said(row for row in reversed(rows) if isinstance(row, dict))


def compression_id(data: bytes) -> str:
    """Return the id of the last context compression in a Gemini CLI transcript, or an empty string.

    Gemini CLI writes a rewritten history as a list of messages. After a compression the list contains a fixed reply to
    the summary, and the id of that message is returned. The first line of `data` may be incomplete.
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
