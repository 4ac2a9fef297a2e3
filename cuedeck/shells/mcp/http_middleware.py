"""ASGI middleware of the HTTP server: checks of host, origin and token, and limits of
sessions and of time.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from uvicorn.protocols.http.h11_impl import H11Protocol

from cuedeck.shells.mcp.workspace_choice import MODERN

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^][:/?#@\\\s]+)(?::[0-9]{1,5})?")
_ORIGIN = re.compile(r"https?://(.*)", re.IGNORECASE | re.DOTALL)
_HTTP = 80
_TEXT = [(b"content-type", b"text/plain")]


class HostCheck:
    """ASGI middleware that checks the `Host` header and, if present, the `Origin`
    header (DNS rebinding protection).
    """

    def __init__(
        self, app: ASGIApp, names: Iterable[str], *, only_own_origin: bool = True
    ) -> None:
        """Accept these hosts; one without a port matches all ports.

        With `only_own_origin`, a page must come from this server itself, port
        included: the page of another local server must not call a server without a
        token.
        """
        self._app = app
        self._names = frozenset(name.lower() for name in names)
        self._only_own_origin = only_own_origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject the request or pass it on."""
        refusal = None
        if scope["type"] == "http":
            refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
            return
        status, reason = refusal
        await send({"type": "http.response.start", "status": status, "headers": _TEXT})
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
        if not self._only_own_origin:
            return True
        return urlsplit(origin).scheme == "http" and _port_of(origin) == port

    def _refusal(self, scope: Scope) -> tuple[int, bytes] | None:
        """Return the status and text of a refusal; None for an allowed request."""
        hosts = _headers(scope, b"host")
        if len(hosts) != 1 or not self.has(hosts[0].decode("latin-1")):
            return 421, b"Invalid Host header"
        port = scope["server"][1]
        for origin in _headers(scope, b"origin"):
            if not self.has_origin(origin.decode("latin-1"), port):
                return 403, b"Invalid Origin header"
        return None


def _port_of(origin: str) -> int:
    """Return the port of an origin, by default that of HTTP; -1 if it is invalid."""
    try:
        return urlsplit(origin).port or _HTTP
    except ValueError:
        return -1


_REFUSAL = (
    b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Unauthorized"}}'
)
_REFUSAL_HEADERS = [
    (b"content-type", b"application/json"),
    (b"www-authenticate", b"Bearer"),
]


class TokenCheck:
    """ASGI middleware that requires the bearer token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject the request or pass it on."""
        if scope["type"] == "http" and not self._has_token(scope):
            await send(
                {
                    "type": "http.response.start",
                    "status": 401,
                    "headers": _REFUSAL_HEADERS,
                }
            )
            await send({"type": "http.response.body", "body": _REFUSAL})
            return
        await self._app(scope, receive, send)

    def _has_token(self, scope: Scope) -> bool:
        given = _headers(scope, b"authorization")
        if len(given) != 1:
            return False
        return hmac.compare_digest(given[0], self._expected)


MOST_SESSIONS = 256
"""Maximum number of open sessions."""
CONCURRENCY = 2 * MOST_SESSIONS
"""Maximum number of open connections; uvicorn answers further ones with 503."""
_HEAD_SECONDS = 15.0
"""Timeout for the head of a request."""
_BODY_SECONDS = 60.0
"""Timeout for the whole body of a request."""
SESSION = b"mcp-session-id"
_VERSION = b"mcp-protocol-version"


class SessionLimit:
    """Closes the least recently used idle session when a client opens one too many.

    A client that initialises and disconnects leaves its session open. The SDK answers
    503 when `most` sessions are open; this middleware ends an idle one before that,
    with the DELETE request that a client would send. A session is idle while none of
    its requests, including its event stream, is in progress.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most
        self._open: dict[bytes, int] = {}
        """Number of requests in progress for each session; least recently used first.
        """
        self._opening = 0
        """Number of requests in progress that may open a session."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        session = header_of(scope, SESSION)
        if session:
            await self._serve(session, scope, receive, send)
        elif (
            scope["method"] == "POST"
            and header_of(scope, _VERSION).decode("latin-1") < MODERN
        ):
            await self._admit(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _serve(
        self, session: bytes, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Handle a request of a session, and record whether the session ended."""
        ended = scope["method"] == "DELETE"

        async def watch(message: Message) -> None:
            nonlocal ended
            ended |= (
                message["type"] == "http.response.start" and message["status"] == 404
            )
            await send(message)

        known = session in self._open
        if known:
            self._open[session] = self._open.pop(session) + 1
        try:
            await self._app(scope, receive, watch)
        finally:
            if ended:
                self._open.pop(session, None)
            elif session in self._open and known:
                self._open[session] -= 1

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request that may open a session; first make room for it."""
        opened = b""

        async def watch(message: Message) -> None:
            nonlocal opened
            if message["type"] == "http.response.start" and message["status"] < 400:
                opened = header_of(message, SESSION)
                if opened:
                    self._open[opened] = 1
            await send(message)

        while len(self._open) + self._opening >= self._most and (idle := self._idle()):
            await self._end(idle, scope)
        self._opening += 1
        try:
            await self._app(scope, receive, watch)
        finally:
            self._opening -= 1
            if opened in self._open:
                self._open[opened] -= 1

    def _idle(self) -> bytes:
        """Return the least recently used idle session; empty if all are in use."""
        return next(
            (session for session, requests in self._open.items() if not requests), b""
        )

    async def _end(self, session: bytes, scope: Scope) -> None:
        """End a session by the request that its client would send."""
        self._open.pop(session, None)
        headers = [each for each in scope["headers"] if each[0] in (b"host", b"accept")]
        await self._app(
            {**scope, "method": "DELETE", "headers": [*headers, (SESSION, session)]},
            _no_body,
            _drop,
        )


class BodyDeadline:
    """Ends a request whose body does not arrive in time."""

    def __init__(self, app: ASGIApp, seconds: float = _BODY_SECONDS) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        until = asyncio.get_running_loop().time() + self._seconds
        is_whole = False

        async def timed() -> Message:
            nonlocal is_whole
            if is_whole:
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                is_whole = True
                return {"type": "http.disconnect"}
            is_whole = not message.get("more_body", False)
            return message

        await self._app(scope, timed, send)


class HeadDeadline(H11Protocol):
    """Closes a connection if the head of its next request does not arrive in time.

    uvicorn only closes a connection that stays silent after a response. It has no
    timeout for one that has not sent its first request, or that sends the head of a
    request a few bytes at a time.
    """

    seconds = _HEAD_SECONDS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Process received data; a complete head stops the timeout."""
        before = self.cycle
        if self._deadline is None and (before is None or before.response_complete):
            self._wait()
        super().data_received(data)
        if self.cycle is not before:
            self._stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(self.seconds, self._give_up)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


def _headers(holder: Any, name: bytes) -> list[bytes]:
    """Return the values of a header of a request or response."""
    found: list[bytes] = []
    for key, value in holder["headers"]:
        if key.lower() == name:
            found.append(bytes(value))
    return found


def header_of(holder: Any, name: bytes) -> bytes:
    """Return the first value of a header of a request or response; empty if missing."""
    return next(iter(_headers(holder, name)), b"")


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _drop(message: Message) -> None:
    return None
