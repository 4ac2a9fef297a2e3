"""Handlers for listing and calling tools."""

from __future__ import annotations

import difflib
import logging
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.shared.exceptions import MCPError

from cuedeck.mcp.paging import CURSOR, offset
from cuedeck.mcp.protocol_errors import check_first_page
from cuedeck.mcp.result_limits import fit, room_of
from cuedeck.mcp.tool_base import ROOM, ResultPage
from cuedeck.mcp.tool_result import fail, succeed
from cuedeck.mcp.tools import callable_tools, is_known, listed_tools
from cuedeck.mcp.workspace_choice import RootsNeeded
from cuedeck.model.errors import CueDeckError, Invalid

if TYPE_CHECKING:
    from cuedeck.mcp.connection import Context
    from cuedeck.mcp.start_options import Start
    from cuedeck.mcp.workspace_choice import Workspaces

_SHOWN = 100


class ToolHandlers:
    """Handles `tools/list` and `tools/call` requests."""

    def __init__(self, workspaces: Workspaces, start: Start) -> None:
        self._workspaces = workspaces
        self._start = start
        self._tools = callable_tools(read_only=start.read_only)

    async def list(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """Return every tool that the settings of the workspace enable."""
        check_first_page(params)
        return types.ListToolsResult(tools=[tool.listed() for tool in listed_tools(self._start)])

    async def call(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Run a tool; failures are reported in the result."""
        tool = self._tools.get(params.name)
        if tool is None:
            return self._refuse(params.name)
        try:
            given = {**tool.read(params.arguments or {}), ROOM: room_of(context)}
            answer = await self._workspaces.ask(context, params, lambda project: tool.run(project, given))
            start = offset(given.get(CURSOR.name) or "")
        except RootsNeeded as needed:
            return needed.result
        except CueDeckError as error:
            return fail(error)
        except Exception as error:  # outermost frame: an internal error becomes one result, and the server goes on
            logging.getLogger(__name__).exception("%s failed", tool.name)
            hint = "this is a fault of CueDeck; the log of the server shows where"
            return fail(CueDeckError(f"internal error: {type(error).__name__}", hint=hint))
        return succeed(answer if isinstance(answer, ResultPage) else fit(answer, start))

    def _refuse(self, name: str) -> types.CallToolResult:
        """Return the reason why a tool cannot be called. Raises: MCPError if it does not exist."""
        if is_known(name):
            return fail(Invalid(f"`{name}` writes, and this server only reads", hint="start it without --read-only"))
        near = difflib.get_close_matches(name[:_SHOWN], list(self._tools), 1)
        hint = f"; did you mean `{near[0]}`?" if near else ""
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {name[:_SHOWN]}{hint}")
