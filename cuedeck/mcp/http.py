"""The server over HTTP, at `/mcp`: for this machine alone unless it is told otherwise and given a token."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from cuedeck.app.serving.token import kept_token
from cuedeck.mcp.limits import CONCURRENCY, MOST_SESSIONS, BodyDeadline, HeadDeadline, SessionLimit
from cuedeck.mcp.logs import log_to_workspace
from cuedeck.mcp.names import Names
from cuedeck.mcp.server import Service
from cuedeck.mcp.token import Guard, given_token
from cuedeck.model.errors import NetworkError, UsageError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from cuedeck.mcp.start import Start

PATH = "/mcp"
_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_LARGEST_BODY = 16 * 1024 * 1024
_CLOSE_SECONDS = 3.0
_GRACE_SECONDS = 1
"""For answers that are being written when the server ends."""


class Place(NamedTuple):
    """Where the server listens."""

    host: str
    port: int = 0
    names: tuple[str, ...] = ()
    """By which clients may call it, besides its address."""


def serve_http(start: Start, place: Place, ready: Callable[[str, str], None]) -> int:
    """Serve until the process is asked to end; `ready` gets the address and where the token is, if one is needed.

    Raises: UsageError for a host that is none, NetworkError when the port is taken, ConfigurationError,
    WorkspaceMissing when a token has to be kept and there is nowhere to keep it.
    """
    return asyncio.run(_serve(start, place, ready))


async def _serve(start: Start, place: Place, ready: Callable[[str, str], None]) -> int:
    token, where = token_for(start, place.host, *place.names)
    service = Service(start, asks_roots=False)
    with _listen(place) as listening:
        config = uvicorn.Config(
            application(service, place, token),
            http=HeadDeadline,
            limit_concurrency=CONCURRENCY,
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            lifespan="on",
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        server = _Server(config)
        log_to_workspace(service.workspaces.log)
        service.workspaces.open_early()
        host, port = listening.getsockname()[:2]
        ready(f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}", where)
        await server.serve(sockets=[listening])
    code = 130 if server.ended_by == signal.SIGINT else 0
    if not service.workspaces.close(_CLOSE_SECONDS):
        os._exit(code)  # what is still read is read again; nobody waits for a server that was told to end
    return code


def application(service: Service, place: Place, token: str = "") -> ASGIApp:
    """Return the ASGI application that serves the protocol at `/mcp`, with its access checks and limits."""
    app: ASGIApp = service.build().streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # `Names` is stricter
        max_sessions=MOST_SESSIONS,
        max_request_body_size=_LARGEST_BODY,
    )
    app = BodyDeadline(SessionLimit(app, MOST_SESSIONS))
    return Names(Guard(app, token) if token else app, names_of(place))


class _Server(uvicorn.Server):
    """Ends when asked to, without killing the process by the same signal afterwards."""

    ended_by: int = 0

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take note of signals while serving."""
        loop = asyncio.get_running_loop()
        numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]
        for number in numbers:
            try:
                loop.add_signal_handler(number, self._end, number)
            except NotImplementedError:  # Windows
                signal.signal(number, lambda number, _: loop.call_soon_threadsafe(self._end, number))
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End; streams that clients keep open are cut, which is nothing to report."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)

    def _end(self, number: int) -> None:
        self.force_exit = self.should_exit  # asked twice
        self.should_exit = True
        self.ended_by = number


def _listen(place: Place) -> socket.socket:
    """Return a socket that is bound. Raises: UsageError, NetworkError."""
    try:
        family, _, _, _, address = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UsageError(f"{place.host} is no host to listen at", hint="give --host an address") from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()  # who is told the address now must not be refused
    except OSError as error:
        listening.close()
        hint = "give another --port, or 0 for any that is free"
        raise NetworkError(f"cannot listen at {place.host}:{place.port}: {error.strerror}", hint=hint) from error
    return listening


def is_loopback(host: str) -> bool:
    """Tell whether an address is reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def token_for(start: Start, *hosts: str) -> tuple[str, str]:
    """Return the token clients must show and where it is from; empty when all hosts are this machine's own.

    A name of another kind means a proxy or a tunnel, through which others come.

    Raises: ConfigurationError, WorkspaceMissing, NetworkError.
    """
    token = given_token(start.environ)
    if token or all(map(is_loopback, hosts)):
        return token, "the environment" if token else ""
    return kept_token(start.folder)


def names_of(place: Place) -> tuple[str, ...]:
    """Return the hosts by which requests may call the server."""
    own = f"[{place.host}]" if ":" in place.host else place.host
    return tuple(dict.fromkeys((*_LOCAL, own, *place.names)))
