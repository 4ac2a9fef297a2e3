"""Connect hosts to the workspace: their hooks, their servers and what they read at the start of a session."""

from __future__ import annotations

from cuedeck.app.setup.connect import connect
from cuedeck.app.setup.disconnect import disconnect
from cuedeck.app.setup.examine import examine
from cuedeck.app.setup.targets import find_host

__all__ = ["connect", "disconnect", "examine", "find_host"]
