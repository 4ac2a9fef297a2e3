"""Helpers of other tests: commands in one process give the results of new processes,
and a restored copy of a workspace equals its template.
"""

from __future__ import annotations

import re
from pathlib import Path

from crash_runner import CrashRunner
from sandbox import Sandbox
from shared_process import SharedSandbox
from workspace_copy import WorkspaceCopy

TOKEN = "ghp_" + "Zq7" * 12
COMMANDS = (
    ("init",),
    ("card", "activate", "aaaaaa"),
    ("card", "show", "aaaaaa"),
    ("scene",),
    ("scene", "--print", "--json"),
    ("remember", "The boiler was repaired by Nadia"),
    ("recall", "boiler repaired", "--json"),
    ("session", "start"),
    ("session", "note", "\udce9 and é"),
    ("doctor", "--json"),
    ("read", "nowhere.md"),
    ("list", "--no-such-option"),
    ("recall",),
    ("--help",),
)
_RANDOM = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|\b\d{4}-\d\d-\d\d([T ][\d:.]+Z?)?|(?<=-)[0-9a-z]{6}\b|\b[0-9a-z]{6}\b(?=\.md)"
    r"|[0-9a-f]{64}|^[0-9a-f]{8,9}$|\d+(?= of 8,000 tokens)|(?<=\"tokens\": )\d+",
    re.MULTILINE,
)
"""Ids, times and hashes, and the tokens of texts that contain them."""


def run_all(sandbox: Sandbox) -> list[tuple[int, str, str]]:
    """Run the commands; return their exit codes and outputs without random parts."""
    sandbox.card("aaaaaa", f"title: Fix {TOKEN}", "refs: [docs/house.md]")
    sandbox.write("docs/house.md", "# House\n\nThe cellar is damp.\n")
    ran = [sandbox.run(*command) for command in COMMANDS]
    ran.append(sandbox.run("memory", "add", "-", text="one thing\nanother\n"))
    ran.append(sandbox.run("config", "show", environ={"CUEDECK_SCENE__BUDGET": "777"}))
    ran.append(sandbox.run("config", "show"))
    ran.append(sandbox.run("list", cwd=sandbox.root / "docs"))
    return [
        (code, _RANDOM.sub("", out), _RANDOM.sub("", err)) for code, out, err in ran
    ]


def test_commands_in_one_process_give_the_results_of_new_processes(
    process_sandbox: Sandbox, shared_runner: CrashRunner, tmp_path: Path
) -> None:
    sandbox = process_sandbox
    root = tmp_path / "shared" / sandbox.root.name
    WorkspaceCopy(sandbox.root, root).restore()
    expected = run_all(sandbox)
    assert {code for code, _, _ in expected} >= {0, 1, 2}
    found = run_all(SharedSandbox(root, sandbox.environ, shared_runner))
    for new, shared in zip(expected, found, strict=True):
        assert shared == new
    names = [
        sorted(_RANDOM.sub("", name) for name in each.bytes())
        for each in (sandbox, Sandbox(root, sandbox.environ))
    ]
    assert names[0] == names[1]
