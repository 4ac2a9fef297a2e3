"""Transcripts of setup: a host is connected, checked, and disconnected."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from sandbox import Sandbox, fields

FINDING = ("check", "level", "path", "line", "code", "message", "hint")


@pytest.fixture
def machine(sandbox: Sandbox) -> Sandbox:
    """A workspace on a machine with the program on PATH and no configured host."""
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


def trust_all(machine: Sandbox) -> None:
    """Write the settings of Codex after the user has trusted the project and
    its hooks.
    """
    events = (
        "session_start",
        "user_prompt_submit",
        "pre_compact",
        "post_tool_use",
        "stop",
        "session_end",
    )
    place = machine.place(".codex/hooks.json")
    rows = [
        f'[hooks.state."{place}:{event}:0:0"]\ntrusted_hash = "sha256:0"\n'
        for event in events
    ]
    trusted = f'[projects."{machine.root}"]\ntrust_level = "trusted"\n' + "".join(rows)
    machine.write(f"{machine.environ['HOME']}/.codex/config.toml", trusted)


def test_host_is_previewed_connected_checked_and_removed(machine: Sandbox) -> None:
    machine.write("AGENTS.md", "# Rules")
    before = machine.bytes()
    shown = machine.ok("setup", "codex", "--dry-run").out
    assert "+++ .codex/hooks.json\n" in shown
    assert "+[mcp_servers.cuedeck]\n" in shown
    assert machine.bytes() == before
    done = machine.ok("setup", "codex").out
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
        f"Next: start codex in {machine.root} and trust the project; at `Hooks need review` choose `Trust all`; "
        "until then no hook runs\n"
    )
    once = machine.bytes()
    assert machine.ok("setup", "codex").out.count("unchanged") == 3
    assert machine.bytes() == once
    untrusted = machine.run("setup", "codex", "--check")
    assert (
        untrusted.code == 1 and "Codex does not trust these hooks yet" in untrusted.out
    )
    trust_all(machine)
    assert machine.ok("setup", "codex", "--check").out.endswith(
        "\ncodex: no problems found\n"
    )
    assert machine.ok("setup", "codex", "--dry-run").out == "nothing would change\n"
    assert (
        "-[mcp_servers.cuedeck]\n"
        in machine.ok("setup", "codex", "--remove", "--dry-run").out
    )
    assert machine.ok("setup", "codex", "--remove").out.startswith(
        "FILE                DONE\n.codex/hooks.json   deleted\n"
    )
    assert machine.bytes() == before
    assert not machine.place(".codex").exists()


def test_a_removal_that_changes_nothing_names_no_next_step(machine: Sandbox) -> None:
    assert machine.answer("setup", "codex", "--remove")["next"] == ""
    assert "Next:" not in machine.ok("setup", "codex", "--remove").out
    machine.ok("setup", "codex")
    assert machine.answer("setup", "codex", "--remove")["next"]


def test_setup_answers_in_json(machine: Sandbox) -> None:
    answer = machine.answer("setup", "claude")
    names = ["schema", "host", "dry_run", "files", "next", "capture", "findings"]
    fields(answer, names)
    assert [each["state"] for each in answer["files"]] == ["created"] * 3
    shown = machine.answer("setup", "claude", "--remove", "--dry-run")
    fields(shown["files"][0], ["path", "state", "diff"])
    seen = machine.answer("setup", "claude", "--check")
    fields(seen, ["schema", "host", "healthy", "findings", "files"])
    assert seen["healthy"]
    assert seen["files"][0] == {"path": ".claude/settings.json", "state": "right"}


def test_problems_are_reported_with_place_and_exit_code(machine: Sandbox) -> None:
    machine.ok("setup", "claude")
    settings = machine.place(".claude/settings.json")
    value = json.loads(settings.read_text())
    machine.write(
        ".claude/settings.local.json",
        json.dumps({"disableAllHooks": True, "hooks": value["hooks"]}),
    )
    answer = machine.answer("setup", "claude", "--check", code=1)
    assert [
        (each["code"], each["path"], each["line"]) for each in answer["findings"]
    ] == [
        ("double-hook", ".claude/settings.local.json", 0),
        ("switched-off", ".claude/settings.local.json", 1),
    ]
    fields(answer["findings"][0], FINDING)
    report = machine.run("setup", "claude", "--check")
    assert report.code == 1
    assert (
        "error    .claude/settings.local.json:1  all hooks are switched off"
        in report.out
    )


def test_broken_file_stops_setup_with_its_line(machine: Sandbox) -> None:
    machine.write(".cursor/mcp.json", '{\n  "mcpServers": {\n}\n')
    before = machine.bytes()
    ran = machine.run("setup", "cursor")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        "error: .cursor/mcp.json: line 4: not valid JSON: a comma or `}` is missing\n"
        "hint: repair the file by hand; nothing was changed\n"
    )
    assert machine.bytes() == before


def test_invalid_options_are_usage_errors(sandbox: Sandbox) -> None:
    unknown = sandbox.answer("setup", "emacs", code=2)
    assert unknown["error"]["candidates"] == [
        "claude", "codex", "cursor", "gemini", "qwen", "vscode", "opencode", "agents",
    ]  # fmt: skip
    assert sandbox.run("setup", "claude", "--check", "--remove").code == 2
    assert sandbox.run("setup").code == 2
    assert sandbox.run("setup", "claude", cwd=sandbox.root.parent).code == 3


def test_all_hosts_can_be_set_up_together(machine: Sandbox) -> None:
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
    machine.write("AGENTS.md", "# Rules\r\n")
    os.symlink("AGENTS.md", machine.place("CLAUDE.md"))
    before = machine.bytes()
    for host in hosts:
        machine.ok("setup", host)
    trust_all(machine)
    assert machine.place("AGENTS.md").read_text().count("BEGIN CUEDECK") == 1
    for host in hosts:
        answer = machine.answer("setup", host, "--check")
        assert [each["code"] for each in answer["findings"]] == (
            ["double-hook"] if host == "cursor" else []
        )
    for host in hosts:
        machine.ok("setup", host, "--remove")
    assert machine.bytes() == before


def test_program_missing_on_path_is_reported_at_once(machine: Sandbox) -> None:
    ran = machine.run("setup", "gemini", environ={"PATH": "/nowhere"})
    assert ran.code == 1
    assert "`cuedeck` is not found on PATH" in ran.out


def test_secrets_in_host_files_are_masked(machine: Sandbox) -> None:
    token = "ghp_" + "a1B2" * 9
    machine.write(
        ".mcp.json",
        f'{{\n  "mcpServers": {{\n    "x": {{"env": {{"TOKEN": "{token}"}}}}\n  }}\n}}\n',
    )
    assert token not in machine.ok("setup", "claude", "--dry-run").out
    machine.ok("setup", "claude")
    assert token in machine.place(".mcp.json").read_text()


def test_full_disk_leaves_every_host_file_unchanged(machine: Sandbox) -> None:
    machine.write("CLAUDE.md", "x" * 30_000)
    before = machine.bytes()
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, 16_384)); "
    limited += "from cuedeck.__main__ import main; sys.argv = ['cuedeck', 'setup', 'claude']; sys.exit(main())"
    # With bytecode files, the limit would leave truncated modules.
    environ = {**machine.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", limited],
        cwd=machine.root,
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 1, ran
    assert "hint: nothing was changed" in ran.stderr
    assert machine.bytes() == before
    assert not machine.place(".claude").exists()


def test_removal_reports_an_unreadable_file_and_restores_the_others(
    machine: Sandbox,
) -> None:
    machine.ok("setup", "claude")
    machine.write("CLAUDE.md", "<!-- BEGIN CUEDECK v:1 -->\n")
    ran = machine.run("setup", "claude", "--remove")
    assert ran.code == 1
    assert "CLAUDE.md              failed\n" in ran.out
    assert "error    CLAUDE.md:1  the block of CueDeck is not closed" in ran.out
    assert not machine.place(".mcp.json").exists()


def test_next_step_from_a_subfolder_names_the_workspace_folder(
    machine: Sandbox,
) -> None:
    machine.place("src/deep").mkdir(parents=True)
    ran = machine.ok("setup", "claude", cwd=machine.place("src/deep"))
    assert f"Next: restart Claude Code in {machine.root} and " in ran.out
