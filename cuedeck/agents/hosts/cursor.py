"""Cursor."""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.agents.hosts.base import CERTAIN, UNLIKELY, Event, Hooks, Host
from cuedeck.agents.hosts.claude import SETTINGS
from cuedeck.agents.hosts.setup_types import (
    STDIO_IN_FOLDER,
    Borrowed,
    FormFiles,
    RuleFile,
    Server,
    Setup,
)

_USER = "~/.cursor/hooks.json"
_OWN_KEYS = ("conversation_id", "cursor_version", "workspace_roots", "generation_id")


def _recognise(request: Mapping[str, object]) -> int:
    if any(key in request for key in _OWN_KEYS):
        return CERTAIN
    return UNLIKELY


def _respond(event: str, context: Mapping[str, str] | None) -> object:
    if context is None:
        return {"continue": True}
    return {"additional_context": context["additionalContext"]}


_SERVER = Server(".cursor/mcp.json", "mcpServers", STDIO_IN_FOLDER)
SETUP = Setup(
    instructions="AGENTS.md",
    next_step="restart Cursor in {folder}",
    server_step="enable the server `cuedeck` in the settings of Cursor, under MCP",
    server=_SERVER,
    user=FormFiles(_USER, _SERVER._replace(path="~/.cursor/mcp.json")),
    borrowed=Borrowed(SETTINGS),
    rule=RuleFile(
        ".cursor/rules/cuedeck.mdc",
        (
            "---",
            "description: Context of this project (CueDeck)",
            "alwaysApply: true",
            "---",
        ),
    ),
    asks="allow each tool when it first asks",
)


HOST = Host(
    "cursor",
    "Cursor",
    SETUP,
    Hooks(
        ".cursor/hooks.json",
        "flat",
        (
            Event("sessionStart", "session-start", 10, context=True),
            Event("beforeSubmitPrompt", "prompt", 5),
            Event("preCompact", "pre-compact", 30),
            Event("postToolUse", "post-tool", 5, context=True),
            Event("stop", "stop", 10),
            Event("sessionEnd", "session-end", 10),
        ),
        _respond,
        fixed=(("version", 1),),
        typed=False,
        recognise=_recognise,
        keys={
            "session": ("conversation_id",),
            "folder": ("workspace_roots",),
            "message": ("response",),
            "turn": ("generation_id",),
        },
        folder_variables=("CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
        reads=("Read", "read_file", "beforeReadFile"),
        writes=(
            "Write",
            "afterFileEdit",
            "edit_file",
            "StrReplace",
            "search_replace",
            "Delete",
            "delete_file",
        ),
        shells=("Shell",),
        user_path=_USER,
    ),
)
