"""Copilot CLI. It also runs the hooks of VS Code with Copilot and of Claude Code."""

from __future__ import annotations

from cuedeck.agents.hosts import vscode
from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.claude import SETTINGS
from cuedeck.agents.hosts.setup_types import (
    STDIO,
    Borrowed,
    FormFiles,
    Server,
    Setup,
    Switch,
)

_USER = "~/.copilot/mcp-config.json"
_SERVER = Server(".mcp.json", "mcpServers", STDIO, added=(("tools", ["*"]),))
SETUP = Setup(
    instructions="AGENTS.md",
    next_step="restart copilot in {folder} and trust the folder",
    server_step="/mcp show lists the server",
    server=_SERVER,
    user=FormFiles(vscode.USER, _SERVER._replace(path=_USER)),
    hooks_too=(".github/hooks/*.json", "~/.copilot/hooks/*.json"),
    borrowed=Borrowed(SETTINGS),
    switches=(
        Switch(
            ("~/.copilot/settings.json", "~/.copilot/config.json"),
            ("disableAllHooks",),
            value=True,
        ),
    ),
    asks="allow each tool when it first asks, or start copilot with `--allow-tool=cuedeck`",
)


HOST = Host("copilot", "Copilot CLI", SETUP, vscode.HOST.hooks, shares="vscode")
