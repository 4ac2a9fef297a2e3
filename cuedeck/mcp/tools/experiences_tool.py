"""The `experiences` tool: search or list experiences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.paging import CURSOR, limit, page
from cuedeck.mcp.tool_arguments import Field
from cuedeck.mcp.tool_base import Arguments, Tool

if TYPE_CHECKING:
    from cuedeck.app.server.live_workspace import LiveWorkspace


def _experiences(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.experiences.query_experiences import check_enabled, list_experiences, query_experiences
    from cuedeck.app.memory.memory_profiles import memory_of

    project.refresh()  # the setting may have changed
    check_enabled(project)
    memory = memory_of(project)
    if given["query"]:
        return query_experiences(project, memory, given["query"], top=given["limit"])
    found = list_experiences(memory, category=given["category"])
    return page("experiences", found["experiences"][::-1], given["cursor"], given["limit"])


EXPERIENCES = Tool(
    name="experiences",
    title="Query experiences",
    about="Distilled lessons of past sessions that answer a question; without `query` the newest.",
    fields=(Field("query", also=("q", "text")), Field("category"), limit(8, 50), CURSOR),
    run=_experiences,
)
