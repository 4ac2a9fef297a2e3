"""The last message of an agent in the transcripts of several hosts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cuedeck.hosts import transcript_format
from cuedeck.parse.transcript import Message, last_agent_text, messages

CLAUDE_USER = {"type": "user", "message": {"role": "user", "content": "Go"}}
CLAUDE = {
    "type": "assistant",
    "uuid": "1",
    "message": {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "A"},
        ],
    },
}
TOOL = {
    "type": "assistant",
    "message": {"role": "assistant", "content": [{"type": "tool_use", "name": "Read"}]},
}
RESULT = {
    "type": "user",
    "message": {"role": "user", "content": [{"type": "tool_result", "content": "x"}]},
}
PARTS = [{"type": "output_text", "text": "one"}, {"type": "output_text", "text": "two"}]


def lines(*rows: Any) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (lines(CLAUDE_USER, CLAUDE), "A"),
        (lines(CLAUDE_USER, CLAUDE, TOOL, RESULT, {"type": "system", "content": "hook ran"}), "A"),
        (lines(CLAUDE, CLAUDE_USER), ""),
        (lines(CLAUDE, CLAUDE_USER, {**CLAUDE, "isSidechain": True}), ""),
        (lines(CLAUDE_USER, CLAUDE, {**CLAUDE_USER, "isMeta": True}), "A"),
        (lines({"type": "response_item", "payload": {"role": "assistant", "content": PARTS}}), "one\ntwo"),
        (lines({"type": "event_msg", "payload": {"type": "agent_message", "message": "B"}}), "B"),
        (lines(CLAUDE_USER, {"type": "assistant.message", "data": {"content": "C"}}), "C"),
        (lines({"role": "assistant", "message": {"content": [{"type": "text", "text": "D"}]}}), "D"),
        (json.dumps({"messages": [CLAUDE_USER, {"type": "gemini", "content": "E"}]}, indent=1).encode(), "E"),
        (json.dumps({"history": [{"role": "model", "parts": [{"text": "F"}]}]}).encode(), "F"),
        (b'lf a line"}\n' + lines(CLAUDE), "A"),
        (b"", ""), (b"\xff\xfe", ""), (b"[]\n{}\n7\n", ""), (b"{" * 5_000, ""),
        (lines({"role": "assistant", "content": 7}), ""),
    ],
)  # fmt: skip
def test_the_last_words_of_the_last_turn_are_found(data: bytes, message: str) -> None:
    assert last_agent_text(data, transcript_format()) == message


def test_hook_output_before_a_prompt_is_removed_and_the_prompt_is_kept() -> None:
    added = "<hook_context>The brief</hook_context>\n\n"
    rows = [
        {"type": "user", "content": [{"text": f"{added}{text}"}]}
        for text in ("Fix <b>it</b>.", "", "<other>x")
    ]
    rows += [
        {"type": "gemini", "content": f"{added}A"},
        {"type": "user", "content": "<hook_context>cut off"},
    ]
    assert messages(lines(*rows), transcript_format()) == [
        Message(True, "Fix <b>it</b>."),
        Message(False, f"{added}A".strip()),
    ]
