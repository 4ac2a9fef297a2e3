"""The `find` tool: search the workspace by address, name or words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.paging import CURSOR, following, limit, offset
from cuedeck.mcp.tool_arguments import Field
from cuedeck.mcp.tool_base import HITS, SEARCHED, Arguments, Tool

if TYPE_CHECKING:
    from cuedeck.app.server.live_workspace import LiveWorkspace

_KINDS = ("card", "doc", "source")


def _find(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.search import find

    start = offset(given["cursor"])
    answer = find(project, given["query"], kinds=given["kinds"], tags=given["tags"], limit=given["limit"], offset=start)
    return {**answer, **following(start, len(answer["hits"]), answer["total"])}


FIND = Tool(
    name="find",
    title="Find code and docs",
    about="Search the workspace for the context of a task by words: addresses, titles, headings, symbols, text of "
    "cards, docs and code. Best first, each with an address for `read` and a snippet.",
    fields=(
        Field("query", required=True, also=("q", "words", "text")),
        Field("kinds", "names", choices=_KINDS, also=("kind",)),
        Field("tags", "names", also=("tag",)),
        limit(20, 100),
        CURSOR,
    ),
    run=_find,
    output=HITS,
    meta={SEARCHED: "context of the task"},
)
