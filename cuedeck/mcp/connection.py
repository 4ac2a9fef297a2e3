"""Who is connected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.connection import Connection
    from mcp.server.context import ServerRequestContext

    Context = ServerRequestContext[Any, Any]

MODERN = "2026-07-28"
"""The revision from which on there are no sessions and no requests of the server."""


def connection_of(context: Context) -> Connection:
    """Return the connection a request came by; its `exit_stack` ends with it."""
    # The SDK hands it to handlers under no public name.
    connection: Connection = context.session._connection
    return connection


def is_modern(context: Context) -> bool:
    """Tell whether the client speaks a revision without sessions."""
    return context.protocol_version >= MODERN
