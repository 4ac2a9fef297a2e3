"""VS Code with Copilot, and Copilot CLI, which runs the same hook files."""

from __future__ import annotations

from cuedeck.hosts.base import CERTAIN, UNLIKELY, Event, Hooks, Host, Transcript

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from cuedeck.hosts.setup_types import Setup

_OWN_KEYS = ("sessionId", "hookEventName", "toolName", "toolArgs")
_SETTINGS = (
    ".vscode/settings.json",
    "~/.config/Code/User/settings.json",
    "~/Library/Application Support/Code/User/settings.json",
    "~/AppData/Roaming/Code/User/settings.json",
)


def _recognise(request: Mapping[str, object]) -> int:
    if any(key in request for key in _OWN_KEYS):
        return CERTAIN
    return UNLIKELY


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


def _setup() -> Setup:
    from cuedeck.hosts.claude import SETTINGS
    from cuedeck.hosts.setup_types import (
        FOLDER_ARGUMENTS,
        STDIO,
        Borrowed,
        Server,
        Setup,
        Switch,
    )

    here = ("chat.hookFilesLocations", ".github/hooks")
    return Setup(
        instructions="AGENTS.md",
        next_step="open {folder} in VS Code, trust the workspace, and start `cuedeck` under `MCP: List Servers`",
        server=Server(
            ".vscode/mcp.json", "servers", (*STDIO, ("args", FOLDER_ARGUMENTS))
        ),
        hooks_too=(".github/hooks/*.json", "~/.copilot/hooks/*.json"),
        borrowed=Borrowed(
            SETTINGS,
            ("chat.useClaudeHooks",),
            _SETTINGS,
            hint="set `chat.useClaudeHooks` to false, or set up only one of the two hosts",
        ),
        switches=(
            Switch(
                _SETTINGS, ("chat.useHooks",), "is", False, "all hooks are switched off"
            ),
            Switch(
                files=_SETTINGS,
                keys=here,
                test="is",
                value=False,
                message="the hooks are switched off",
            ),
            Switch(
                _SETTINGS,
                ("chat.useAgentsMdFile",),
                "is",
                False,
                "AGENTS.md is not read",
            ),
        ),
        asks="allow each tool when it first asks",
    )


HOST = Host(
    "vscode",
    "VS Code",
    _setup,
    Hooks(
        ".github/hooks/cuedeck.json",
        "flat",
        (
            Event("SessionStart", "session-start", 10, context=True),
            Event("UserPromptSubmit", "prompt", 5, context=True),
            Event("PreCompact", "pre-compact", 30),
            Event("PostToolUse", "post-tool", 5),
            Event("Stop", "stop", 10),
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
            agent=("assistant", "assistant.message"), user=("user", "user.message"), containers=("data",)
        ),
    ),
)  # fmt: skip
