"""Codex."""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.agents.hosts.base import (
    LIKELY,
    POSSIBLE,
    STARTS,
    UNLIKELY,
    Event,
    Hooks,
    Host,
    Transcript,
)
from cuedeck.agents.hosts.setup_types import (
    SERVER_OFF,
    START,
    FormFiles,
    Server,
    Setup,
    Switch,
    Trust,
)

_USER = "~/.codex/hooks.json"
_SETTINGS = (".codex/config.toml", "~/.codex/config.toml")


def _recognise(request: Mapping[str, object]) -> int:
    if "turn_id" in request or "/.codex/" in str(request.get("transcript_path")):
        return LIKELY
    is_start = (
        request.get("hook_event_name") == "SessionStart"
        and "permission_mode" in request
    )
    return POSSIBLE if is_start else UNLIKELY


def _respond(event: str, context: Mapping[str, str] | None) -> object:
    """Return the response to an event; every version reads an empty object, and shows
    an empty text to the model.
    """
    if context is None:
        return {}
    return {"continue": True, "hookSpecificOutput": context}


def _hook_id(event: str, group: int, command: int) -> str:
    """Return the id of a hook in the list of trusted hooks, such as
    `session_start:0:0`.
    """
    import re

    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()
    return f"{words}:{group}:{command}"


_SERVER = Server(".codex/config.toml", "mcp_servers", START)

SETUP = Setup(
    instructions="AGENTS.md",
    next_step="start codex in {folder} and trust the project; at `Hooks need review` choose `Trust all`; until "
    "then no hook runs",
    server_step="`codex mcp list` shows the server",
    server=_SERVER,
    user=FormFiles(_USER, _SERVER._replace(path="~/.codex/config.toml")),
    hooks_too=(_USER, *_SETTINGS),
    switches=(
        Switch(_SETTINGS, ("features", "hooks")),
        Switch(_SETTINGS, ("features", "codex_hooks")),
        Switch(_SETTINGS, ("mcp_servers", "cuedeck", "enabled"), SERVER_OFF),
    ),
    trust=Trust(
        path="~/.codex/config.toml",
        folders=("projects",),
        level=("trust_level", "trusted"),
        hooks=("hooks", "state"),
        hook_id=_hook_id,
        hint="start codex and choose `Trust all` at `Hooks need review`",
    ),
    asks="Codex runs tools that change nothing without asking",
    read_instead="AGENTS.override.md",
)


HOST = Host(
    "codex",
    "Codex",
    SETUP,
    Hooks(
        ".codex/hooks.json",
        "grouped",
        (
            Event("SessionStart", "session-start", 10, STARTS, context=True),
            Event("SubagentStart", "subagent-start", 5, context=True),
            Event("UserPromptSubmit", "prompt", 5, context=True),
            Event("PreCompact", "pre-compact", 30),
            Event(
                "PostToolUse",
                "post-tool",
                5,
                "apply_patch|Edit|Write|Bash",
                context=True,
            ),
            Event("Stop", "stop", 10),
            Event("SessionEnd", "session-end", 3),  # the host's maximum
        ),
        _respond,
        recognise=_recognise,
        writes=("apply_patch", "Edit", "Write"),
        shells=("Bash", "shell", "shell_command", "local_shell", "exec_command"),
        transcript=Transcript(
            agent=("assistant", "agent_message"),
            user=("user", "user_message"),
            containers=("payload",),
            places=("~/.codex/sessions/*/*/*/rollout-*.jsonl",),
        ),
        restores_context=True,
        user_path=_USER,
    ),
)
