"""The client connection of a request, and its protocol revision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.connection import Connection
    from mcp.server.context import ServerRequestContext

    Context = ServerRequestContext[Any, Any]

MODERN = "2026-07-28"
"""First protocol revision without sessions and without requests from the server."""


def connection_of(context: Context) -> Connection:
    """Return the connection of a request; its `exit_stack` is closed when it ends."""
    # The SDK has no public attribute for it.
    connection: Connection = context.session._connection
    return connection


def is_modern(context: Context) -> bool:
    """Return whether the client uses a revision without sessions."""
    return context.protocol_version >= MODERN
