"""Tools for the cortex tree with the names and fields of MemClaw."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from cuedeck.model.cortex_address import LAYERS
from cuedeck.shells.mcp.cortex_tool import ROLES, SESSIONS
from cuedeck.shells.mcp.tool_base import Arguments, Tool
from cuedeck.shells.tool_fields import LONGEST_ADDRESS, Field

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace

_MOST_RESULTS = 50
_JOBS = ("prune", "reindex", "ensure-all")
_KINDS = ("cortex", "clawcode", "cursorclaw")
_QUERY = Field("query", required=True)
_URI = Field("uri", required=True)
_SESSION = Field("session_id", also=("thread_id",))
_OWNERS = (Field("user_id"), Field("agent_id"))
_SCOPE = Field("scope", about="address, dimension or session")
_LIMIT = Field("limit", "number", default=10, least=1, most=_MOST_RESULTS)
_LAYERS = Field("return_layers", "names", choices=LAYERS)


def _tool(
    name: str,
    about: str,
    fields: tuple[Field, ...],
    *,
    writes: bool = False,
    destroys: bool = False,
) -> Tool:
    title = name.replace("_", " ").capitalize()
    run = partial(_run, name)
    return Tool(
        name, title, about, fields, run, writes=writes, destroys=destroys, is_seed=True
    )


def _run(name: str, workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.shells.mcp.cortex_compat_actions import RUNS

    return RUNS[name](workspace, given)


CORTEX_SEEDS = (
    _tool(
        "cortex_search",
        "Search the cortex tree.",
        (
            _QUERY,
            _SCOPE,
            _LIMIT,
            Field("min_score", "share", about="share of the best score"),
            _LAYERS,
        ),
    ),
    _tool(
        "cortex_recall",
        "Search the cortex tree; results have abstract and text.",
        (_QUERY, _SCOPE, _LIMIT),
    ),
    _tool(
        "cortex_add_memory",
        "Add a message to the timeline of a session.",
        (
            Field("content", required=True, longest=0),
            Field("role", choices=ROLES, default="user"),
            _SESSION,
            Field("metadata", "object"),
            *_OWNERS,
        ),
        writes=True,
    ),
    _tool("cortex_list_sessions", "List sessions.", ()),
    _tool(
        "cortex_create_session",
        "Create a session, or make it active again.",
        (
            _SESSION,
            Field("title"),
            Field("description"),
            Field("tags", "names"),
            *_OWNERS,
        ),
        writes=True,
    ),
    _tool(
        "cortex_commit_session",
        "Extract memories from the new messages of a session.",
        (_SESSION, *_OWNERS),
        writes=True,
    ),
    _tool(
        "cortex_ls",
        "List a folder of the cortex tree.",
        (
            Field("uri", default=SESSIONS),
            Field("recursive", "flag"),
            Field("include_abstracts", "flag"),
        ),
    ),
    _tool(
        "cortex_explore",
        "Find the folders that lead to the matches of a query.",
        (_QUERY, Field("start_uri", default=SESSIONS), _LAYERS),
    ),
    _tool(
        "cortex_get_abstract", "Read the abstract (L0) of a file or folder.", (_URI,)
    ),
    _tool(
        "cortex_get_overview", "Read the overview (L1) of a file or folder.", (_URI,)
    ),
    _tool("cortex_get_content", "Read the text (L2) of a file.", (_URI,)),
    _tool(
        "cortex_migrate",
        "Import the memory of ClawCode, OpenClaw or CursorClaw in the workspace.",
        (
            Field("folder", about="default: the workspace", longest=LONGEST_ADDRESS),
            Field("kind", choices=_KINDS),
            Field("dryRun", "flag", default=True),
        ),
        writes=True,
    ),
    _tool(
        "cortex_maintenance",
        "Bring the search index and the layers up to date.",
        (Field("dryRun", "flag"), Field("commands", "names", choices=_JOBS)),
        writes=True,
    ),
    _tool(
        "cortex_forget",
        "Delete a file or folder of the cortex tree.",
        (_URI,),
        writes=True,
        destroys=True,
    ),
)
"""All tools of MemClaw, in listing order."""
