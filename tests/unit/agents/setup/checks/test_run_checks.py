"""The checks find every problem that keeps a connected host from working."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.agents.hosts import all_hosts
from cuedeck.agents.setup import connect, examine, require_host
from cuedeck.model.errors import Invalid, StorageError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate home folder, and the program on PATH."""
    folder = tmp_path / "home"
    program = tmp_path / "bin/cuedeck"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


def write(place: Path, content: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(content)


def findings_of(sandbox: Sandbox, host: str) -> list[tuple[str, str, str, int]]:
    answer = examine(sandbox.workspace(), require_host(host))
    assert answer["healthy"] == all(
        each["level"] == "info" for each in answer["findings"]
    )
    return [
        (each["level"], each["code"], each["path"], each["line"])
        for each in answer["findings"]
    ]


def joined(sandbox: Sandbox, host: str) -> Sandbox:
    """Connect a host; a person trusts the project and its hooks in Codex."""
    connect(sandbox.workspace(), require_host(host))
    if host == "codex":
        write(Path.home() / ".codex/config.toml", trusting(sandbox))
    return sandbox


def trusting(sandbox: Sandbox) -> str:
    """Return the settings that Codex writes when a person trusts the project and its
    hooks.
    """
    events = (
        "session_start",
        "subagent_start",
        "user_prompt_submit",
        "pre_compact",
        "post_tool_use",
        "stop",
        "session_end",
    )
    place = sandbox.place(".codex/hooks.json")
    rows = [
        f'[hooks.state."{place}:{event}:0:0"]\ntrusted_hash = "sha256:0"\n'
        for event in events
    ]
    return f'[projects."{sandbox.root.parent}"]\ntrust_level = "trusted"\n' + "".join(
        rows
    )


HOOK: dict[str, Any] = {
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "/x/cuedeck hook stop"}]}]
    }
}


@pytest.mark.parametrize("host", [host.name for host in all_hosts()])
def test_a_new_setup_is_healthy(sandbox: Sandbox, home: Path, host: str) -> None:
    answer = examine(joined(sandbox, host).workspace(), require_host(host))
    assert (answer["healthy"], answer["findings"]) == (True, [])
    assert {each["state"] for each in answer["files"]} == {"right"}
    assert ("--user" in answer["next"]) is (host != "agents")


def test_a_missing_setup_is_reported_per_file(sandbox: Sandbox, home: Path) -> None:
    assert findings_of(sandbox, "gemini") == [
        ("error", "missing-entry", ".gemini/settings.json", 0),
        ("error", "missing-entry", "GEMINI.md", 0),
    ]


def test_a_stale_marker_and_changed_entries_are_found(
    sandbox: Sandbox, home: Path
) -> None:
    joined(sandbox, "claude")
    connect(sandbox.workspace(), require_host("claude"), "user")
    block, server = sandbox.place("CLAUDE.md"), home / ".claude.json"
    block.write_text("# A\n" + block.read_text().replace("v:1", "v:0"))
    server.write_text(server.read_text().replace('"mcp"', '"serve"'))
    assert [each for each in findings_of(sandbox, "claude") if each[0] != "info"] == [
        ("error", "stale-block", "CLAUDE.md", 2),
        ("error", "other-program", "~/.claude.json", 3),
    ]


def test_a_broken_file_is_a_finding_with_its_line(sandbox: Sandbox, home: Path) -> None:
    joined(sandbox, "codex")
    sandbox.write(".codex/hooks.json", "{\n\n]")
    assert findings_of(sandbox, "codex") == [
        ("error", "broken-file", ".codex/hooks.json", 3)
    ]


@pytest.mark.parametrize(
    ("host", "path", "content"),
    [
        ("claude", ".claude/settings.json", '{"hooks": []}'),
        ("claude", ".claude/settings.json", '{"hooks": null}'),
        ("claude", ".claude/settings.json", "[]"),
        ("claude", ".claude/settings.json", '{"hooks": {}, "hooks": {}}'),
        ("claude", ".claude/settings.json", '{"hooks": {"Stop": {}}}'),
        ("gemini", ".gemini/settings.json", "[]"),
        ("claude", ".claude", "a file"),
        ("cursor", ".cursor/rules", "a file"),
    ],
)
def test_a_file_that_set_up_would_refuse_has_no_set_up_hint(
    sandbox: Sandbox, home: Path, host: str, path: str, content: str
) -> None:
    """The check reported the file as missing and suggested `cuedeck setup`, and a dry
    run did not notice a file in place of a folder.
    """
    sandbox.write(path, content)
    answer = examine(sandbox.workspace(), require_host(host))
    (finding,) = (each for each in answer["findings"] if each["code"] == "broken-file")
    assert finding["path"].startswith(path) and "cuedeck setup" not in finding["hint"]
    assert "broken" in {each["state"] for each in answer["files"]}
    for dry_run in (True, False):
        with pytest.raises((Invalid, StorageError)) as error:
            connect(sandbox.workspace(), require_host(host), dry_run=dry_run)
        assert error.value.message.endswith(finding["message"])


def test_a_link_that_leaves_is_a_finding(sandbox: Sandbox, home: Path) -> None:
    os.symlink("/", sandbox.place("CLAUDE.md"))
    assert findings_of(sandbox, "claude") == [("error", "link", ".", 0)]


def test_the_same_hook_twice_in_one_file_is_found(sandbox: Sandbox, home: Path) -> None:
    joined(sandbox, "cursor")
    hooks = json.loads(sandbox.place(".cursor/hooks.json").read_text())
    hooks["hooks"]["stop"].append({"command": "cuedeck hook stop"})
    sandbox.write(".cursor/hooks.json", json.dumps(hooks, indent=2))
    assert [each[:3] for each in findings_of(sandbox, "cursor")] == [
        ("error", "stale-entry", ".cursor/hooks.json"),
        ("error", "double-hook", ".cursor/hooks.json"),
    ]


@pytest.mark.parametrize(
    ("host", "path"),
    [
        ("claude", "~/.claude/settings.json"),
        ("claude", ".claude/settings.local.json"),
        ("codex", "~/.codex/hooks.json"),
        ("gemini", "~/.gemini/settings.json"),
        ("vscode", ".github/hooks/other.json"),
        ("vscode", "~/.copilot/hooks/other.json"),
    ],
)
def test_the_same_hooks_in_a_second_file_are_found(
    sandbox: Sandbox, home: Path, host: str, path: str
) -> None:
    joined(sandbox, host)
    write(
        home / path[2:] if path.startswith("~") else sandbox.place(path),
        json.dumps(HOOK),
    )
    assert findings_of(sandbox, host) == [("error", "double-hook", path, 0)]


def test_hooks_in_the_toml_of_codex_count_too(sandbox: Sandbox, home: Path) -> None:
    joined(sandbox, "codex")
    text = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "cuedeck hook stop"\n'
    text += trusting(sandbox)
    write(home / ".codex/config.toml", text)
    assert findings_of(sandbox, "codex") == [
        ("error", "double-hook", "~/.codex/config.toml", 0)
    ]


def test_hooks_shared_with_another_host_are_reported(
    sandbox: Sandbox, home: Path
) -> None:
    joined(joined(sandbox, "claude"), "cursor")
    shared = [("info", "double-hook", ".claude/settings.json", 0)]
    assert findings_of(sandbox, "cursor") == shared
    (finding,) = examine(sandbox.workspace(), require_host("cursor"))["findings"]
    assert finding["message"].endswith(
        "each event is handled once, by .cursor/hooks.json"
    )
    joined(sandbox, "vscode")
    assert findings_of(sandbox, "vscode") == []
    sandbox.write(".vscode/settings.json", '{"chat.useClaudeHooks": true, /* c */}')
    assert findings_of(sandbox, "vscode") == shared
    assert findings_of(joined(sandbox, "copilot"), "copilot") == shared


@pytest.mark.parametrize(
    ("host", "path", "content", "line"),
    [
        ("claude", ".claude/settings.local.json", '{\n"disableAllHooks": true}', 2),
        ("claude", "~/.claude/settings.json", '{"disableAllHooks": true}', 1),
        (
            "claude",
            ".claude/settings.local.json",
            '{"disabledMcpjsonServers": ["cuedeck"]}',
            1,
        ),
        ("gemini", "~/.gemini/settings.json", '{"hooksConfig": {"enabled": false}}', 1),
        (
            "gemini",
            "~/.gemini/settings.json",
            '{"hooksConfig": {"disabled": ["cuedeck-stop"]}}',
            1,
        ),
        ("gemini", "~/.gemini/settings.json", '{"mcp": {"allowed": ["other"]}}', 1),
        ("vscode", ".vscode/settings.json", '{"chat.useHooks": false}', 1),
        ("qwen", ".qwen/settings.json", '{\n"disableAllHooks": true}', 2),
        ("opencode", "opencode.json", '{"mcp": {"cuedeck": {"enabled": false}}}', 1),
        (
            "vscode",
            ".vscode/settings.json",
            '{"chat.hookFilesLocations": {".github/hooks": false}}',
            1,
        ),
    ],
)
def test_disabled_hooks_and_servers_are_found(
    sandbox: Sandbox, home: Path, host: str, path: str, content: str, line: int
) -> None:
    write(home / path[2:] if path.startswith("~") else sandbox.place(path), content)
    joined(sandbox, host)
    assert [each for each in findings_of(sandbox, host) if each[0] != "info"] == [
        ("error", "switched-off", path, line)
    ]


@pytest.mark.parametrize(
    ("host", "path", "content", "code"),
    [
        ("codex", ".codex/config.toml", "[features]\nhooks = false\n", "switched-off"),
        (
            "codex",
            ".codex/config.toml",
            '[mcp_servers.cuedeck]\ncommand = "x"\nenabled = false\n',
            "switched-off",
        ),
        (
            "claude",
            ".claude/settings.json",
            '{"disableAllHooks": true}',
            "switched-off",
        ),
        (
            "claude",
            "~/.claude/settings.json",
            '{"disableAllHooks": true}',
            "switched-off",
        ),
        ("claude", ".claude/settings.local.json", json.dumps(HOOK), "double-hook"),
        ("codex", "AGENTS.override.md", "mine\n", "read-instead"),
    ],
)
def test_set_up_reports_the_findings_of_a_check(
    sandbox: Sandbox, home: Path, host: str, path: str, content: str, code: str
) -> None:
    """Set-up once wrote hooks that no host runs, or that run twice, in silence."""
    write(home / path[2:] if path.startswith("~") else sandbox.place(path), content)
    ahead = connect(sandbox.workspace(), require_host(host), dry_run=True)["findings"]
    answer = [
        each
        for each in connect(sandbox.workspace(), require_host(host))["findings"]
        if each["check"] != "replaced"
    ]
    assert answer == examine(sandbox.workspace(), require_host(host))["findings"]
    assert code in {each["code"] for each in answer if each["level"] == "error"}
    assert (code in {each["code"] for each in ahead}) is (code == "switched-off")


def test_the_nearest_settings_decide(sandbox: Sandbox, home: Path) -> None:
    joined(sandbox, "claude")
    write(home / ".claude/settings.json", '{"disableAllHooks": true}')
    sandbox.write(".claude/settings.local.json", '{"disableAllHooks": false}')
    assert findings_of(sandbox, "claude") == []


def test_a_server_of_another_workspace_is_found(sandbox: Sandbox, home: Path) -> None:
    joined(sandbox, "claude")
    entry = {"command": "cuedeck", "args": ["mcp", "-C", "/elsewhere"]}
    write(
        home / ".claude.json",
        json.dumps(
            {"projects": {str(sandbox.root): {"mcpServers": {"cuedeck": entry}}}}
        ),
    )
    assert findings_of(sandbox, "claude") == [
        ("error", "other-workspace", "~/.claude.json", 1)
    ]
    (home / ".claude.json").unlink()
    sandbox.write(
        ".mcp.json",
        json.dumps({"mcpServers": {"cuedeck": {**entry, "cwd": "."}}}, indent=1),
    )
    assert findings_of(sandbox, "claude") == [
        ("error", "other-workspace", ".mcp.json", 3)
    ]


def test_a_moved_home_of_a_host_is_looked_into(
    sandbox: Sandbox, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined(sandbox, "claude")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "moved"))
    write(home / "moved/settings.json", json.dumps(HOOK))
    assert findings_of(sandbox, "claude") == [
        ("error", "double-hook", "~/.claude/settings.json", 0)
    ]


def test_a_folder_untrusted_by_codex_is_reported(sandbox: Sandbox, home: Path) -> None:
    joined(sandbox, "codex")
    (home / ".codex/config.toml").unlink()
    absent = findings_of(sandbox, "codex")
    assert ("info", "not-trusted", "~/.codex/config.toml", 0) in absent
    assert ("warning", "hooks-not-trusted", "~/.codex/config.toml", 0) in absent
    write(home / ".codex/config.toml", 'model = "x"\n')
    assert ("info", "not-trusted", "~/.codex/config.toml", 0) in findings_of(
        sandbox, "codex"
    )
    write(home / ".codex/config.toml", trusting(sandbox))
    assert findings_of(sandbox, "codex") == []


def test_hooks_untrusted_by_codex_are_reported_with_a_hint(
    sandbox: Sandbox, home: Path
) -> None:
    """No hook ran, but the check reported no problem."""
    sandbox.write(
        ".codex/hooks.json",
        '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "bell"}]}]}}',
    )
    joined(sandbox, "codex")
    workspace = f'[projects."{sandbox.root}"]\ntrust_level = "trusted"\n'
    write(home / ".codex/config.toml", workspace)
    assert findings_of(sandbox, "codex") == [
        ("warning", "hooks-not-trusted", "~/.codex/config.toml", 0)
    ]
    (finding,) = examine(sandbox.workspace(), require_host("codex"))["findings"]
    assert "`Trust all`" in finding["hint"] and "SessionStart" in finding["message"]
    write(home / ".codex/config.toml", trusting(sandbox))
    (finding,) = examine(sandbox.workspace(), require_host("codex"))["findings"]
    assert finding["message"].endswith(
        "runs none of them: Stop"
    )  # the first group is another one's
    write(
        home / ".codex/config.toml", trusting(sandbox).replace(":stop:0:0", ":stop:1:0")
    )
    assert findings_of(sandbox, "codex") == []


def test_a_missing_program_is_reported_with_a_hint(
    sandbox: Sandbox, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined(sandbox, "claude")
    monkeypatch.setenv("PATH", str(home))
    (finding,) = examine(sandbox.workspace(), require_host("claude"))["findings"]
    assert finding["code"] == "missing-program"
    assert "`pipx install .` in a checkout" in finding["hint"]
    assert "install cuedeck" not in finding["hint"]
    assert connect(sandbox.workspace(), require_host("claude"))["findings"] == [finding]


def test_looking_writes_nothing(sandbox: Sandbox, home: Path) -> None:
    before = sandbox.bytes()
    findings_of(sandbox, "claude")
    assert sandbox.bytes() == before


def test_a_hook_of_a_person_in_an_own_group_and_a_program_by_its_place_are_no_error(
    sandbox: Sandbox, home: Path
) -> None:
    joined(sandbox, "claude")
    program = str(home.parent / "bin/cuedeck")
    entry = {"command": program, "args": ["mcp"]}
    sandbox.write(".mcp.json", json.dumps({"mcpServers": {"cuedeck": entry}}))
    text = sandbox.place(".claude/settings.json").read_text()
    settings = json.loads(text.replace("&& cuedeck hook", f"&& {program} hook"))
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "bell"})
    sandbox.write(".claude/settings.json", json.dumps(settings))
    assert findings_of(sandbox, "claude") == []
    states = [
        each["state"]
        for each in connect(sandbox.workspace(), require_host("claude"))["files"]
    ]
    assert states == ["unchanged"] * 2
    assert "server" not in examine(sandbox.workspace(), require_host("claude"))["next"]


def test_a_missing_program_of_a_hook_is_reported(sandbox: Sandbox, home: Path) -> None:
    joined(sandbox, "codex")
    hooks = sandbox.place(".codex/hooks.json")
    hooks.write_text(
        hooks.read_text().replace("&& cuedeck hook", "&& /gone/cuedeck hook")
    )
    (finding,) = examine(sandbox.workspace(), require_host("codex"))["findings"]
    assert (finding["code"], finding["level"]) == ("missing-program", "error")
    assert finding["message"].startswith("the program `/gone/cuedeck` is missing")


def test_a_pipe_is_a_finding(sandbox: Sandbox, home: Path) -> None:
    joined(sandbox, "claude")
    sandbox.place("CLAUDE.md").unlink()
    os.mkfifo(sandbox.place("CLAUDE.md"))
    assert findings_of(sandbox, "claude") == [("error", "broken-file", "CLAUDE.md", 0)]
