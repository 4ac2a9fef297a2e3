"""Claude Code.

Source: its documentation and code as of 2026, as for every host.
"""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.agents.hosts.base import STARTS, Event, Hooks, Host, Transcript
from cuedeck.agents.hosts.setup_types import (
    PROJECT,
    SERVER_OFF,
    STDIO,
    Allow,
    FormFiles,
    Server,
    Setup,
    Switch,
)

LOCAL = ".claude/settings.local.json"
USER = "~/.claude/settings.json"
SETTINGS = (LOCAL, ".claude/settings.json", USER)
"""Settings files, highest precedence first."""
_SILENT = {"continue": True, "suppressOutput": True}


def _respond(event: str, context: Mapping[str, str] | None) -> object:
    """Return the response to an event.

    All that a PreCompact hook prints is appended to the instructions for the summary,
    JSON included.
    """
    if event == "pre-compact":
        return context["additionalContext"] if context else ""
    if context is None:
        return _SILENT
    if event == "session-start":
        return {"hookSpecificOutput": context}
    return {**_SILENT, "hookSpecificOutput": context}


# `claude mcp add` writes these files and the empty `env`.
_OWN = Server("~/.claude.json", "mcpServers", STDIO, added=(("env", {}),))
SETUP = Setup(
    instructions="CLAUDE.md",
    next_step="restart Claude Code in {folder}; /hooks shows the hooks",
    server_step="/mcp shows the server",
    server=Server(".mcp.json", "mcpServers", STDIO),
    local=FormFiles(LOCAL, _OWN._replace(above=("projects", PROJECT))),
    user=FormFiles(USER, _OWN),
    switches=(
        Switch(SETTINGS, ("disableAllHooks",), value=True),
        Switch(SETTINGS, ("disabledMcpjsonServers",), SERVER_OFF, "lists"),
    ),
    allow=Allow(".claude/settings.json", ("permissions", "allow"), "mcp__cuedeck__{}"),
)


HOST = Host(
    "claude",
    "Claude Code",
    SETUP,
    Hooks(
        ".claude/settings.json",
        "grouped",
        (
            Event("SessionStart", "session-start", 10, STARTS, context=True),
            Event("SubagentStart", "subagent-start", 5, context=True),
            Event("UserPromptSubmit", "prompt", 5, context=True),
            Event("PreCompact", "pre-compact", 30, "manual|auto", context=True),
            Event(
                "PostToolUse",
                "post-tool",
                5,
                "Read|Edit|MultiEdit|Write|NotebookEdit",
                context=True,
            ),
            Event("Stop", "stop", 10),
            Event("SessionEnd", "session-end", 10),
        ),
        _respond,
        reads=("Read", "NotebookRead"),
        writes=("Edit", "MultiEdit", "Write", "NotebookEdit"),
        shells=("Bash",),
        transcript=Transcript(
            places=("~/.claude/projects/*/*.jsonl",),
            skipped=(
                "isMeta",
                "isApiErrorMessage",
                "isCompactSummary",
                "isVisibleInTranscriptOnly",
                "isSynthetic",
                "planContent",
            ),
        ),
        restores_context=True,
        local_path=LOCAL,
        user_path=USER,
        run_by=(
            ("cursor", (".cursor/hooks.json", "~/.cursor/hooks.json")),
            ("vscode", (".github/hooks/cuedeck.json", "~/.copilot/hooks/cuedeck.json")),
        ),
    ),
)
