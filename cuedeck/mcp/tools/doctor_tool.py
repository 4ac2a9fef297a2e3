"""The `doctor` tool: report problems of the workspace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.paging import CURSOR, limit, page
from cuedeck.mcp.tool_base import Arguments, Tool

if TYPE_CHECKING:
    from cuedeck.app.server.live_workspace import LiveWorkspace


def _doctor(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.doctor import examine

    report = examine(project, project.progress).as_json()
    return {**report, **page("findings", report["findings"], given["cursor"], given["limit"])}


DOCTOR = Tool(
    name="doctor",
    title="Check the workspace",
    about="Find dead refs, cycles, broken cards, failed assumptions, bad settings.",
    fields=(limit(50, 500), CURSOR),
    run=_doctor,
)
