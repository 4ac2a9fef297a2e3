"""Settings, hooks and attributes of a repository name programs for git to start. No
command and no hook starts one.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from sandbox import Sandbox

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs shell scripts")

COMMANDS = [
    ("scene",), ("scene", "--verify"), ("scene", "--print", "--no-related"), ("scene", "diff"),
    ("why", "src/a.py"), ("read", "src/a.py"), ("suggest",), ("list",), ("graph",), ("doctor",),
    ("session", "start"), ("session", "note", "Look at the age"), ("session", "checkpoint", "one"),
    ("session", "status"), ("session", "list"), ("resume",), ("progress", "done", "something"),
    ("decide", "Use tokens", "--because", "they are short", "--affects", "src/a.py"),
    ("decision", "list"), ("attempt", "add", "--on", "src/a.py", "--tried", "that", "--failed", "so"),
    ("assumption", "check"), ("remember", "A fact about tokens."), ("memory", "tick"),
    ("session", "close"), ("resume",), ("config", "check"), ("clean",),
]  # fmt: skip
EVENTS = ["session-start", "prompt", "post-tool", "pre-compact", "stop", "session-end"]
HOOKS = [
    "applypatch-msg", "commit-msg", "fsmonitor-watchman", "p4-pre-submit", "post-applypatch", "post-checkout",
    "post-commit", "post-index-change", "post-merge", "post-rewrite", "post-update", "pre-applypatch",
    "pre-auto-gc", "pre-commit", "pre-merge-commit", "pre-push", "pre-rebase", "prepare-commit-msg",
    "proc-receive", "push-to-checkout", "reference-transaction", "sendemail-validate", "update",
]  # fmt: skip
SHADOWED = [
    "config", "diff-index", "diff-tree", "log", "ls-files", "rev-list", "rev-parse", "status",
]  # fmt: skip
PROGRAMS = [
    "core.pager", "core.editor", "core.askPass", "core.sshCommand", "core.gitProxy",
    "core.alternateRefsCommand", "sequence.editor", "diff.external", "diff.odd.command", "diff.odd.textconv",
    "filter.odd.clean", "filter.odd.smudge", "filter.lfs.clean", "filter.lfs.smudge", "gpg.program",
    "gpg.ssh.program", "gpg.x509.program", "gpg.ssh.defaultKeyCommand", "interactive.diffFilter",
    "merge.odd.driver", "mergetool.odd.cmd", "difftool.odd.cmd", "trailer.odd.command", "trailer.odd.cmd",
    "uploadpack.packObjectsHook", "credential.helper", "web.browser", "hook.odd.command",
    "remote.origin.uploadpack", "remote.origin.receivepack", "sendemail.sendmailCmd",
]  # fmt: skip
SWITCHES = {
    "core.untrackedCache": "true", "diff.mnemonicPrefix": "true", "filter.lfs.required": "true",
    "filter.odd.required": "true", "hook.odd.event": "post-index-change", "log.showSignature": "true",
    "remote.origin.promisor": "true", "submodule.recurse": "true", "extensions.partialClone": "origin",
}  # fmt: skip


@pytest.fixture
def start_log(tmp_path: Path) -> Path:
    """The file to which each started program appends a line."""
    return tmp_path / "started"


@pytest.fixture
def shop(sandbox: Sandbox, tmp_path: Path, start_log: Path) -> Sandbox:
    """A workspace in a repository that names a program wherever git can be configured
    to start one.
    """
    sandbox.git("init", "-q")
    sandbox.write("src/a.py", "def login(token):\n    return token\n")
    sandbox.write("src/same.py", "def same():\n    return 1\n")
    sandbox.write("src/grown.py", "def grown():\n    return 1\n")
    sandbox.write(
        "data.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n"
    )
    sandbox.git("add", "-A")
    sandbox.git("commit", "-q", "-m", "Add the login")
    sandbox.write("src/a.py", "def login(token, age):\n    return token\n")
    sandbox.write(
        ".gitattributes",
        "*.py filter=odd diff=odd merge=odd\n*.bin filter=lfs diff=odd\n",
    )
    sandbox.git("add", "-A")
    sandbox.git("commit", "-q", "-m", "Look at the age")
    sandbox.card(
        "abc123",
        "status: active",
        "refs: [src/a.py]",
        body="The login looks at the age of a token.",
    )
    sandbox.activate("abc123")
    configure_programs(sandbox, tmp_path, start_log)
    return sandbox


def configure_programs(sandbox: Sandbox, tmp_path: Path, start_log: Path) -> None:
    """Name the program in every setting, through an included file, and install it as
    every hook.
    """
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$0 $*" >> "{start_log}"\ncat\n')
    program.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in HOOKS:
        (hooks / name).symlink_to(program)
        if not (sandbox.root / ".git/hooks" / name).exists():
            (sandbox.root / ".git/hooks").mkdir(exist_ok=True)
            (sandbox.root / ".git/hooks" / name).symlink_to(program)
    values = {name: str(program) for name in PROGRAMS} | SWITCHES
    values |= {f"alias.{name}": f"!{program}" for name in SHADOWED}
    values |= {f"pager.{name}": str(program) for name in SHADOWED}
    values |= {
        "core.hooksPath": str(hooks),
        "core.fsmonitor": str(program),
        "remote.origin.url": f"ext::{program}",
    }
    values |= {
        "filter.odd.process": str(program),
        "filter.lfs.process": f"{program} filter-process",
    }
    for name, value in values.items():
        subprocess.run(
            ["git", "config", "--file", tmp_path / "more", name, value], check=True
        )
    sandbox.git("config", "include.path", str(tmp_path / "more"))
    sandbox.git("config", "core.repositoryFormatVersion", "1")


def touch_files(sandbox: Sandbox, at: int) -> None:
    """Change files so that git has to read them again."""
    os.utime(sandbox.place("src/a.py"), (1_600_000_000 + at, 1_600_000_000 + at))
    os.utime(sandbox.place("data.bin"), (1_600_000_000 + at, 1_600_000_000 + at))
    sandbox.write("src/same.py", f"def same():\n    return {at % 10}\n")
    sandbox.write("src/grown.py", f"def grown():\n    return {'1' * (at + 2)}\n")
    sandbox.write("src/new.py", f"NUMBER = {at}\n")


def test_git_itself_would_start_the_configured_programs(
    shop: Sandbox, start_log: Path
) -> None:
    touch_files(shop, 0)
    subprocess.run(
        ["git", "status"],
        cwd=shop.root,
        env=shop.environ,
        capture_output=True,
        check=False,
    )
    assert "program" in start_log.read_text()


def test_no_command_starts_a_program_of_the_repository(
    shop: Sandbox, start_log: Path
) -> None:
    for at, command in enumerate(COMMANDS):
        touch_files(shop, at)
        ran = shop.run(*command)
        assert ran.code in (0, 1), (command, ran)
        assert not start_log.exists(), (command, start_log.read_text())


def test_no_hook_starts_a_program_of_the_repository(
    shop: Sandbox, start_log: Path
) -> None:
    for at, event in enumerate([*EVENTS, *EVENTS]):
        touch_files(shop, at)
        answer = {
            "session_id": f"s{at // len(EVENTS)}",
            "cwd": str(shop.root),
            "source": "startup",
            "prompt": "Look at the login",
            "tool_name": "Edit",
            "tool_input": {"file_path": str(shop.place("src/same.py"))},
            "last_assistant_message": "Done.",
        }
        ran = shop.ok("hook", event, "--host", "claude", text=json.dumps(answer))
        assert ran.err == "", (event, ran)
        assert not start_log.exists(), (event, start_log.read_text())


def test_missing_object_of_a_partial_clone_is_not_fetched_by_a_program(
    shop: Sandbox, start_log: Path
) -> None:
    name = shop.git("rev-parse", "HEAD~1:src/a.py").strip()
    (shop.root / ".git/objects" / name[:2] / name[2:]).unlink()
    shop.ok("scene")
    shop.ok("session", "start")
    assert not start_log.exists()


def test_checkout_redirected_by_settings_is_not_listed(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    """Names of files outside the workspace used to be stored in session files."""
    sandbox.git("init", "-q")
    sandbox.write("a.py", "A = 1\n")
    sandbox.git("add", "-A")
    sandbox.git("commit", "-q", "-m", "Begin")
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim/private-salary-list.txt").write_text("")
    sandbox.git("config", "core.worktree", str(tmp_path / "victim"))
    sandbox.write("a.py", "A = 2\n")
    sandbox.ok("session", "start")
    sandbox.ok("session", "checkpoint", "one")
    kept = "".join(
        place.read_text() for place in sandbox.place(".cuedeck/sessions").glob("*.json")
    )
    assert "private-salary-list" not in kept
    assert '"a.py"' in kept
