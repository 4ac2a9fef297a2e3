"""Gemini CLI."""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.agents.hosts import transcript_format
from cuedeck.agents.hosts.base import (
    CERTAIN,
    POSSIBLE,
    UNLIKELY,
    Event,
    Hooks,
    Host,
    Transcript,
)
from cuedeck.agents.hosts.setup_types import (
    OTHERS_ALLOWED,
    SERVER_OFF,
    START,
    FormFiles,
    Server,
    Setup,
    Switch,
)

_USER = "~/.gemini/settings.json"
_SETTINGS = (".gemini/settings.json", _USER)
_EVENTS = frozenset(
    [
        "BeforeAgent",
        "AfterAgent",
        "BeforeTool",
        "AfterTool",
        "PreCompress",
        "BeforeModel",
    ]
)
_COMPRESSED = "Got it. Thanks for the additional context!"
"""The reply to the summary that the host writes after a compression."""


def _recognise(request: Mapping[str, object]) -> int:
    if request.get("hook_event_name") in _EVENTS:
        return CERTAIN
    return POSSIBLE if "timestamp" in request else UNLIKELY


def _respond(event: str, context: Mapping[str, str] | None) -> object:
    return {} if context is None else {"hookSpecificOutput": context}


def _find_compaction(transcript: bytes) -> str:
    """Return the id of the last context compression, or an empty string.

    The host writes a rewritten history as a list of messages. After a compression the
    list contains a fixed reply to the summary, and the id of that message is returned.
    The first line of `transcript` may be incomplete.
    """
    from cuedeck.parse.transcript import parse_row, text_of_row

    for line in reversed(transcript.split(b"\n")):
        if b'"$set"' not in line:
            continue
        changed = parse_row(line).get("$set")
        history = changed.get("messages") if isinstance(changed, dict) else None
        if not isinstance(history, list):
            continue
        for each in history:
            is_row = isinstance(each, dict)
            if is_row and text_of_row(each, transcript_format()) == _COMPRESSED:
                return str(each.get("id"))
        return ""
    return ""


_ONE_OFF = "a hook is switched off"
_SERVER = Server(".gemini/settings.json", "mcpServers", START)
SETUP = Setup(
    instructions="GEMINI.md",
    next_step="restart gemini in {folder} and trust it; /hooks panel shows the hooks",
    server_step="/mcp list shows the server",
    server=_SERVER,
    user=FormFiles(_USER, _SERVER._replace(path=_USER)),
    switches=(
        Switch(_SETTINGS, ("hooksConfig", "enabled")),
        Switch(_SETTINGS, ("hooks", "enabled")),
        Switch(_SETTINGS, ("tools", "enableHooks")),
        Switch(_SETTINGS, ("hooksConfig", "disabled"), _ONE_OFF, "lists"),
        Switch(_SETTINGS, ("hooks", "disabled"), _ONE_OFF, "lists"),
        Switch(_SETTINGS, ("mcp", "excluded"), SERVER_OFF, "lists"),
        Switch(_SETTINGS, ("mcp", "allowed"), OTHERS_ALLOWED, "lacks"),
    ),
    instructions_named=tuple(
        (path, keys)
        for path in _SETTINGS
        for keys in (("context", "fileName"), ("contextFileName",))
    ),
    asks='allow each tool when it first asks; `"trust": true` in the entry of the server allows all, also those '
    "that write",
)


HOST = Host(
    "gemini",
    "Gemini CLI",
    SETUP,
    Hooks(
        ".gemini/settings.json",
        "grouped",
        (  # timeouts in milliseconds
            Event("SessionStart", "session-start", 10_000, context=True),
            Event("BeforeAgent", "prompt", 5_000, context=True),
            Event("PreCompress", "pre-compact", 30_000),
            Event(
                "AfterTool",
                "post-tool",
                5_000,
                "read_file|read_many_files|write_file|replace",
                context=True,
            ),
            Event("AfterAgent", "stop", 10_000),
            Event("SessionEnd", "session-end", 10_000),
        ),
        _respond,
        named=True,
        recognise=_recognise,
        keys={"message": ("prompt_response",)},
        folder_variables=("GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"),
        reads=("read_file", "read_many_files"),
        writes=("write_file", "replace"),
        shells=("run_shell_command",),
        transcript=Transcript(agent=("model", "gemini")),
        find_compaction=_find_compaction,
        user_path=_USER,
    ),
)
