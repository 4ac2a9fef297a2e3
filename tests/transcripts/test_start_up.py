"""Heavy libraries are loaded by the commands that need them alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from agent_host import recorded_request
from sandbox import Sandbox

from cuedeck.model.errors import EXTRAS, install_hint

HEAVY = {"mcp", "networkx", "psycopg", "pygls", "starlette", "tiktoken", "tree_sitter", "uvicorn",
         "watchfiles"}  # fmt: skip


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.write("docs/login.md", "# Login\n\nThe form has two fields.\n")
    sandbox.card("aaaaaa", "status: active", "refs: [docs/login.md]")
    sandbox.ok("memory", "add", "The staging server listens on port 5433")
    sandbox.answer("recall", "port")
    sandbox.ok("scene")
    return sandbox


def imported(shop: Sandbox, arguments: list[str], request: object = None) -> set[str]:
    """Return the modules that a command imports."""
    ran = subprocess.run(
        [sys.executable, "-m", "cuedeck", *arguments],
        cwd=shop.root,
        env={**shop.environ, "PYTHONPROFILEIMPORTTIME": "1"},
        input=json.dumps(request).encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    lines = os.fsdecode(ran.stderr).splitlines()
    return {line.rsplit("|", 1)[1].strip() for line in lines if "|" in line}


@pytest.mark.parametrize(
    "line", ["--version", "scene", "recall port", "hook prompt --host claude"]
)
def test_a_quick_command_loads_no_heavy_library(shop: Sandbox, line: str) -> None:
    fields = {"prompt": "Where is the form?", "transcript_path": ""}
    _, request = recorded_request("claude", "prompt", shop.root, **fields)
    imported(shop, line.split(), request)
    assert not imported(shop, line.split(), request) & HEAVY


@pytest.mark.parametrize("name", ["lsp", "mcp", "web"])
def test_a_command_names_the_extra_that_it_needs(shop: Sandbox, name: str) -> None:
    code = f"import sys; sys.modules |= dict.fromkeys({[*EXTRAS]}); from cuedeck.__main__ import main; main()"
    command = [sys.executable, "-c", code, name]
    ran = subprocess.run(command, cwd=shop.root, env=shop.environ, capture_output=True)
    assert ran.stderr.decode().endswith(f"\nhint: {install_hint(name)}\n")


def test_a_command_leaves_no_log_of_sqlite(shop: Sandbox) -> None:
    """A connection that is not closed leaves its write-ahead log."""
    shop.ok("memory", "add", "The parser moved")
    shop.ok("recall", "parser")
    left = [path.name for path in shop.private("recall.sqlite").parent.iterdir()]
    assert "recall.sqlite" in left
    assert [name for name in left if name.endswith(("-wal", "-shm"))] == []
