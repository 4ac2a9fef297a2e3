"""The host `agents`: any other agent that reads AGENTS.md. `cuedeck.agents.hosts`
contains the registry of hosts.
"""

from __future__ import annotations

from cuedeck.agents.hosts.base import Host
from cuedeck.agents.hosts.setup_types import Setup

SETUP = Setup(
    instructions="AGENTS.md",
    next_step="restart your agent in {folder}; it then reads AGENTS.md",
    asks="`setup agents` registers no MCP server",
)


HOST = Host("agents", "your agent", SETUP)
