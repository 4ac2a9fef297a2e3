"""Reader of the conversation transcripts that agent hosts write.

A transcript is JSON Lines, or one JSON object with a list of messages. The author of a
message is its `role` or `type`. Its text is a string or a list of parts, in the message
itself or in an object directly inside it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from cuedeck.model.hook_event import without_hook_output

_ADDED = re.compile(r"<[A-Za-z][\w-]*>")
"""The beginning of a user message that the host added, such as `<environment_context>`
and `<command-name>`.
"""
_PARTS = frozenset(["text", "output_text", "input_text"])
_LISTS = ("messages", "history")


class TranscriptFormat(NamedTuple):
    """Names in the transcripts of one host or of several."""

    agent: frozenset[str]
    """Values of `role` or `type` in messages of the agent."""
    user: frozenset[str]
    """Values of `role` or `type` in messages of the user."""
    containers: tuple[str, ...]
    """Members of a row that may contain the message."""
    skipped: tuple[str, ...]
    """Flags of rows to skip: messages of subagents, host metadata, API errors and
    compaction summaries.
    """
    wrappers: tuple[str, ...] = ()
    """XML tags that enclose hook output before a prompt."""


class Message(NamedTuple):
    """A message of a conversation."""

    is_human: bool
    text: str


def last_agent_text(data: bytes, form: TranscriptFormat) -> str:
    """Return the last message of a transcript if it is from the agent, else an empty
    string.

    `data` may be the tail of a transcript, so its first line may be incomplete.
    """
    last = next(_newest_first(data, form), None)
    if last is not None and not last.is_human:
        return last.text
    return ""


def messages(data: bytes, form: TranscriptFormat) -> list[Message]:
    """Return the messages of user and agent in order.

    `data` may be the tail of a transcript, so its first line may be incomplete. User
    messages that the host added are skipped; hook output that Gemini CLI prepends to a
    prompt is removed. Consecutive equal messages are returned once, because Codex
    writes each message twice.
    """
    found: list[Message] = []
    for message in _newest_first(data, form):
        if message.is_human:
            message = message._replace(
                text=without_hook_output(message.text, form.wrappers)
            )
            if not message.text or _ADDED.match(message.text):
                continue
        if message not in found[-1:]:
            found.append(message)
    return found[::-1]


def _newest_first(data: bytes, form: TranscriptFormat) -> Iterator[Message]:
    """Yield the messages, newest first."""
    is_found = False
    for message in _messages_of(
        (parse_row(line) for line in reversed(data.split(b"\n"))), form
    ):
        is_found = True
        yield message
    if not is_found:
        whole = parse_row(data)
        rows: list[Any] = next(
            (whole[name] for name in _LISTS if isinstance(whole.get(name), list)), []
        )
        yield from _messages_of(
            (row for row in reversed(rows) if isinstance(row, dict)), form
        )


def _messages_of(
    rows: Iterable[Mapping[str, Any]], form: TranscriptFormat
) -> Iterator[Message]:
    """Yield the messages of user and agent in rows, in the order of the rows."""
    for row in rows:
        if not row or any(row.get(name) for name in form.skipped):
            continue
        author = _author(row, form)
        text = text_of_row(row, form)
        if text and author:
            yield Message(author in form.user, text)


def _author(row: Mapping[str, Any], form: TranscriptFormat) -> str:
    """Return the role of the author of a message; empty if it is neither user nor
    agent.
    """
    roles = [
        each.get(name)
        for each in (*_contained(row, form), row)
        for name in ("role", "type")
    ]
    known = form.agent | form.user
    return next((each for each in roles if isinstance(each, str) and each in known), "")


def text_of_row(row: Mapping[str, Any], form: TranscriptFormat) -> str:
    """Return the text of a message; empty if the row has none."""
    for each in (row, *_contained(row, form)):
        for name in ("content", "text", "message", "parts"):
            text = _joined(each.get(name))
            if text:
                return text
    return ""


def _contained(
    row: Mapping[str, Any], form: TranscriptFormat
) -> list[Mapping[str, Any]]:
    """Return the objects directly inside a row that may contain its message."""
    found: list[Mapping[str, Any]] = []
    for name in form.containers:
        if isinstance(row.get(name), dict):
            found.append(row[name])
    return found


def _joined(content: Any) -> str:
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, list):
        return ""
    texts = [
        part.get("text")
        for part in content
        if isinstance(part, dict) and part.get("type", "text") in _PARTS
    ] + [part for part in content if isinstance(part, str)]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()


def parse_row(data: bytes) -> dict[str, Any]:
    """Return the JSON object of a line; empty if it is not one."""
    data = data.strip()
    if not data.startswith(b"{"):
        return {}
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
