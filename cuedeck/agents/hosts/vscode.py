"""VS Code with Copilot. Copilot CLI runs the same hook files: see `copilot`."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from cuedeck.agents.hosts.base import (
    CERTAIN,
    LIKELY,
    UNLIKELY,
    Event,
    Hooks,
    Host,
    Transcript,
)
from cuedeck.agents.hosts.claude import SETTINGS
from cuedeck.agents.hosts.setup_types import (
    STDIO_IN_FOLDER,
    Borrowed,
    FormFiles,
    Server,
    Setup,
    Switch,
)

USER = "~/.copilot/hooks/cuedeck.json"
_OWN_KEYS = ("sessionId", "hookEventName", "toolName", "toolArgs")
_SETTINGS = (
    ".vscode/settings.json",
    "~/.config/Code/User/settings.json",
    "~/Library/Application Support/Code/User/settings.json",
    "~/AppData/Roaming/Code/User/settings.json",
)


def _recognise(request: Mapping[str, object]) -> int:
    """Return the certainty; for events with the names of Claude Code, the keys are also
    those of Claude Code, but with a time and, except at a stop, without a transcript.
    """
    if any(key in request for key in _OWN_KEYS):
        return CERTAIN
    if "timestamp" not in request:
        return UNLIKELY
    transcript = str(request.get("transcript_path", "/.copilot/"))
    is_own = any(name in transcript.lower() for name in ("/.copilot/", "copilot-chat"))
    return LIKELY if is_own else UNLIKELY


def _respond(event: str, context: Mapping[str, str] | None) -> object:
    """Return the response to an event; Copilot CLI reads the first key of a text, the
    editor the second.
    """
    if context is None:
        return {"continue": True}
    return {
        "additionalContext": context["additionalContext"],
        "hookSpecificOutput": context,
    }


def _user_folder() -> str:
    folders = {
        "darwin": "~/Library/Application Support/Code/User",
        "win32": "~/AppData/Roaming/Code/User",
    }
    return folders.get(sys.platform, "~/.config/Code/User")


_SERVER = Server(".vscode/mcp.json", "servers", STDIO_IN_FOLDER)
_HERE = ("chat.hookFilesLocations", ".github/hooks")
SETUP = Setup(
    instructions="AGENTS.md",
    next_step="open {folder} in VS Code and trust the workspace",
    server_step="start `cuedeck` under `MCP: List Servers`",
    server=_SERVER,
    user=FormFiles(USER, _SERVER._replace(path=f"{_user_folder()}/mcp.json")),
    hooks_too=(".github/hooks/*.json", "~/.copilot/hooks/*.json"),
    borrowed=Borrowed(SETTINGS, ("chat.useClaudeHooks",), _SETTINGS),
    switches=(
        Switch(_SETTINGS, ("chat.useHooks",)),
        Switch(_SETTINGS, _HERE, "the hooks are switched off"),
        Switch(_SETTINGS, ("chat.useAgentsMdFile",), "AGENTS.md is not read"),
    ),
    asks="allow each tool when it first asks",
)


HOST = Host(
    "vscode",
    "VS Code",
    SETUP,
    Hooks(
        ".github/hooks/cuedeck.json",
        "flat",
        (
            Event("SessionStart", "session-start", 10, context=True,),
            Event("SubagentStart", "subagent-start", 5, context=True,),
            Event("UserPromptSubmit", "prompt", 5, context=True,),
            Event("PreCompact", "pre-compact", 30),
            Event("PostToolUse", "post-tool", 5, context=True,),
            Event("Stop", "stop", 10),
            Event("SessionEnd", "session-end", 10),
        ),
        _respond,
        recognise=_recognise,
        keys={
            "name": ("hookEventName",),
            "session": ("sessionId",),
            "agent": ("agentId",),
            "agent_name": ("agentType",),
            "prompt": ("userPrompt", "initialPrompt"),
            "message": ("lastAssistantMessage",),
            "transcript": ("transcriptPath",),
            "turn": ("turnId",),
            "active": ("stopHookActive",),
            "tool": ("toolName",),
            "input": ("toolInput", "toolArgs"),
        },
        reads=("readFile", "view"),
        writes=(
            "edit", "editFiles", "create", "createFile", "applyPatch", "replaceStringInFile",
            "multiReplaceStringInFile", "insertEditIntoFile", "editNotebookFile", "strReplaceEditor",
        ),
        shells=("bash",),
        transcript=Transcript(
            agent=("assistant", "assistant.message"), user=("user", "user.message"), containers=("data",),
            folders=(
                "~/.config", "~/Library/Application Support", "~/AppData/Roaming",
                "~/.vscode-server", "~/.vscode-server-insiders",
            ),
        ),
        restores_context=True,
        user_path=USER,
        is_shared=True,
    ),
    program="code",
)  # fmt: skip
