"""Copilot CLI. It also runs the hooks of VS Code with Copilot and of Claude Code."""

from __future__ import annotations

from cuedeck.agents.hosts import vscode
from cuedeck.agents.hosts.base import Host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cuedeck.agents.hosts.setup_types import Setup


def _setup() -> Setup:
    from cuedeck.agents.hosts.setup_types import (
        ARGUMENTS,
        STDIO,
        FormFiles,
        Server,
        Setup,
        Switch,
    )

    borrowed = vscode.HOST.setup.borrowed
    if borrowed is not None:
        borrowed = borrowed._replace(keys=(), settings=())
    server = Server(
        ".mcp.json",
        "mcpServers",
        (*STDIO, ("args", ARGUMENTS)),
        added=(("tools", ["*"]),),
    )
    return Setup(
        instructions="AGENTS.md",
        next_step="restart copilot in {folder} and trust the folder",
        server_step="/mcp show lists the server",
        server=server,
        user=FormFiles(vscode.USER, server._replace(path=_USER)),
        hooks_too=(".github/hooks/*.json", "~/.copilot/hooks/*.json"),
        borrowed=borrowed,
        servers_too=(_USER,),
        switches=(
            Switch(
                ("~/.copilot/settings.json", "~/.copilot/config.json"),
                ("disableAllHooks",),
                value=True,
            ),
        ),
        asks="allow each tool when it first asks, or start copilot with `--allow-tool=cuedeck`",
    )


_USER = "~/.copilot/mcp-config.json"
HOST = Host("copilot", "Copilot CLI", _setup, vscode.HOST.hooks, shares="vscode")
