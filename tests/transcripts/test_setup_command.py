"""Transcripts of setup: a host is connected, checked, and disconnected."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from sandbox import Sandbox, expect, fields


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
    hooks = machine.place(".codex/hooks.json")
    trusted = f'[projects."{machine.root}"]\ntrust_level = "trusted"\n'
    for event in json.loads(hooks.read_text())["hooks"]:
        name = re.sub("(?<=[a-z])(?=[A-Z])", "_", event).lower()
        trusted += f'[hooks.state."{hooks}:{name}:0:0"]\ntrusted_hash = "sha256:0"\n'
    machine.write(f"{machine.environ['HOME']}/.codex/config.toml", trusted)


def test_host_is_previewed_connected_checked_and_removed(machine: Sandbox) -> None:
    machine.write("AGENTS.md", "# Rules")
    before = machine.bytes()
    shown = machine.ok("setup codex --dry-run").out
    assert "+++ .codex/hooks.json\n" in shown and "mcp_servers" not in shown
    local = machine.ok("setup codex --local --dry-run").out
    assert "+[mcp_servers.cuedeck]\n" in local
    assert machine.bytes() == before
    done = machine.ok("setup codex").out
    head, hooks, rules, *_ = done.splitlines()
    assert (head.split(), hooks.split()) == (
        ["FILE", "DONE"],
        [".codex/hooks.json", "created"],
    )
    assert rules.split() == ["AGENTS.md", "added"]
    untrusted = "Codex does not trust these hooks yet"
    assert f"  {untrusted} and runs none of them: SessionStart, " in done
    next_step = f"Next: start codex in {machine.root} and trust the project; at `Hooks"
    assert next_step in done and "`cuedeck setup codex --user`" in done
    once = machine.bytes()
    assert machine.ok("setup codex").out.count("unchanged") == 2
    assert machine.bytes() == once
    checked = machine.run("setup codex --check")
    assert checked.code == 1 and untrusted in checked.out
    trust_all(machine)
    assert "\ncodex: no problems found\n" in machine.ok("setup codex --check").out
    assert machine.ok("setup codex --dry-run").out == "nothing would change\n"
    removal = machine.ok("setup codex --remove --dry-run").out
    assert "--- .codex/hooks.json\n" in removal
    assert ".codex/hooks.json  deleted\n" in machine.ok("setup codex --remove").out
    assert machine.bytes() == before
    assert not machine.place(".codex").exists()
    assert machine.answer("setup codex --remove")["next"] == ""
    assert "Next:" not in machine.ok("setup codex --remove").out


def test_setup_answers_in_json(machine: Sandbox) -> None:
    answer = machine.answer("setup", "claude")
    names = ["schema", "host", "form", "dry_run", "files", "next", "capture"]
    fields(answer, [*names, "findings"])
    assert [each["state"] for each in answer["files"]] == ["created"] * 2
    shown = machine.answer("setup", "claude", "--remove", "--dry-run")
    fields(shown["files"][0], ["path", "state", "diff"])
    seen = machine.answer("setup", "claude", "--check")
    fields(seen, ["schema", "host", "forms", "healthy", "findings", "files", "next"])
    assert seen["healthy"]
    assert seen["files"][0] == {"path": ".claude/settings.json", "state": "right"}


def test_problems_are_reported_with_place_and_exit_code(machine: Sandbox) -> None:
    machine.ok("setup", "claude")
    hooks = json.loads(machine.place(".claude/settings.json").read_text())["hooks"]
    place = ".claude/settings.local.json"
    switched_off = {"disableAllHooks": True, "hooks": hooks}
    machine.write(place, json.dumps(switched_off))
    answer = machine.answer("setup", "claude", "--check", code=1)
    double, off = answer["findings"]
    fields(double, "check level path line code message hint")
    expect(double, code="double-hook", path=place, line=0)
    expect(off, code="switched-off", path=place, line=1)
    report = machine.run("setup", "claude", "--check")
    assert report.code == 1
    assert f"error    {place}:1  all hooks are switched off" in report.out


def test_invalid_options_are_usage_errors(sandbox: Sandbox) -> None:
    unknown = sandbox.answer("setup", "emacs", code=2)
    assert unknown["error"]["candidates"] == [
        "claude", "codex", "copilot", "cursor", "gemini", "opencode", "qwen", "vscode", "agents",
    ]  # fmt: skip
    assert sandbox.run("setup", "claude", "--check", "--remove").code == 2
    refused = sandbox.answer("setup", "agents", "--local", code=2)
    assert "AGENTS.md, which belongs to the repository" in refused["error"]["hint"]
    assert sandbox.run("setup").code == 2
    assert sandbox.run("setup", "claude", cwd=sandbox.root.parent).code == 3


def test_all_hosts_can_be_set_up_together(machine: Sandbox) -> None:
    hosts = ("claude", "codex", "gemini", "cursor", "vscode", "copilot")
    hosts += ("qwen", "opencode", "agents")
    machine.write("AGENTS.md", "# Rules\r\n")
    os.symlink("AGENTS.md", machine.place("CLAUDE.md"))
    before = machine.bytes()
    for host in hosts:
        machine.ok("setup", host)
    trust_all(machine)
    assert machine.place("AGENTS.md").read_text().count("BEGIN CUEDECK") == 1
    for host in hosts:
        answer = machine.answer("setup", host, "--check")
        doubled = ["double-hook"] if host in ("cursor", "copilot") else []
        assert [each["code"] for each in answer["findings"]] == doubled
    for host in hosts:
        machine.ok("setup", host, "--remove")
    assert machine.bytes() == before


def test_secrets_in_host_files_are_masked(machine: Sandbox) -> None:
    token = "ghp_" + "a1B2" * 9
    machine.write(
        ".mcp.json",
        f'{{\n  "mcpServers": {{\n    "x": {{"env": {{"TOKEN": "{token}"}}}}\n  }}\n}}\n',
    )
    shown = machine.ok("setup", "copilot", "--local", "--dry-run").out
    assert ".mcp.json" in shown and token not in shown
    machine.ok("setup", "copilot", "--local")
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


def git(machine: Sandbox, *arguments: str) -> str:
    environ = dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@b.c")
    environ |= {"GIT_AUTHOR_NAME": "a", "GIT_COMMITTER_NAME": "a"}
    ran = subprocess.run(
        ["git", *arguments],
        cwd=machine.root,
        env={**machine.environ, **environ},
        capture_output=True,
        check=True,
        text=True,
    )
    return ran.stdout


@pytest.fixture
def clone(machine: Sandbox) -> Sandbox:
    """A repository in which everything is committed."""
    git(machine, "init", "-q")
    machine.write(".gitignore", ".cuedeck/\n")
    git(machine, "add", "-A")
    git(machine, "commit", "-q", "-m", "first")
    return machine


def test_committed_hooks_do_nothing_where_cuedeck_is_not_installed(
    machine: Sandbox,
) -> None:
    machine.ok("setup", "claude")
    assert not machine.place(".mcp.json").exists()
    hooks = json.loads(machine.place(".claude/settings.json").read_text())["hooks"]
    for groups in hooks.values():
        command = groups[0]["hooks"][0]["command"]
        ran = subprocess.run(
            ["/bin/sh", "-c", command],
            env={"PATH": "/nowhere"},
            input=b"{}",
            capture_output=True,
            check=False,
        )
        assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    for host in ("codex", "copilot", "cursor", "gemini", "qwen", "vscode", "opencode"):
        machine.ok("setup", host)
        files = [path for path in machine.bytes() if "cuedeck/" not in path]
        assert not [path for path in files if "mcp" in path or "config.toml" in path]


@pytest.mark.parametrize(
    ("host", "is_worktree"),
    [("claude", True), *((each, False) for each in ("claude", "codex", "cursor"))],
)
def test_local_setup_leaves_nothing_to_commit(
    clone: Sandbox, host: str, is_worktree: bool
) -> None:
    exclude = clone.place(".git/info/exclude")
    exclude.write_text("/mine")
    if is_worktree:
        git(clone, "worktree", "add", "-q", "../other")
        clone.root = clone.root.parent / "other"
        clone.place(".cuedeck").mkdir()
    before = git(clone, "status", "--porcelain")
    answer = clone.answer("setup", host, "--local")
    paths = [each["path"] for each in answer["files"]]
    assert git(clone, "status", "--porcelain") == before
    assert "/mine\n# written by `cuedeck setup HOST --local`\n/" in exclude.read_text()
    assert all(clone.place(path).exists() for path in paths[:-1] if "~" not in path)
    shown = clone.run("setup", host, "--check", "--json").json
    assert shown["forms"] == ["local"]
    clone.ok("setup", host, "--local", "--remove")
    assert exclude.read_text() == "/mine\n"
    assert not any(clone.place(path).exists() for path in paths[:-1])


def test_local_server_of_claude_is_that_of_its_own_command(clone: Sandbox) -> None:
    """The keys are those that `claude mcp add --scope local` wrote, version 2.1.197."""
    clone.ok("setup", "claude", "--local")
    place = f"{clone.environ['HOME']}/.claude.json"
    with open(place, encoding="utf-8") as file:
        projects = json.load(file)["projects"]
    assert projects == {
        str(clone.root): {
            "mcpServers": {
                "cuedeck": {
                    "type": "stdio",
                    "command": "cuedeck",
                    "args": ["mcp"],
                    "env": {},
                }
            }
        }
    }
    hooks = json.loads(clone.place(".claude/settings.local.json").read_text())["hooks"]
    assert hooks["Stop"][0]["hooks"][0]["command"] == (
        "cuedeck hook stop --host claude --from local"
    )


def test_local_setup_beside_committed_hooks_adds_the_server_alone(
    clone: Sandbox,
) -> None:
    clone.ok("setup", "codex")
    clone.ok("setup", "gemini")
    git(clone, "add", "-A")
    git(clone, "commit", "-q", "-m", "hooks")
    answer = clone.answer("setup", "codex", "--local")
    assert [each["path"] for each in answer["files"]] == [
        ".codex/config.toml",
        ".git/info/exclude",
    ]
    shown = clone.run("setup", "codex", "--check", "--json").json
    assert shown["forms"] == ["project", "local"]
    refused = clone.answer("setup", "gemini", "--local", code=2)["error"]
    assert refused["message"].startswith(".gemini/settings.json is committed, and")
    assert "--user" in refused["hint"]
    assert git(clone, "status", "--porcelain") == ""


def test_forms_of_one_user_file_are_removed_one_by_one(clone: Sandbox) -> None:
    place = f"{clone.environ['HOME']}/.claude.json"
    theirs = {"numStartups": 7, "projects": {"/x": {"mcpServers": {"y": {}}}}}
    clone.write(place, json.dumps(theirs))
    clone.ok("setup", "claude", "--local")
    clone.ok("setup", "claude", "--user")
    found = clone.answer("setup", "claude", "--check")
    assert found["forms"] == ["local", "user"]
    assert [each["level"] for each in found["findings"]] == ["info"] * 2
    removed = clone.answer("setup", "claude", "--remove")
    assert [each["code"] for each in removed["findings"]] == ["user-entries"]
    assert clone.answer("setup", "claude", "--check")["forms"] == ["user"]
    clone.ok("setup", "claude", "--user", "--remove")
    with open(place, encoding="utf-8") as file:
        assert json.load(file) == theirs


def test_copilot_and_vscode_share_hooks_until_both_are_removed(
    machine: Sandbox,
) -> None:
    def states(*arguments: str) -> dict[str, str]:
        rows = machine.answer("setup", *arguments)["files"]
        return {each["path"]: each["state"] for each in rows}

    place = ".github/hooks/cuedeck.json"
    assert states("vscode")[place] == "created"
    assert states("copilot")[place] == "unchanged"
    assert states("vscode", "--remove")[place] == "kept"
    assert machine.answer("setup", "copilot", "--check")["healthy"]
    assert states("copilot", "--remove")[place] == "deleted"
