"""Handlers for resources and prompts: lists, contents and subscriptions."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from cuedeck.mcp import prompt_texts, resource_list
from cuedeck.mcp.connection import connection_of
from cuedeck.mcp.protocol_errors import NOT_FOUND, answered, check_first_page, settled, to_protocol
from cuedeck.mcp.resource_uri import parse_uri
from cuedeck.mcp.workspace_choice import RootsNeeded
from cuedeck.model.errors import CueDeckError, WorkspaceMissing

if TYPE_CHECKING:
    from cuedeck.mcp.connection import Context
    from cuedeck.mcp.subscriptions import Subscriptions
    from cuedeck.mcp.workspace_choice import Workspaces


class ResourceHandlers:
    """Handles `resources/…` and `prompts/…` requests."""

    def __init__(self, workspaces: Workspaces, subscriptions: Subscriptions) -> None:
        self._workspaces = workspaces
        self._subscriptions = subscriptions

    async def list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """Return a page of resources; empty without a workspace."""
        cursor = (params.cursor if params else "") or ""
        rows, after = await settled(self._rows(context, cursor), context)
        listed = [resource_list.to_resource(row) for row in rows]
        return types.ListResourcesResult(resources=listed, next_cursor=after or None)

    async def _rows(self, context: Context, cursor: str) -> tuple[list[dict[str, Any]], str]:
        try:
            return await self._workspaces.ask(
                context, None, lambda project: resource_list.list_resources(project, cursor)
            )
        except WorkspaceMissing:
            return [], ""

    async def list_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Return the URI templates."""
        check_first_page(params)
        return types.ListResourceTemplatesResult(resource_templates=resource_list.templates())

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult | types.InputRequiredResult:
        """Return the text of a resource."""
        uri = str(params.uri)
        asking = self._workspaces.ask(context, params, lambda project: resource_list.read_resource(project, uri))
        found = await answered(asking, context, missing=NOT_FOUND)
        return found if isinstance(found, types.InputRequiredResult) else resource_list.to_result(uri, *found)

    async def subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        """Subscribe the client to a resource, which need not exist yet."""
        uri = str(params.uri)
        if parse_uri(uri) is None:
            raise to_protocol(resource_list.no_resource(uri), context, missing=NOT_FOUND)
        if not self._subscriptions.add(connection_of(context), uri):
            raise MCPError(types.INVALID_PARAMS, "too many subscriptions")
        with suppress(CueDeckError, RootsNeeded):  # the workspace may be created later
            await self._workspaces.ask(context, None, lambda project: None)  # an open workspace is watched for changes
        return types.EmptyResult()

    async def unsubscribe(self, context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        """Remove the subscription of the client to a resource."""
        self._subscriptions.drop(connection_of(context), str(params.uri))
        return types.EmptyResult()

    async def list_prompts(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """Return every prompt."""
        check_first_page(params)
        return types.ListPromptsResult(prompts=prompt_texts.listed())

    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        """Return the text of a prompt."""
        given = params.arguments or {}
        try:
            template = prompt_texts.check(params.name, given)
        except CueDeckError as error:
            raise to_protocol(error, context) from error
        asking = self._workspaces.ask(context, params, lambda project: template.say(project, given))
        said = await answered(asking, context)
        return said if isinstance(said, types.InputRequiredResult) else prompt_texts.to_result(template, said)
