"""A server on this machine: its socket, its end on a signal, and the check of the
headers `Host` and `Origin`.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import re
import signal
import socket
from collections.abc import Callable, Iterable, Iterator
from types import FrameType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import uvicorn

from cuedeck.model.errors import NetworkError, UsageError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^][:/?#@\\\s]+)(?::[0-9]{1,5})?")
_ORIGIN = re.compile(r"https?://(.*)", re.IGNORECASE | re.DOTALL)
_HTTP = 80
_TEXT = (b"content-type", b"text/plain")
_BEARER = (b"www-authenticate", b"Bearer")


class Place(NamedTuple):
    """The address to listen on."""

    host: str
    port: int = 0
    names: tuple[str, ...] = ()
    """Host names that clients may use, in addition to the address."""


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
