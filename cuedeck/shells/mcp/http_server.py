"""MCP over HTTP at `/mcp`: only for this machine by default; any other host requires a
token.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import logging
import os
import re
import signal
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FrameType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from cuedeck.engine.live.server_setup import (
    SHORTEST,
    kept_token,
    log_to_stderr,
    log_to_workspace,
)
from cuedeck.model.errors import ConfigurationError, NetworkError, UsageError
from cuedeck.shells.mcp.server import Service

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from cuedeck.shells.mcp.server_definition import Start


PATH = "/mcp"
_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_LARGEST_BODY = 16 * 1024 * 1024
_CLOSE_SECONDS = 3.0
_GRACE_SECONDS = 1
"""Time to finish responses when the server shuts down."""


class Place(NamedTuple):
    """The address to listen on."""

    host: str
    port: int = 0
    names: tuple[str, ...] = ()
    """Host names that clients may use, in addition to the address."""


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


class Server(uvicorn.Server):
    """A uvicorn server that ends on a signal without re-raising it against the
    process.
    """

    ended_by: int = 0
    before_end: Callable[[], object] = staticmethod(int)
    """Called before open responses are awaited."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle termination signals while serving."""
        for name in ("SIGTERM", "SIGINT", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self.handle_exit)
        yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin the shutdown; at a second signal, end at once."""
        super().handle_exit(sig, frame)
        self.ended_by = sig

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Shut down; open client streams are cut, which is not worth a log entry."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        self.before_end()
        await super().shutdown(sockets)


def listen(place: Place) -> socket.socket:
    """Return a listening socket. Raises: UsageError, NetworkError."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            place.host, place.port, type=socket.SOCK_STREAM
        )[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UsageError(
            f"{place.host} is not an address of this machine",
            hint="give --host an address",
        ) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()  # clients may connect as soon as the address is printed
    except OSError as error:
        listening.close()
        raise NetworkError(
            f"cannot listen at {place.host}:{place.port}: {error.strerror}",
            hint="give another --port, or 0 for any that is free",
        ) from error
    return listening


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
    token = given_token(start.environ)
    if token or all(map(is_loopback, hosts)):
        return token, "the environment" if token else ""
    return kept_token(start.folder)


def names_of(place: Place) -> tuple[str, ...]:
    """Return the host names that requests may use."""
    own = f"[{place.host}]" if ":" in place.host else place.host
    names = dict.fromkeys([*_LOCAL, own, *place.names])
    return tuple(names)


VARIABLE = "CUEDECK_MCP_TOKEN"


def given_token(environ: Mapping[str, str]) -> str:
    """Return the token from the environment, or empty. Raises: ConfigurationError if it
    is too short or malformed.
    """
    token = environ.get(VARIABLE, "").strip()
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
    return token


_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^][:/?#@\\\s]+)(?::[0-9]{1,5})?")
_ORIGIN = re.compile(r"https?://(.*)", re.IGNORECASE | re.DOTALL)
_HTTP = 80
_TEXT = (b"content-type", b"text/plain")
_BEARER = (b"www-authenticate", b"Bearer")


class AccessCheck:
    """ASGI middleware that checks the `Host` header, the `Origin` header if present
    (DNS rebinding protection), and the bearer token if there is one.

    The checks of the SDK accept the pages of other servers of this machine.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str], token: str = "") -> None:
        """Accept these hosts; one without a port matches all ports.

        Without a token, a page must come from this server itself, port included: the
        page of another local server must not call it.
        """
        self._app = app
        self._names = frozenset(name.lower() for name in names)
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject the request or pass it on."""
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        if refusal is None:
            await self._app(scope, receive, send)
            return
        status, reason = refusal
        headers = [_TEXT, _BEARER] if status == 401 else [_TEXT]
        await send(
            {"type": "http.response.start", "status": status, "headers": headers}
        )
        await send({"type": "http.response.body", "body": reason})

    def has(self, host: str) -> bool:
        """Return whether a `Host` value is allowed; case is ignored."""
        found = _HOST.fullmatch(host.lower())
        if found is None:
            return False
        return not self._names.isdisjoint((found[0], found[1]))

    def has_origin(self, origin: str, port: int) -> bool:
        """Return whether an `Origin` value is a page of an allowed host; `port` is the
        port of this server.
        """
        found = _ORIGIN.fullmatch(origin)
        if found is None or not self.has(found[1]):
            return False
        if self._token:
            return True
        return urlsplit(origin).scheme == "http" and _port_of(origin) == port

    def _refusal(self, scope: Scope) -> tuple[int, bytes] | None:
        """Return the status and text of a refusal; None for an allowed request."""
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or not self.has(hosts[0].decode("latin-1")):
            return 421, b"Invalid Host header"
        port = scope["server"][1]
        for origin in _values(scope, b"origin"):
            if not self.has_origin(origin.decode("latin-1"), port):
                return 403, b"Invalid Origin header"
        if self._token and not self._has_token(_values(scope, b"authorization")):
            return 401, b"Unauthorized"
        return None

    def _has_token(self, given: list[bytes]) -> bool:
        expected = f"Bearer {self._token}".encode()
        return len(given) == 1 and hmac.compare_digest(given[0], expected)


def _port_of(origin: str) -> int:
    """Return the port of an origin, by default that of HTTP; -1 if it is invalid."""
    try:
        return urlsplit(origin).port or _HTTP
    except ValueError:
        return -1


def _values(scope: Scope, name: bytes) -> list[bytes]:
    return [bytes(value) for key, value in scope["headers"] if key.lower() == name]
