"""The tool `cortex`: timelines of sessions, memories of users and agents, resources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.shells.mcp.tool_base import ACTION, Arguments, Tool
from cuedeck.shells.tool_fields import CURSOR, LONGEST_ADDRESS, Field

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace
    from cuedeck.shells.mcp.tool_result import ResultPage

SESSIONS = "cortex://session"
ROLES = ("user", "assistant", "system")
_READING = ("ls", "search", "explore", "read", "sessions")


def _run(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any] | ResultPage:
    from cuedeck.shells.mcp.cortex_actions import ACTIONS

    return ACTIONS[given[ACTION]](workspace, given)


CORTEX = Tool(
    name="cortex",
    title="Cortex",
    about="Conversations and memories (cortex://): search or ls, then read.",
    fields=(
        Field(ACTION, choices=(*_READING, "add", "commit", "forget"), default="ls"),
        Field("address", also=("uri", "start_uri", "scope"), longest=LONGEST_ADDRESS),
        Field("text", about="query, message", also=("query", "content"), longest=0),
        Field("layer"),
        Field("session", also=("session_id", "thread_id")),
        Field("role", default="user"),
        Field("user", also=("user_id",)),
        Field("agent", also=("agent_id",)),
        Field("dry_run", "flag", default=True),
        CURSOR._replace(about=""),
    ),
    run=_run,
    writes=True,
    reading=_READING,
    destroys=True,
)
