"""Workspaces whose memory is searched as a user does: by the command and by the
tool of an MCP client.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.lab import Lab
from benchmarks.mcp import HELLO, ServerConnection
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.engine.workspace import Workspace
from cuedeck.knowledge.recall.recall import recall
from cuedeck.shells.cli.cli_main import run


class RecallClient:
    """The memory of one workspace."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._open: Workspace | None = None

    def command(self, query: str, tokens: int) -> str:
        """Return what `cuedeck recall --tokens` prints."""
        printed = io.StringIO()
        errors = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
            run(["recall", "-C", str(self.root), "--tokens", str(tokens), "--", query])
        return printed.getvalue()

    @contextlib.contextmanager
    def server(self, lab: Lab) -> Iterator[ServerConnection]:
        """Start the MCP server of the workspace."""
        process = subprocess.Popen(
            lab.launch.cuedeck("mcp"),
            cwd=self.root,
            env=lab.launch.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        try:
            connection = ServerConnection(process)
            connection.request("initialize", HELLO)
            yield connection
        finally:
            process.communicate(timeout=30)

    def answer(self, query: str, **options: Any) -> Mapping[str, Any]:
        """Return the answer as JSON."""
        if self._open is None:
            self._open = open_workspace(str(self.root), dict(os.environ))
        return recall(self._open, query, **options)

    def close(self) -> None:
        """Close the open workspace."""
        if self._open is not None:
            self._open.close()
        self._open = None


def asked_by_tool(connection: ServerConnection, query: str, tokens: int) -> str:
    """Return the text that the tool `recall` gives."""
    arguments = {"query": query, "tokens": tokens}
    call = {"name": "recall", "arguments": arguments}
    _, result = connection.request("tools/call", call)
    text: str = result["content"][0]["text"]
    return text
