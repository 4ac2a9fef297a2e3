"""The MCP server: handlers of tools, resources and prompts on the SDK's low-level
server.

The low-level class is used because `MCPServer` of SDK 2.3 does not keep the contract
(measured with all tools): the schemas that it derives take 3,082 tokens without
output schemas, those here at most 2,500 with them; an invalid argument is
answered with the unmasked value and without code and hint; unknown and doubled
arguments are ignored silently; comma-separated lists are refused. It has no resource
subscriptions.
"""

from __future__ import annotations

import asyncio
import difflib
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import mcp_types as types
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError

from cuedeck import __version__
from cuedeck.model.errors import CueDeckError, Invalid, NotFound, WorkspaceMissing
from cuedeck.shells.mcp import prompt_texts, resources
from cuedeck.shells.mcp.resources import Subscriptions
from cuedeck.shells.mcp.server_definition import (
    INSTRUCTIONS,
    NAME,
    TITLE,
    Start,
    callable_tools,
    is_known,
    listed_tools,
)
from cuedeck.shells.mcp.tool_base import ROOM
from cuedeck.shells.mcp.tool_result import (
    LARGEST_CHARACTERS,
    MOST_CHARACTERS,
    ResultPage,
    error_content,
    fail,
    fit,
    offset,
    succeed,
)
from cuedeck.shells.mcp.workspace_choice import (
    RootsNeeded,
    Workspaces,
    connection_of,
    is_modern,
)
from cuedeck.shells.tool_fields import CURSOR

if TYPE_CHECKING:
    from cuedeck.engine.live.change import Change
    from cuedeck.model.ports import Json
    from cuedeck.shells.mcp.workspace_choice import Context

NOT_FOUND = -32002
"""Error code of a missing resource; the modern revision uses the code for invalid
parameters instead.
"""
_ROOTS_CHANGED = "notifications/roots/list_changed"
_READS_LIMIT = ("claude-code",)
"""Names of clients that read the maximum size of a result from the list of tools."""
_LONGEST_NAME = 100

Params = TypeVar("Params")
Result = TypeVar("Result")


class Service:
    """Handlers and state shared by all connections of one server."""

    def __init__(self, start: Start, *, asks_roots: bool) -> None:
        self._subscriptions = Subscriptions()
        self.workspaces = Workspaces(
            start,
            self._announce,
            self._subscriptions.wants_scene,
            asks_roots=asks_roots,
        )
        self._start = start
        self._tools = callable_tools(read_only=start.read_only)
        self._announcements: set[asyncio.Task[None]] = set()

    def build(self) -> Server[Any]:
        """Return an SDK server with all handlers registered."""
        server = _Server(
            NAME,
            version=__version__,
            title=TITLE,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=_reported(self._list_resources),
            on_list_resource_templates=self._list_templates,
            on_read_resource=_reported(self._read_resource, missing=NOT_FOUND),
            on_subscribe_resource=_reported(self._subscribe, missing=NOT_FOUND),
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=ListenHandler(self._subscriptions.bus),
            on_list_prompts=self._list_prompts,
            on_get_prompt=_reported(self._get_prompt),
        )
        # Registered this way because the constructor argument emits a deprecation
        # warning.
        server.add_notification_handler(
            _ROOTS_CHANGED, types.NotificationParams, self._roots_changed
        )
        return server

    # --- tools

    async def _list_tools(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        _check_first_page(params)
        tools = [
            types.Tool.model_validate(tool.described())
            for tool in listed_tools(self._start)
        ]
        return types.ListToolsResult(tools=tools)

    async def _call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Run a tool; failures are reported in the result."""
        tool = self._tools.get(params.name)
        if tool is None:
            return self._refuse(params.name)
        try:
            given = {**tool.read(params.arguments or {}), ROOM: _room_of(context)}
            answer = await self.workspaces.ask(
                context,
                params,
                lambda workspace: tool.run(workspace, given),
                is_general=tool.is_general,
            )
            start = offset(given.get(CURSOR.name) or "")
        except RootsNeeded as needed:
            return needed.result
        except CueDeckError as error:
            return fail(error)
        except Exception as error:  # outermost frame: an internal error becomes one result, and the server goes on
            logging.getLogger(__name__).exception("%s failed", tool.name)
            hint = "this is a bug in CueDeck; the server log shows the location"
            return fail(
                CueDeckError(f"internal error: {type(error).__name__}", hint=hint)
            )
        if isinstance(answer, ResultPage):
            return succeed(answer)
        return succeed(fit(answer, start))

    def _refuse(self, name: str) -> types.CallToolResult:
        """Return the reason why a tool cannot be called. Raises: MCPError if it does
        not exist.
        """
        if is_known(name):
            return fail(
                Invalid(
                    f"`{name}` writes, and this server is read-only",
                    hint="start it without --read-only",
                )
            )
        near = difflib.get_close_matches(name[:_LONGEST_NAME], list(self._tools), 1)
        hint = f"did you mean `{near[0]}`?" if near else ""
        error = NotFound(f"Unknown tool: {name}", hint=hint)
        raise _to_protocol(error, types.INVALID_PARAMS)

    # --- resources

    async def _list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Return a page of resources; empty without a workspace."""
        cursor = (params.cursor if params else "") or ""
        try:
            rows, after = await self.workspaces.ask(
                context,
                None,
                lambda workspace: resources.list_resources(workspace, cursor),
            )
        except WorkspaceMissing:
            rows, after = [], ""
        return types.ListResourcesResult(
            resources=list(map(resources.to_resource, rows)), next_cursor=after or None
        )

    async def _list_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        _check_first_page(params)
        return types.ListResourceTemplatesResult(
            resource_templates=resources.templates()
        )

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        text, mime = await self.workspaces.ask(
            context, params, lambda workspace: resources.read_resource(workspace, uri)
        )
        return resources.to_result(uri, text, mime)

    async def _subscribe(
        self, context: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        uri = str(params.uri)
        if resources.parse_uri(uri) is None:
            raise resources.no_resource(uri)
        self._subscriptions.add(connection_of(context), uri)
        with suppress(CueDeckError, RootsNeeded):  # the workspace may be created later
            # An open workspace is watched for changes.
            await self.workspaces.ask(context, None, lambda workspace: None)
        return types.EmptyResult()

    async def _unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        self._subscriptions.drop(connection_of(context), str(params.uri))
        return types.EmptyResult()

    # --- prompts

    async def _list_prompts(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        _check_first_page(params)
        return types.ListPromptsResult(prompts=prompt_texts.listed())

    async def _get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        given = params.arguments or {}
        template = prompt_texts.check(params.name, given)
        text, scene = await self.workspaces.ask(
            context, params, lambda workspace: template.write(workspace, given)
        )
        return prompt_texts.to_result(template, text, scene)

    # --- notifications

    async def _roots_changed(
        self, context: Context, params: types.NotificationParams
    ) -> None:
        self.workspaces.forget_roots()

    def _announce(self, change: Change) -> None:
        task = asyncio.get_running_loop().create_task(self._notify(change))
        self._announcements.add(task)
        task.add_done_callback(self._announcements.discard)

    async def _notify(self, change: Change) -> None:
        try:
            await self._subscriptions.announce(change)
        except Exception:
            logging.getLogger(__name__).exception("the notification of a change failed")


class _Server(Server[Any]):
    """A server that announces changes of its list of resources."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, Json] | None = None,
        extensions: dict[str, Json] | None = None,
    ) -> InitializationOptions:
        """Return the options for the `initialize` response."""
        changing = notification_options or NotificationOptions(resources_changed=True)
        return super().create_initialization_options(
            changing, experimental_capabilities, extensions
        )


def _room_of(context: Context) -> int:
    """Return the maximum characters of a result for this client when it asks for a long
    one.
    """
    params = connection_of(context).client_params
    name = ""
    if params is not None:
        name = params.client_info.name
    return LARGEST_CHARACTERS if name in _READS_LIMIT else MOST_CHARACTERS


def _check_first_page(params: types.PaginatedRequestParams | None) -> None:
    if params is not None and params.cursor:
        raise MCPError(types.INVALID_PARAMS, "unknown cursor")


def _reported(
    handler: Callable[[Context, Params], Awaitable[Result]],
    *,
    missing: int = types.INVALID_PARAMS,
) -> Callable[[Context, Params], Awaitable[Any]]:
    """Return a handler whose failures are JSON-RPC errors; if roots are needed, it
    returns the request for them.

    `missing` is the error code of something that does not exist.
    """

    async def report(
        context: Context, params: Params
    ) -> Result | types.InputRequiredResult:
        try:
            return await handler(context, params)
        except RootsNeeded as needed:
            return needed.result
        except MCPError:
            raise
        except CueDeckError as error:
            is_missing = isinstance(error, NotFound) and not is_modern(context)
            code = missing if is_missing else types.INVALID_PARAMS
            raise _to_protocol(error, code) from error
        except Exception as error:
            logging.getLogger(__name__).exception("%s failed", context.method)
            raise MCPError(
                types.INTERNAL_ERROR, f"internal error: {type(error).__name__}"
            ) from error

    return report


def _to_protocol(error: CueDeckError, code: int) -> MCPError:
    """Return an error as a protocol error, with our code, hint and candidates as its
    data.
    """
    content = error_content(error)
    hint = ""
    if content["hint"]:
        hint = f"; {content['hint']}"
    return MCPError(code, f"{content['message']}{hint}", content)
