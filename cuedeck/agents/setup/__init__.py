"""The use case `cuedeck setup`: connect a host to the workspace, disconnect and check
it.

`hosts` describes each host and edits texts of its files; `store` reads and writes them.
"""

from __future__ import annotations

from cuedeck.agents.setup.checks.run_checks import examine
from cuedeck.agents.setup.connect import connect, connect_installed
from cuedeck.agents.setup.disconnect import disconnect
from cuedeck.agents.setup.host_targets import require_host
from cuedeck.agents.setup.uninstall import uninstall

__all__ = [
    "connect",
    "connect_installed",
    "disconnect",
    "examine",
    "require_host",
    "uninstall",
]
