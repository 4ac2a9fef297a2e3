"""The `decide` tool: record a decision with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.tool_arguments import Field
from cuedeck.mcp.tool_base import Arguments, Tool

if TYPE_CHECKING:
    from cuedeck.app.server.live_workspace import LiveWorkspace


def _decide(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.decisions.create_decision import NewDecision, decide

    return decide(
        project,
        NewDecision(
            given["text"],
            given["because"],
            given["alternatives"],
            affects=given["affects"],
            impact=given["impact"],
            subject=given["subject"],
            supersedes=given["supersedes"] or None,
        ),
    )


DECIDE = Tool(
    name="decide",
    title="Record a decision",
    about="Log a decision (ADR) with its rationale; later scenes that touch what it affects show it.",
    fields=(
        Field("text", required=True, also=("decision",)),
        Field("because", also=("rationale", "reason", "why")),
        Field("alternatives", "texts", about="what was not chosen, and why"),
        Field("affects", "names", about="addresses", also=("files", "file")),
        Field("impact", "texts"),
        Field("subject"),
        Field("supersedes", about="id of the decision it replaces"),
    ),
    run=_decide,
    writes=True,
)
