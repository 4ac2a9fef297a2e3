"""The response that each host reads."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cuedeck.agents.hosts import hook_hosts, hooks_of
from cuedeck.model.hook_event import EVENTS
from cuedeck.shells.hook.hook_main import response

START: dict[str, Any] = {"hookEventName": "SessionStart", "additionalContext": "T"}
PROMPT: dict[str, Any] = {"hookEventName": "UserPromptSubmit", "additionalContext": "T"}
TOOL: dict[str, Any] = {"hookEventName": "PostToolUse", "additionalContext": "T"}
COMPACTION: dict[str, Any] = {"hookEventName": "PreCompact", "additionalContext": "T"}
SUBAGENT: dict[str, Any] = {"hookEventName": "SubagentStart", "additionalContext": "T"}
EXPECTED: dict[tuple[str, str], Any] = {
    ("claude", "session-start"): {"hookSpecificOutput": START},
    ("claude", "prompt"): {
        "continue": True,
        "suppressOutput": True,
        "hookSpecificOutput": PROMPT,
    },
    ("claude", "subagent-start"): {
        "continue": True,
        "suppressOutput": True,
        "hookSpecificOutput": SUBAGENT,
    },
    ("claude", "post-tool"): {
        "continue": True,
        "suppressOutput": True,
        "hookSpecificOutput": TOOL,
    },
    ("codex", "session-start"): {"continue": True, "hookSpecificOutput": START},
    ("codex", "prompt"): {"continue": True, "hookSpecificOutput": PROMPT},
    ("codex", "subagent-start"): {"continue": True, "hookSpecificOutput": SUBAGENT},
    ("codex", "post-tool"): {"continue": True, "hookSpecificOutput": TOOL},
    ("gemini", "session-start"): {"hookSpecificOutput": START},
    ("gemini", "prompt"): {
        "hookSpecificOutput": {**PROMPT, "hookEventName": "BeforeAgent"}
    },
    ("gemini", "post-tool"): {
        "hookSpecificOutput": {**TOOL, "hookEventName": "AfterTool"}
    },
    ("cursor", "session-start"): {"additional_context": "T"},
    ("cursor", "post-tool"): {"additional_context": "T"},
    ("vscode", "session-start"): {
        "additionalContext": "T",
        "hookSpecificOutput": START,
    },
    ("vscode", "prompt"): {"additionalContext": "T", "hookSpecificOutput": PROMPT},
    ("vscode", "subagent-start"): {
        "additionalContext": "T",
        "hookSpecificOutput": SUBAGENT,
    },
    ("vscode", "post-tool"): {"additionalContext": "T", "hookSpecificOutput": TOOL},
    ("qwen", "pre-compact"): {
        "continue": True,
        "suppressOutput": True,
        "hookSpecificOutput": COMPACTION,
    },
    ("qwen", "post-tool"): {
        "continue": True,
        "suppressOutput": True,
        "hookSpecificOutput": TOOL,
    },
    ("qwen", "prompt"): {
        "continue": True,
        "suppressOutput": True,
        "hookSpecificOutput": PROMPT,
    },
}
SILENT = {"continue": True, "suppressOutput": True}
EMPTY = {"claude": SILENT, "codex": {}, "gemini": {}, "cursor": {"continue": True},
    "vscode": {"continue": True}, "qwen": SILENT}  # fmt: skip


@pytest.mark.parametrize("host", [each for each in hook_hosts() if each in EMPTY])
@pytest.mark.parametrize("event", EVENTS)
def test_a_text_is_given_where_the_host_takes_one_and_nowhere_else(
    host: str, event: str
) -> None:
    if (host, event) == ("claude", "pre-compact"):
        return
    assert json.loads(response(hooks_of(host), event, "T")) == EXPECTED.get(
        (host, event), EMPTY[host]
    )
    assert json.loads(response(hooks_of(host), event)) == EMPTY[host]


def test_the_pre_compact_hook_of_claude_code_prints_plain_text_or_nothing() -> None:
    """Claude Code appends all that this hook prints to the instructions for its
    summary; JSON arrived there.
    """
    assert response(hooks_of("claude"), "pre-compact", "Keep: é\ud800") == "Keep: é?"
    assert response(hooks_of("claude"), "pre-compact") == ""


@pytest.mark.parametrize("event", EVENTS)
def test_the_plugin_of_opencode_reads_plain_text_or_nothing(event: str) -> None:
    is_given = event in ("prompt", "subagent-start", "post-tool", "pre-compact")
    assert response(hooks_of("opencode"), event, "T é") == ("T é" if is_given else "")
    assert response(hooks_of("opencode"), event) == ""


def test_codex_gets_no_message_from_a_session_start_without_text() -> None:
    """An empty `additionalContext` reached the model as an empty developer message."""
    assert response(hooks_of("codex"), "session-start") == "{}"


def test_an_answer_is_ascii_and_has_no_half_of_a_character() -> None:
    text = response(hooks_of("claude"), "prompt", "é🦊\ud800")
    assert text.isascii()
    assert json.loads(text)["hookSpecificOutput"]["additionalContext"] == "é🦊?"
