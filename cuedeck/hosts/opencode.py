"""opencode. It runs no commands on events."""

from __future__ import annotations

from cuedeck.hosts.base import Host
from cuedeck.hosts.setup_types import FormFiles, Server, Setup, Switch


def _setup() -> Setup:
    path = "opencode.json"
    user = "~/.config/opencode/opencode.json"
    server = Server(path, "mcp", (("type", "local"), ("command", ("cuedeck", "mcp"))))
    return Setup(
        instructions="AGENTS.md",
        next_step="restart opencode in {folder}",
        server_step="`opencode mcp list` shows the server",
        server=server,
        user=FormFiles("", server._replace(path=user)),
        servers_too=(user,),
        switches=(
            Switch(
                (path,),
                ("mcp", "cuedeck", "enabled"),
                "is",
                False,
                "the server is switched off",
            ),
            Switch(
                (path,),
                ("tools", "cuedeck*"),
                "is",
                False,
                "the tools are switched off",
            ),
        ),
        asks="opencode runs the tools of a server without asking, unless its `permission` says otherwise",
    )


HOST = Host("opencode", "opencode", _setup)
