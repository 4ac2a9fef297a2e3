"""Qwen Code."""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.agents.hosts.base import LIKELY, UNLIKELY, Event, Hooks, Host, Transcript
from cuedeck.agents.hosts.setup_types import (
    OTHERS_ALLOWED,
    SERVER_OFF,
    START,
    FormFiles,
    Server,
    Setup,
    Switch,
)

_USER = "~/.qwen/settings.json"
_SETTINGS = (".qwen/settings.json", _USER)
_SILENT = {"continue": True, "suppressOutput": True}


def _recognise(request: Mapping[str, object]) -> int:
    if "/.qwen/" in str(request.get("transcript_path")):
        return LIKELY
    return UNLIKELY


def _respond(event: str, context: Mapping[str, str] | None) -> object:
    if context is None:
        return _SILENT
    return {**_SILENT, "hookSpecificOutput": context}


_SERVER = Server(".qwen/settings.json", "mcpServers", START)
SETUP = Setup(
    instructions="AGENTS.md",
    next_step="restart qwen in {folder}; /hooks shows the hooks",
    server_step="/mcp shows the server",
    server=_SERVER,
    user=FormFiles(_USER, _SERVER._replace(path=_USER)),
    switches=(
        Switch(_SETTINGS, ("disableAllHooks",), value=True),
        Switch(_SETTINGS, ("mcp", "excluded"), SERVER_OFF, "lists"),
        Switch(_SETTINGS, ("mcp", "allowed"), OTHERS_ALLOWED, "lacks"),
    ),
    instructions_named=tuple((path, ("context", "fileName")) for path in _SETTINGS),
    asks="Qwen Code runs tools that change nothing without asking",
)


HOST = Host(
    "qwen",
    "Qwen Code",
    SETUP,
    Hooks(
        ".qwen/settings.json",
        "grouped",
        (  # timeouts in milliseconds, unlike Claude Code, whose format this is
            Event("SessionStart", "session-start", 10_000),  # the response is ignored
            Event("UserPromptSubmit", "prompt", 5_000, context=True),
            Event("PreCompact", "pre-compact", 30_000, context=True),
            Event(
                "PostToolUse",
                "post-tool",
                5_000,
                "read_file|write_file|edit",
                context=True,
            ),
            Event("Stop", "stop", 10_000),
            Event("SessionEnd", "session-end", 10_000),
        ),
        _respond,
        recognise=_recognise,
        folder_variables=("GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
        reads=("read_file", "read_many_files"),
        writes=("write_file", "edit"),
        shells=("run_shell_command",),
        transcript=Transcript(
            agent=("assistant", "model"), places=("~/.qwen/projects/*/chats/*.jsonl",)
        ),
        restores_context=True,
        user_path=_USER,
    ),
)
