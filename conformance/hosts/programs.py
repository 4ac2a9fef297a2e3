"""The hosts: one row each, with the settings for the mock model and the arguments that
resume a session.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from conformance.hosts.model import Call

_KEY = "mock-key"


class Place(NamedTuple):
    """The folders of one run."""

    home: Path
    root: Path
    """The workspace."""
    url: str
    """The address of the model server."""


class Program(NamedTuple):
    """A host without its terminal interface."""

    host: str
    """As `cuedeck setup` calls it."""
    command: str
    """The program on PATH."""
    environ: Callable[[Place], Mapping[str, str]]
    prepare: Callable[[Place], None]
    """Write the settings and answers that a user would have given before."""
    first: tuple[str, ...]
    """Arguments of a new session; `{}` is the place of the prompt."""
    again: tuple[str, ...]
    """Arguments that resume the last session."""
    read: Call
    """A call of the tool that reads `{file}`."""
    delegate: Call
    """A call of the tool that gives `{task}` to a subagent."""
    waiting: tuple[Call, ...] = ()
    """Calls that take so long that a subagent in the background asks its model."""
    compact: str = ""
    """A prompt that compacts the conversation; empty where only a full context does."""
    full: int = 0
    """Tokens that the model claims, so that the host takes its context for full; 0 to
    skip this step.
    """
    is_long_summary: bool = False
    """Whether the host computes the saving of a compaction from the tokens that the
    summary claims to have read.
    """


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def _no_setup(place: Place) -> None:
    """Prepare nothing."""


def _trust_codex(place: Place) -> None:
    rows = [
        'model = "mock"', 'model_provider = "mock"', "model_auto_compact_token_limit = 100000",
        "model_context_window = 200000", "check_for_update_on_startup = false", "[model_providers.mock]",
        'name = "mock"', f'base_url = "{place.url}/v1"', 'env_key = "MOCK_KEY"', 'wire_api = "responses"',
        f'[projects."{place.root}"]', 'trust_level = "trusted"', "",
    ]  # fmt: skip
    _write(place.home / ".codex/config.toml", "\n".join(rows))


def _configure_gemini(place: Place) -> None:
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False},
    }
    _write(place.home / ".gemini/settings.json", json.dumps(settings))


def _configure_opencode(place: Place) -> None:
    models = {"mock": {"name": "mock", "limit": {"context": 100_000, "output": 8_000}}}
    options = {"baseURL": f"{place.url}/v1", "apiKey": _KEY}
    provider = {
        "mock": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "mock",
            "options": options,
            "models": models,
        }
    }
    settings = {
        "model": "mock/mock",
        "small_model": "mock/mock",
        "provider": provider,
        "autoupdate": False,
    }
    user = place.home / ".config/opencode"
    _write(user / "opencode.json", json.dumps(settings))
    # Before it loads a plugin, opencode installs this package next to it.
    lock = {"packages": {"": {"dependencies": {"@opencode-ai/plugin": "*"}}}}
    for folder in (user, place.root / ".opencode"):
        (folder / "node_modules").mkdir(parents=True)
        _write(folder / "package-lock.json", json.dumps(lock))


def _claude_environ(place: Place) -> Mapping[str, str]:
    return {
        "ANTHROPIC_BASE_URL": place.url, "ANTHROPIC_API_KEY": _KEY, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1", "MCP_CONNECTION_NONBLOCKING": "false",
    }  # fmt: skip


def _gemini_environ(place: Place) -> Mapping[str, str]:
    return {
        "GEMINI_API_KEY": _KEY, "GOOGLE_GEMINI_BASE_URL": place.url, "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_MODEL": "gemini-2.5-pro",
    }  # fmt: skip


def _qwen_environ(place: Place) -> Mapping[str, str]:
    return {
        "OPENAI_API_KEY": _KEY,
        "OPENAI_BASE_URL": f"{place.url}/v1",
        "OPENAI_MODEL": "mock",
    }


def _copilot_environ(place: Place) -> Mapping[str, str]:
    return {
        "COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_BASE_URL": place.url, "COPILOT_PROVIDER_TYPE": "anthropic",
        "COPILOT_PROVIDER_API_KEY": _KEY, "COPILOT_MODEL": "claude-sonnet-4.5", "COPILOT_AUTO_UPDATE": "false",
        "COPILOT_ALLOW_ALL": "true",
    }  # fmt: skip


def _own(tool: str, **arguments: str) -> Call:
    return Call(tool, arguments, is_own=True)


_TASK = {"description": "Count the lines", "prompt": "{task}"}
_CODEX = (
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-bypass-hook-trust",
)
_CLAUDE = ("--allowedTools", "mcp__cuedeck")
PROGRAMS: Sequence[Program] = (
    Program(
        "claude", "claude", _claude_environ, _no_setup, ("-p", "{}", *_CLAUDE), ("--continue", "-p", "{}", *_CLAUDE),
        _own("Read", file_path="{file}"), _own("Agent", **_TASK, subagent_type="general-purpose"), compact="/compact",
    ),
    Program(
        "codex", "codex", lambda place: {"MOCK_KEY": _KEY}, _trust_codex, ("exec", *_CODEX, "{}"),
        ("exec", "resume", "--last", *_CODEX, "{}"), _own("exec_command", cmd="cat {file}"),
        _own("spawn_agent", message="{task}"), (_own("exec_command", cmd="sleep 5"),), full=150_000,
    ),
    Program(
        "gemini", "gemini", _gemini_environ, _configure_gemini, ("--yolo", "-p", "{}"),
        ("--yolo", "-r", "latest", "-p", "{}"), _own("read_file", file_path="{file}"),
        _own("invoke_agent", agent_name="generalist", prompt="{task}"), full=900_000,
    ),
    Program(
        "qwen", "qwen", _qwen_environ, _no_setup, ("--auth-type", "openai", "--yolo", "-p", "{}"),
        ("--auth-type", "openai", "--yolo", "--continue", "-p", "{}"), _own("read_file", file_path="{file}"),
        _own("agent", **_TASK, subagent_type="general-purpose"), full=170_000, is_long_summary=True,
    ),
    Program(
        "copilot", "copilot", _copilot_environ, _no_setup, ("-p", "{}"), ("--continue", "-p", "{}"),
        _own("view", path="{file}"),
        _own("task", **_TASK, name="count", agent_type="general-purpose", mode="sync"),
    ),
    Program(
        "opencode", "opencode", lambda place: {}, _configure_opencode, ("run", "{}"), ("run", "--continue", "{}"),
        _own("read", filePath="{file}"), _own("task", **_TASK, subagent_type="general"), full=98_000,
    ),
)  # fmt: skip
