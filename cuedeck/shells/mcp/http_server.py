"""MCP over HTTP at `/mcp`: only for this machine by default; any other host requires a
token.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from cuedeck.engine.live.server_setup import (
    SHORTEST,
    kept_token,
    log_to_stderr,
    log_to_workspace,
)
from cuedeck.model.errors import ConfigurationError
from cuedeck.shells.local_server import AccessCheck, Place, Server, listen
from cuedeck.shells.mcp.server import Service

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from cuedeck.shells.mcp.server_definition import Start


PATH = "/mcp"
_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_LARGEST_BODY = 16 * 1024 * 1024
_CLOSE_SECONDS = 3.0
_GRACE_SECONDS = 1
"""Time to finish responses when the server shuts down."""


def serve_http(start: Start, place: Place, ready: Callable[[str, str], None]) -> int:
    """Serve until the process is asked to end; call `ready` with the URL and the source
    of the token, if one is needed.

    Raises: UsageError for an invalid host, NetworkError if the port is in use,
    ConfigurationError, WorkspaceMissing if a token must be stored but there is no
    workspace.
    """
    log_to_stderr()
    return asyncio.run(_serve(start, place, ready))


async def _serve(start: Start, place: Place, ready: Callable[[str, str], None]) -> int:
    token, where = token_for(start, place.host, *place.names)
    service = Service(start, asks_roots=False)
    with listen(place) as listening:
        config = uvicorn.Config(
            application(service, place, token),
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        server = Server(config)
        log_to_workspace(service.workspaces.log)
        service.workspaces.open_early()
        host, port = listening.getsockname()[:2]
        ready(f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}", where)
        await server.serve(sockets=[listening])
    code = 130 if server.ended_by == signal.SIGINT else 0
    if not service.workspaces.close(_CLOSE_SECONDS):
        # An interrupted scan is repeated by the next process, so do not wait for it.
        os._exit(code)
    return code


def application(service: Service, place: Place, token: str = "") -> ASGIApp:
    """Return the ASGI application that serves the protocol at `/mcp`, with its access
    checks and limits.
    """
    app = service.build().streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=False
        ),  # `AccessCheck` is stricter
        max_request_body_size=_LARGEST_BODY,
    )
    return AccessCheck(app, names_of(place), token)


def is_loopback(host: str) -> bool:
    """Return whether an address is reachable from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def token_for(start: Start, *hosts: str) -> tuple[str, str]:
    """Return the token that clients must send, and its source; both empty if all hosts
    are loopback.

    A host name other than loopback means a proxy or a tunnel that makes the server
    reachable for others.

    Raises: ConfigurationError, WorkspaceMissing, NetworkError.
    """
    token = start.environ.get(VARIABLE, "").strip()
    if token and (
        len(token) < SHORTEST
        or not token.isascii()
        or not token.isprintable()
        or " " in token
    ):
        raise ConfigurationError(
            f"{VARIABLE} is not a valid token",
            hint=f"give at least {SHORTEST} printable ASCII characters without blanks",
        )
    if token or all(map(is_loopback, hosts)):
        return token, "the environment" if token else ""
    return kept_token(start.folder)


def names_of(place: Place) -> tuple[str, ...]:
    """Return the host names that requests may use."""
    own = f"[{place.host}]" if ":" in place.host else place.host
    names = dict.fromkeys([*_LOCAL, own, *place.names])
    return tuple(names)


VARIABLE = "CUEDECK_MCP_TOKEN"
