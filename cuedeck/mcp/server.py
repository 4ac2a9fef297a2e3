"""The MCP server: registration of tools, resources and prompts with the SDK."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.server.subscriptions import ListenHandler

from cuedeck import __version__
from cuedeck.mcp.connection import connection_of
from cuedeck.mcp.resource_handlers import ResourceHandlers
from cuedeck.mcp.server_instructions import INSTRUCTIONS, NAME, TITLE
from cuedeck.mcp.start_options import Start
from cuedeck.mcp.subscriptions import Subscriptions
from cuedeck.mcp.tool_handlers import ToolHandlers
from cuedeck.mcp.workspace_choice import Workspaces

if TYPE_CHECKING:
    from cuedeck.app.server.workspace_worker import Changes
    from cuedeck.mcp.connection import Context

_ROOTS_CHANGED = "notifications/roots/list_changed"


class Service:
    """State shared by all connections of one server."""

    def __init__(self, start: Start, *, asks_roots: bool) -> None:
        self.workspaces = Workspaces(start, self._announce, asks_roots=asks_roots)
        self._subscriptions = Subscriptions(self.workspaces.watch_scene)
        self._toolbox = ToolHandlers(self.workspaces, start)
        self._shelf = ResourceHandlers(self.workspaces, self._subscriptions)
        self._announcing: set[asyncio.Task[None]] = set()

    def build(self) -> Server[Any]:
        """Return an SDK server with all handlers registered."""
        server = _Server(
            NAME,
            version=__version__,
            title=TITLE,
            instructions=INSTRUCTIONS,
            on_list_tools=self._toolbox.list,
            on_call_tool=self._toolbox.call,
            on_list_resources=self._shelf.list_resources,
            on_list_resource_templates=self._shelf.list_templates,
            on_read_resource=self._shelf.read_resource,
            on_subscribe_resource=self._shelf.subscribe,
            on_unsubscribe_resource=self._shelf.unsubscribe,
            on_subscriptions_listen=ListenHandler(self._subscriptions.bus),
            on_list_prompts=self._shelf.list_prompts,
            on_get_prompt=self._shelf.get_prompt,
        )
        # Registered this way because the constructor arguments emit deprecation warnings.
        server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self._set_level)
        server.add_notification_handler(_ROOTS_CHANGED, types.NotificationParams, self._roots_changed)
        return server

    async def _set_level(self, context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
        self._subscriptions.set_level(connection_of(context), params.level)
        return types.EmptyResult()

    async def _roots_changed(self, context: Context, params: types.NotificationParams) -> None:
        self.workspaces.forget_roots()

    def _announce(self, changes: Changes) -> None:
        task = asyncio.get_running_loop().create_task(self._tell(changes))
        self._announcing.add(task)
        task.add_done_callback(self._announcing.discard)

    async def _tell(self, changes: Changes) -> None:
        try:
            await self._subscriptions.announce(changes)
        except Exception:
            logging.getLogger(__name__).exception("telling of a change failed")


class _Server(Server[Any]):
    """A server that announces changes of its list of resources."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Return the options for the `initialize` response."""
        changing = notification_options or NotificationOptions(resources_changed=True)
        return super().create_initialization_options(changing, experimental_capabilities, extensions)
