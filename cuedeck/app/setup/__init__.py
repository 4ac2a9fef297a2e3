"""Connection of agent hosts to the workspace: hooks, MCP servers and instructions."""

from __future__ import annotations

from cuedeck.app.setup.check_host import examine
from cuedeck.app.setup.connect import connect
from cuedeck.app.setup.disconnect import disconnect
from cuedeck.app.setup.host_targets import require_host

__all__ = ["connect", "disconnect", "examine", "require_host"]
