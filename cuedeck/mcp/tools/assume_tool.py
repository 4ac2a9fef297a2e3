"""The `assume` tool: record, check and resolve assumptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.tool_arguments import Field
from cuedeck.mcp.tool_base import Arguments, Tool

if TYPE_CHECKING:
    from cuedeck.app.server.live_workspace import LiveWorkspace


def _assume(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    if given["resolve"]:
        from cuedeck.app.assumptions.assumption_answers import resolve_assumption

        return resolve_assumption(project, given["resolve"], given["text"])
    if given["text"]:
        from cuedeck.app.assumptions.add_assumption import NewAssumption, add_new

        made = NewAssumption(given["text"], "", given["impact"], given["affects"], given["check"])
        return add_new(project, made)
    from cuedeck.app.assumptions.assumption_answers import check_assumptions

    answer, well = check_assumptions(project)
    return {**answer, "well": well}


ASSUME = Tool(
    name="assume",
    title="Record or check assumptions",
    about="Record an assumption, with a check that reports when it no longer holds; without `text` all assumptions "
    "are checked. Checks: file_exists=PATH, file_absent=PATH, contains=PATH:TEXT, not_contains=PATH:TEXT, "
    "dependency=NAME>=VERSION, config=PATH:KEY=VALUE, doc_says=ADDRESS:TEXT.",
    fields=(
        Field("text"),
        Field("check"),
        Field("impact", about="what it matters to"),
        Field("affects", "names", about="addresses"),
        Field("resolve", about="id of one that failed and was dealt with"),
    ),
    run=_assume,
    writes=True,
)
