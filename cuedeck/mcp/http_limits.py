"""Limits of the HTTP server: how many sessions and connections it holds, and how long it waits for a request."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from cuedeck.mcp.connection import MODERN

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_SESSIONS = 256
"""Sessions that are open at the same time."""
CONCURRENCY = 2 * MOST_SESSIONS
"""Connections that are open at the same time; uvicorn answers further ones with 503."""
_HEAD_SECONDS = 15.0
"""For a client to send the head of its first request."""
_BODY_SECONDS = 60.0
"""For a client to send the whole body of a request."""
_SESSION = b"mcp-session-id"
_VERSION = b"mcp-protocol-version"


class SessionLimit:
    """Closes the session that was idle for the longest time when a client opens one too many.

    A client that initialises and goes away leaves its session behind. The SDK answers 503 once `most` sessions are
    open; this application ends an idle one before, by the DELETE request with which a client ends its own.
    A session is idle while none of its requests, its event stream included, is being answered.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._most = most
        self._open: dict[bytes, int] = {}
        """For each session how many of its requests are being answered; the session used last is the last."""
        self._opening = 0
        """How many requests that may open a session are being answered."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        session = _header(scope, _SESSION)
        if session:
            await self._serve(session, scope, receive, send)
        elif scope["method"] == "POST" and _header(scope, _VERSION).decode("latin-1") < MODERN:
            await self._admit(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _serve(self, session: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request of a session, and note whether the session goes on."""
        ended = scope["method"] == "DELETE"

        async def watch(message: Message) -> None:
            nonlocal ended
            ended |= message["type"] == "http.response.start" and message["status"] == 404
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
        """Answer a request that may open a session; make room for it first."""
        opened = b""

        async def watch(message: Message) -> None:
            nonlocal opened
            if message["type"] == "http.response.start" and message["status"] < 400:
                opened = _header(message, _SESSION)
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
        """Return the session that was idle for the longest time; empty when all are in use."""
        return next((session for session, requests in self._open.items() if not requests), b"")

    async def _end(self, session: bytes, scope: Scope) -> None:
        """End a session as its client would."""
        self._open.pop(session, None)
        headers = [each for each in scope["headers"] if each[0] in (b"host", b"accept")]
        await self._app({**scope, "method": "DELETE", "headers": [*headers, (_SESSION, session)]}, _no_body, _drop)


class BodyDeadline:
    """Ends a request whose body has not arrived in time."""

    def __init__(self, app: ASGIApp, seconds: float = _BODY_SECONDS) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
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
    """Closes a connection on which the head of the next request does not arrive in time.

    uvicorn closes a connection that stays silent after an answer. It has no limit for one that has not sent its first
    request, or that sends the head of a request a few bytes at a time.
    """

    seconds = _HEAD_SECONDS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what arrived; a request whose head is complete stops the clock."""
        before = self.cycle
        if self._deadline is None and (before is None or before.response_complete):
            self._wait()
        super().data_received(data)
        if self.cycle is not before:
            self._stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
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


def _header(holder: Any, name: bytes) -> bytes:
    """Return a header of a request or an answer; empty when it has none."""
    return next((bytes(value) for key, value in holder["headers"] if key.lower() == name), b"")


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _drop(message: Message) -> None:
    return None
