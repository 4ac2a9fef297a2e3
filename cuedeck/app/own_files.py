"""Private files of CueDeck and the commands that show their content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.model.paths import ASSUMPTIONS, CACHE, CONFIG, HOME, SCENE, SESSIONS, ledger_path

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_MEMORY = "cuedeck memory list"
_COMMANDS = (
    (SCENE, "cuedeck scene --print"),
    (CONFIG, "cuedeck config show"),
    (f"{HOME}/MEMORY.md", _MEMORY),
    (f"{HOME}/LONGMEMORY.md", "cuedeck memory context"),
    (f"{HOME}/memory/", _MEMORY),
    (ledger_path("experiences"), "cuedeck experience list"),
    (ledger_path("decisions"), "cuedeck decision list"),
    (ledger_path("attempts"), "cuedeck attempt list"),
    (ASSUMPTIONS, "cuedeck assumption list"),
    (f"{SESSIONS}/", "cuedeck session list"),
    (f"{CACHE}/", "cuedeck doctor"),
)


def command_for(workspace: Workspace, path: str) -> str:
    """Return the command that shows the content of a private file; empty if `path` is not private or has no command."""
    from cuedeck.app.assumptions.access_policy import Privacy

    known = next((command for start, command in _COMMANDS if path.startswith(start)), "")
    if known or path.startswith(f"{HOME}/"):
        return known
    return _MEMORY if Privacy(workspace).is_private(path) else ""
