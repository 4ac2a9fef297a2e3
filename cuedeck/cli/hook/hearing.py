"""What a host says on standard input, whichever host it is."""

from __future__ import annotations

import json

from cuedeck.cli.hook.tools import tool_files
from cuedeck.model.hook import TELLING, Told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HOSTS = tuple(TELLING)
"""The first stands for one that nobody knows."""
_CURSOR = ("conversation_id", "cursor_version", "workspace_roots", "generation_id")
_VSCODE = ("sessionId", "hookEventName", "toolName", "toolArgs")
_GEMINI = frozenset(["BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "PreCompress", "BeforeModel"])
_QWEN = "/.qwen/"
"""A part of the path of each conversation of Qwen Code."""
_CONTEXT, _CONTEXT_END = "<hook_context>", "</hook_context>"
_WORDS = {
    "name": ("hook_event_name", "hookEventName"),
    "session": ("session_id", "sessionId", "conversation_id"),
    "agent": ("agent_id", "agentId"),
    "source": ("source", "trigger"),
    "prompt": ("prompt", "userPrompt", "initialPrompt"),
    "message": ("last_assistant_message", "prompt_response", "lastAssistantMessage", "response"),
    "transcript": ("transcript_path", "transcriptPath"),
    "turn": ("turn_id", "generation_id", "turnId"),
}
"""Members by which hosts tell each thing; the first that is there counts."""


def parse(data: bytes, event: str, host: str) -> Told:
    """Return what was told; an empty event for what is no JSON object."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return Told("", host if host in HOSTS else HOSTS[0])
    words = {name: _word(value, names) for name, names in _WORDS.items()}
    words["prompt"] = _without_hook_context(words["prompt"])
    folder = _word(value, ("cwd",)) or _first(value.get("workspace_roots"))
    role, files = tool_files(*_tool(value), folder) if event == "post-tool" else ("", ())
    active = value.get("stop_hook_active") is True or value.get("stopHookActive") is True
    found = host if host in HOSTS else guess(value)
    return Told(event, found, folder=folder, active=active, role=role, files=files, **words)


def guess(value: Mapping[str, object]) -> str:
    """Return the host that talks like this."""
    name = _word(value, _WORDS["name"])
    if any(key in value for key in _CURSOR):
        return "cursor"
    if any(key in value for key in _VSCODE):
        return "vscode"
    if _QWEN in _word(value, _WORDS["transcript"]):
        return "qwen"
    if name in _GEMINI or "timestamp" in value:
        return "gemini"
    rollout = _word(value, ("transcript_path",))
    if "turn_id" in value or "/.codex/" in rollout or (name == "SessionStart" and "permission_mode" in value):
        return "codex"
    return "claude"


def _without_hook_context(prompt: str) -> str:
    """Return a prompt without the texts of hooks that Gemini CLI puts in front of it."""
    while prompt.startswith(_CONTEXT) and _CONTEXT_END in prompt:
        prompt = prompt.partition(_CONTEXT_END)[2].lstrip()
    return prompt


def _tool(value: Mapping[str, object]) -> tuple[str, object]:
    """Return the name of a tool and what it was given; an event that is about one file stands for its tool."""
    name = _word(value, ("tool_name", "toolName"))
    if not name:
        return _word(value, _WORDS["name"]), value
    given = next((value[key] for key in ("tool_input", "toolInput", "toolArgs") if key in value), None)
    if isinstance(given, str):  # a patch, or JSON in JSON
        try:
            return name, json.loads(given)
        except (ValueError, RecursionError):
            return name, {"input": given}
    return name, given


def _word(value: Mapping[str, object], names: tuple[str, ...]) -> str:
    return next((found for name in names if isinstance(found := value.get(name), str) and found), "")


def _first(value: object) -> str:
    return next((each for each in value if isinstance(each, str)), "") if isinstance(value, list) else ""
