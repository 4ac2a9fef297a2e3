"""Each event is handled by one hook, also where a host runs those of several files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.agents.hosts import hooks_of
from cuedeck.agents.hosts.setup_types import Form
from cuedeck.agents.setup import connect, require_host
from cuedeck.model.hook_event import EVENTS
from cuedeck.shells.hook.fast_path import is_handled_elsewhere

COPILOT = {
    "hook_event_name": "UserPromptSubmit",
    "session_id": "dd6acf78-1c81-4f62-9d24-4f47391a39e7",
    "timestamp": "2026-11-28T11:33:44.462Z",
    "cwd": "/w",
    "prompt": "Look at the timer.",
}
"""A request of Copilot CLI 1.0.102 to a hook of `.claude/settings.json`."""
COPILOT_STOP = {
    **COPILOT,
    "hook_event_name": "Stop",
    "transcript_path": "/home/me/.copilot/session-state/dd6acf78/events.jsonl",
}
CURSOR = {"conversation_id": "c", "hook_event_name": "beforeSubmitPrompt"}
CLAUDE = {
    "hook_event_name": "UserPromptSubmit",
    "session_id": "s",
    "transcript_path": "/home/me/.claude/projects/w/s.jsonl",
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "own-home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


def put(sandbox: Sandbox, *setups: tuple[str, Form]) -> None:
    for host, form in setups:
        connect(sandbox.workspace(), require_host(host), form)


def handled(
    sandbox: Sandbox,
    host: str,
    form: str,
    request: dict[str, Any],
    event: str = "prompt",
) -> bool:
    """Return whether the hook of a host leaves an event to another hook."""
    data = json.dumps(request).encode()
    root = str(sandbox.root)
    return is_handled_elsewhere(root, event, hooks_of(host), form, data)


def test_the_nearest_form_of_a_host_handles_an_event(
    sandbox: Sandbox, home: Path
) -> None:
    put(sandbox, ("claude", "user"))
    assert not handled(sandbox, "claude", "user", CLAUDE)
    put(sandbox, ("claude", "local"))
    assert handled(sandbox, "claude", "user", CLAUDE)
    assert not handled(sandbox, "claude", "local", CLAUDE)
    put(sandbox, ("claude", "project"))
    assert handled(sandbox, "claude", "user", CLAUDE)
    assert handled(sandbox, "claude", "local", CLAUDE)
    assert not handled(sandbox, "claude", "", CLAUDE)


@pytest.mark.parametrize("form", ["project", "user"])
@pytest.mark.parametrize("host", ["vscode", "copilot"])
def test_copilot_handles_an_event_by_its_own_hook(
    sandbox: Sandbox, home: Path, host: str, form: Form
) -> None:
    """With `setup claude` as well, each event came twice."""
    put(sandbox, ("claude", "project"))
    for request in (COPILOT, COPILOT_STOP):
        assert not handled(sandbox, "claude", "", request)
    put(sandbox, (host, form))
    for request in (COPILOT, COPILOT_STOP):
        for event in EVENTS:
            assert handled(sandbox, "claude", "", request, event)
            named = form if form == "user" else ""
            assert not handled(sandbox, "vscode", named, request, event)
    assert not handled(sandbox, "claude", "", CLAUDE)


def test_cursor_handles_an_event_by_its_own_hook(sandbox: Sandbox, home: Path) -> None:
    put(sandbox, ("claude", "project"), ("cursor", "project"))
    assert handled(sandbox, "claude", "", CURSOR)
    assert not handled(sandbox, "cursor", "", CURSOR)


def test_the_home_folder_as_a_workspace_has_one_hook_for_an_event(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(sandbox.root))
    put(sandbox, ("claude", "user"))
    assert not handled(sandbox, "claude", "user", CLAUDE)
