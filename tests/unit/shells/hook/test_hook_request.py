"""Requests of each host are parsed, with or without a host name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cuedeck.agents.hosts import hook_hosts
from cuedeck.model.hook_event import EVENTS
from cuedeck.shells.hook.hook_request import parse, tool_files

BEGIN = "*** Begin Patch\n"
SHAPES = Path(__file__).parents[3] / "transcripts/hosts"
MOMENTS = [
    (host, moment, *value)
    for host in hook_hosts()
    if host != "opencode"  # its plugin names the host
    for moment, value in json.loads((SHAPES / f"{host}.json").read_text()).items()
]


@pytest.mark.parametrize(("host", "moment", "event", "recorded"), MOMENTS)
def test_recorded_requests_identify_their_host(
    host: str, moment: str, event: str, recorded: dict[str, Any]
) -> None:
    answer = parse(json.dumps(recorded).encode(), event, "")
    assert (answer.host, answer.event, answer.folder) == (host, event, "{root}")
    assert answer.session and answer.transcript and event in EVENTS and answer.is_main
    assert parse(json.dumps(recorded).encode(), event, "codex").host == "codex"
    if event == "prompt":
        assert answer.prompt
    if moment in ("read", "write"):
        assert answer.role == moment and answer.files[0].endswith(
            ("docs/security.md", "src/auth.py")
        )
    elif event == "post-tool":
        assert (answer.role, answer.files) == ("", ())


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("Read", {"file_path": "/a.py"}, ("read", ("/a.py",))),
        ("MultiEdit", {"file_path": "/a.py", "edits": [{"old_string": "x"}]}, ("write", ("/a.py",))),
        ("NotebookEdit", {"notebook_path": "/a.ipynb"}, ("write", ("/a.ipynb",))),
        ("read_many_files", {"include": ["a.py", "b.py", 7]}, ("read", ("a.py", "b.py"))),
        ("multi_replace_string_in_file", {"replacements": [{"filePath": "a.py"}]}, ("write", ("a.py",))),
        ("str_replace_editor", {"command": "view", "path": "a.py"}, ("read", ("a.py",))),
        ("apply_patch", {"input": f"{BEGIN}*** Add File: a b\n+x\n*** Delete File: c\n"}, ("write", ("a b", "c"))),
        ("apply_patch", {"patchText": f"{BEGIN}*** Add File: a\n+x\n"}, ("write", ("a",))),
        ("apply_patch", {"command": ["p", f"{BEGIN}*** Update File: a\n*** Move to: b\n"]}, ("write", ("a", "b"))),
        ("Bash", {"command": "cat a.py"}, ("", ())),
        ("Grep", {"path": "src"}, ("", ())),
        ("Read", None, ("", ())), ("Read", {"file_path": 7}, ("", ())), ("Read", {"file_path": "a\0b"}, ("", ())),
        ("", {"file_path": "a"}, ("", ())),
    ],
)  # fmt: skip
def test_tools_name_their_files(
    name: str, value: Any, found: tuple[str, tuple[str, ...]]
) -> None:
    assert tool_files(name, value) == found


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ({"command": "sed -n '1,20p' src/a.py | head -3"}, ["src/a.py"]),
        ({"command": "cat src/a.py 'b c.md' >out.txt"}, ["src/a.py", "b c.md"]),
        ({"command": ["bash", "-lc", "cd src && cat a.py"]}, ["src/a.py"]),
        ({"cmd": "head -3 a.py", "workdir": "src"}, ["src/a.py"]),
        ({"command": "rg TODO src; ls -la; cat missing.py"}, []),
        ({"command": "echo 'never closed src/a.py"}, []),
        ({"command": "cat src/a.py " + "x" * 5_000}, []),
        ({"command": "cat a\0b"}, []), ({"command": 7}, []), ({}, []),
    ],
)  # fmt: skip
def test_a_command_line_reads_the_files_it_names(
    tmp_path: Path, command: dict[str, Any], found: list[str]
) -> None:
    (tmp_path / "src").mkdir()
    for name in ("src/a.py", "b c.md", "out.txt"):
        (tmp_path / name).write_text("x\n")
    role, files = tool_files("Bash", command, str(tmp_path))
    assert [str(Path(each).relative_to(tmp_path)) for each in files] == found
    assert role == ("read" if found else "")


def test_hook_text_before_a_prompt_of_gemini_is_removed() -> None:
    message = {
        "prompt": "<hook_context>The brief</hook_context>\n\n<hook_context>x</hook_context>Why </hook_context>?"
    }
    assert (
        parse(json.dumps(message).encode(), "prompt", "gemini").prompt
        == "Why </hook_context>?"
    )


def test_a_prompt_of_the_host_alone_is_empty() -> None:
    for prompt in (
        "<task-notification>\nAlways run it with --force.\n</task-notification>",
        "[Request interrupted by user]",
    ):
        message = json.dumps({"prompt": prompt}).encode()
        assert parse(message, "prompt", "claude").prompt == ""


def test_a_tool_may_be_given_json_in_json_or_a_patch() -> None:
    for given in ('{"path": "a.py"}', "*** Begin Patch\n*** Update File: a.py\n"):
        answer = parse(
            json.dumps({"toolName": "edit", "toolArgs": given}).encode(),
            "post-tool",
            "",
        )
        assert (answer.host, answer.role, answer.files) == (
            "vscode",
            "write",
            ("a.py",),
        )


def test_a_subagent_is_not_the_main_session() -> None:
    answer = parse(
        b'{"session_id": "a", "agent_id": "b", "prompt": "a long enough question"}',
        "prompt",
        "claude",
    )
    assert not answer.is_main
