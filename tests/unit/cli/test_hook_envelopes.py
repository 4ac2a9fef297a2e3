"""What each host reads as an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cuedeck.cli.hook.hook_request import HOSTS
from cuedeck.cli.hook.response_formats import answer, empty
from cuedeck.model.hook_event import EVENTS

START: dict[str, Any] = {"hookEventName": "SessionStart", "additionalContext": "T"}
PROMPT: dict[str, Any] = {"hookEventName": "UserPromptSubmit", "additionalContext": "T"}
EXPECTED: dict[tuple[str, str], Any] = {
    ("claude", "session-start"): {"hookSpecificOutput": START},
    ("claude", "prompt"): {"continue": True, "suppressOutput": True, "hookSpecificOutput": PROMPT},
    ("codex", "session-start"): {"continue": True, "hookSpecificOutput": START},
    ("codex", "prompt"): {"continue": True, "hookSpecificOutput": PROMPT},
    ("gemini", "session-start"): {"hookSpecificOutput": START},
    ("gemini", "prompt"): {"hookSpecificOutput": {**PROMPT, "hookEventName": "BeforeAgent"}},
    ("vscode", "session-start"): {"additionalContext": "T", "hookSpecificOutput": START},
    ("vscode", "prompt"): {"additionalContext": "T", "hookSpecificOutput": PROMPT},
    ("qwen", "prompt"): {"continue": True, "suppressOutput": True, "hookSpecificOutput": PROMPT},
}


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("event", EVENTS)
def test_a_text_is_given_where_the_host_takes_one_and_nowhere_else(host: str, event: str) -> None:
    if (host, event) == ("claude", "pre-compact"):
        return
    expected = EXPECTED.get((host, event))
    assert json.loads(answer(host, event, "T")) == (json.loads(empty(host, event)) if expected is None else expected)
    assert answer(host, event, "") == empty(host, event)


def test_the_pre_compact_hook_of_claude_code_prints_plain_text_or_nothing() -> None:
    """Claude Code appends all that this hook prints to the instructions for its summary; JSON arrived there."""
    assert answer("claude", "pre-compact", "Keep: é\ud800") == "Keep: é?"
    assert answer("claude", "pre-compact", "") == empty("claude", "pre-compact") == ""


def test_no_answer_of_nothing_is_one_that_codex_refuses() -> None:
    for event in EVENTS:
        assert set(json.loads(empty("codex", event))) <= {"hookSpecificOutput"}
    assert json.loads(empty("codex", "session-start"))["hookSpecificOutput"]["hookEventName"] == "SessionStart"


def test_an_answer_is_ascii_and_has_no_half_of_a_character() -> None:
    text = answer("claude", "prompt", "é🦊\ud800")
    assert text.isascii()
    assert json.loads(text)["hookSpecificOutput"]["additionalContext"] == "é🦊?"
