"""Connect hosts to the workspace: their hooks, their servers and what they read at the start of a session."""

from __future__ import annotations

from cuedeck.app.setup.check_host import examine
from cuedeck.app.setup.connect import connect
from cuedeck.app.setup.disconnect import disconnect
from cuedeck.app.setup.host_parts import find_host

__all__ = ["connect", "disconnect", "examine", "find_host"]
