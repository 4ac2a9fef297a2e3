"""The host `agents`: any other agent that reads AGENTS.md. `cuedeck.hosts` contains the
registry of hosts.
"""

from __future__ import annotations

from cuedeck.hosts.base import Host
from cuedeck.hosts.setup_types import Setup


def _setup() -> Setup:
    return Setup(
        instructions="AGENTS.md",
        next_step="restart your agent in {folder}; it then reads AGENTS.md",
        asks="`setup agents` registers no MCP server",
    )


HOST = Host("agents", "your agent", _setup)
