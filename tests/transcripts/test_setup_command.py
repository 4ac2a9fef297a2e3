"""Sessions with set-up: a host is connected, looked at, and let go again."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from sandbox import Sandbox, fields

FINDING = ("check", "level", "path", "line", "code", "message", "hint")


@pytest.fixture
def able(sandbox: Sandbox) -> Sandbox:
    """A workspace on a machine where the program is on PATH and nothing else is set
    up.
    """
    program = sandbox.root.parent / "bin/cuedeck"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    home = sandbox.root.parent / "own-home"
    home.mkdir()
    sandbox.environ |= {
        "PATH": f"{program.parent}{os.pathsep}{sandbox.environ['PATH']}",
        "HOME": str(home),
    }
    return sandbox


def trust_all(able: Sandbox) -> None:
    """Write what Codex writes when a person trusts the project and its hooks."""
    events = (
        "session_start",
        "user_prompt_submit",
        "pre_compact",
        "post_tool_use",
        "stop",
        "session_end",
    )
    place = able.place(".codex/hooks.json")
    rows = [
        f'[hooks.state."{place}:{event}:0:0"]\ntrusted_hash = "sha256:0"\n'
        for event in events
    ]
    trusted = f'[projects."{able.root}"]\ntrust_level = "trusted"\n' + "".join(rows)
    able.write(f"{able.environ['HOME']}/.codex/config.toml", trusted)


def test_from_a_dry_run_to_a_connected_host_and_back(able: Sandbox) -> None:
    able.write("AGENTS.md", "# Rules")
    before = able.bytes()
    shown = able.ok("setup", "codex", "--dry-run").out
    assert "+++ .codex/hooks.json\n" in shown
    assert "+[mcp_servers.cuedeck]\n" in shown
    assert able.bytes() == before
    done = able.ok("setup", "codex").out
    assert done.startswith(
        "FILE                DONE\n"
        ".codex/hooks.json   created\n"
        ".codex/config.toml  created\n"
        "AGENTS.md           added\n"
        "\n"
    )
    assert (
        "  Codex does not trust these hooks yet and runs none of them: SessionStart, "
        in done
    )
    assert done.endswith(
        f"Next: start codex in {able.root} and trust the project; at `Hooks need review` choose `Trust all`; "
        "until then no hook runs\n"
    )
    once = able.bytes()
    assert able.ok("setup", "codex").out.count("unchanged") == 3
    assert able.bytes() == once
    untrusted = able.run("setup", "codex", "--check")
    assert (
        untrusted.code == 1 and "Codex does not trust these hooks yet" in untrusted.out
    )
    trust_all(able)
    assert able.ok("setup", "codex", "--check").out.endswith(
        "\ncodex: no problems found\n"
    )
    assert able.ok("setup", "codex", "--dry-run").out == "nothing would change\n"
    assert (
        "-[mcp_servers.cuedeck]\n"
        in able.ok("setup", "codex", "--remove", "--dry-run").out
    )
    assert able.ok("setup", "codex", "--remove").out.startswith(
        "FILE                DONE\n.codex/hooks.json   deleted\n"
    )
    assert able.bytes() == before
    assert not able.place(".codex").exists()


def test_answers_in_json(able: Sandbox) -> None:
    answer = able.answer("setup", "claude")
    fields(answer, ["schema", "host", "dry_run", "files", "next", "findings"])
    assert [each["state"] for each in answer["files"]] == ["created"] * 3
    shown = able.answer("setup", "claude", "--remove", "--dry-run")
    fields(shown["files"][0], ["path", "state", "diff"])
    seen = able.answer("setup", "claude", "--check")
    fields(seen, ["schema", "host", "healthy", "findings", "files"])
    assert seen["healthy"]
    assert seen["files"][0] == {"path": ".claude/settings.json", "state": "right"}


def test_problems_are_reported_with_place_and_exit_code(able: Sandbox) -> None:
    able.ok("setup", "claude")
    settings = able.place(".claude/settings.json")
    value = json.loads(settings.read_text())
    able.write(
        ".claude/settings.local.json",
        json.dumps({"disableAllHooks": True, "hooks": value["hooks"]}),
    )
    answer = able.answer("setup", "claude", "--check", code=1)
    assert [
        (each["code"], each["path"], each["line"]) for each in answer["findings"]
    ] == [
        ("double-hook", ".claude/settings.local.json", 0),
        ("switched-off", ".claude/settings.local.json", 1),
    ]
    fields(answer["findings"][0], FINDING)
    told = able.run("setup", "claude", "--check")
    assert told.code == 1
    assert (
        "error    .claude/settings.local.json:1  all hooks are switched off" in told.out
    )


def test_a_broken_file_stops_everything_with_its_line(able: Sandbox) -> None:
    able.write(".cursor/mcp.json", '{\n  "mcpServers": {\n}\n')
    before = able.bytes()
    ran = able.run("setup", "cursor")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        "error: .cursor/mcp.json: line 4: not valid JSON: a comma or `}` is missing\n"
        "hint: repair the file by hand; nothing was changed\n"
    )
    assert able.bytes() == before


def test_invalid_options_are_usage_errors(sandbox: Sandbox) -> None:
    unknown = sandbox.answer("setup", "emacs", code=2)
    assert unknown["error"]["candidates"] == [
        "claude", "codex", "cursor", "gemini", "qwen", "vscode", "opencode", "agents",
    ]  # fmt: skip
    assert sandbox.run("setup", "claude", "--check", "--remove").code == 2
    assert sandbox.run("setup").code == 2
    assert sandbox.run("setup", "claude", cwd=sandbox.root.parent).code == 3


def test_all_hosts_can_be_set_up_together(able: Sandbox) -> None:
    hosts = (
        "claude",
        "codex",
        "gemini",
        "cursor",
        "vscode",
        "qwen",
        "opencode",
        "agents",
    )
    able.write("AGENTS.md", "# Rules\r\n")
    os.symlink("AGENTS.md", able.place("CLAUDE.md"))
    before = able.bytes()
    for host in hosts:
        able.ok("setup", host)
    trust_all(able)
    assert able.place("AGENTS.md").read_text().count("BEGIN CUEDECK") == 1
    for host in hosts:
        answer = able.answer("setup", host, "--check")
        assert [each["code"] for each in answer["findings"]] == (
            ["double-hook"] if host == "cursor" else []
        )
    for host in hosts:
        able.ok("setup", host, "--remove")
    assert able.bytes() == before


def test_a_program_missing_on_path_is_reported_at_once(able: Sandbox) -> None:
    ran = able.run("setup", "gemini", environ={"PATH": "/nowhere"})
    assert ran.code == 1
    assert "`cuedeck` is not found on PATH" in ran.out


def test_secrets_in_the_files_of_hosts_are_masked(able: Sandbox) -> None:
    token = "ghp_" + "a1B2" * 9
    able.write(
        ".mcp.json",
        f'{{\n  "mcpServers": {{\n    "x": {{"env": {{"TOKEN": "{token}"}}}}\n  }}\n}}\n',
    )
    assert token not in able.ok("setup", "claude", "--dry-run").out
    able.ok("setup", "claude")
    assert token in able.place(".mcp.json").read_text()


def test_a_disk_that_fills_leaves_every_file_as_it_was(able: Sandbox) -> None:
    able.write("CLAUDE.md", "x" * 30_000)
    before = able.bytes()
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, 16_384)); "
    limited += "from cuedeck.__main__ import main; sys.argv = ['cuedeck', 'setup', 'claude']; sys.exit(main())"
    environ = {
        **able.environ,
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # a module would be kept cut at the limit
    ran = subprocess.run(
        [sys.executable, "-c", limited],
        cwd=able.root,
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 1, ran
    assert "hint: nothing was changed" in ran.stderr
    assert able.bytes() == before
    assert not able.place(".claude").exists()


def test_removal_reports_an_unreadable_file_and_restores_the_others(
    able: Sandbox,
) -> None:
    able.ok("setup", "claude")
    able.write("CLAUDE.md", "<!-- BEGIN CUEDECK v:1 -->\n")
    ran = able.run("setup", "claude", "--remove")
    assert ran.code == 1
    assert "CLAUDE.md              failed\n" in ran.out
    assert "error    CLAUDE.md:1  the block of CueDeck is not closed" in ran.out
    assert not able.place(".mcp.json").exists()


def test_from_a_folder_below_the_next_step_names_the_folder_of_the_workspace(
    able: Sandbox,
) -> None:
    able.place("src/deep").mkdir(parents=True)
    ran = able.ok("setup", "claude", cwd=able.place("src/deep"))
    assert f"Next: restart Claude Code in {able.root} and " in ran.out
