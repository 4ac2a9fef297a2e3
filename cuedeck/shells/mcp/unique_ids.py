"""ASGI middleware that refuses a request whose id another request in progress has."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cuedeck.shells.mcp.http_middleware import SESSION, header_of
from cuedeck.shells.mcp.stdio_stream import request_id

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_INVALID_REQUEST = -32600
_JSON = [(b"content-type", b"application/json")]


class UniqueIds:
    """Answers the second of two requests with the same id in one session with an error.

    The SDK stores one response stream for each id, as text. A second request would
    replace the stream of the first, and one of the two would never be answered.
    """

    def __init__(self, app: ASGIApp, largest_body: int) -> None:
        self._app = app
        self._largest = largest_body
        self._open: set[tuple[bytes, str]] = set()
        """Session and id of each request in progress."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        session = header_of(scope, SESSION) if scope["type"] == "http" else b""
        if not session or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        messages = await self._read(receive)
        identity = _identity(messages)
        if identity is None:
            await self._app(scope, _replay(messages, receive), send)
            return
        key = (session, str(identity))
        if key in self._open:
            await _refuse(identity, send)
            return
        self._open.add(key)
        try:
            await self._app(scope, _replay(messages, receive), send)
        finally:
            self._open.discard(key)

    async def _read(self, receive: Receive) -> list[Message]:
        """Return the messages of the body, up to the size that the SDK accepts."""
        messages: list[Message] = []
        size = 0
        while size <= self._largest:
            message = await receive()
            messages.append(message)
            size += len(message.get("body", b""))
            if not message.get("more_body", False):
                break
        return messages


def _identity(messages: list[Message]) -> str | int | None:
    """Return the id of the request in a body; None for any other body."""
    try:
        value = json.loads(b"".join(each.get("body", b"") for each in messages))
    except (ValueError, RecursionError):  # the SDK answers it
        return None
    if not isinstance(value, dict) or "method" not in value:
        return None
    return request_id(value.get("id"))


def _replay(messages: list[Message], receive: Receive) -> Receive:
    """Return a function that gives the messages already received, then the next."""
    rest = iter(messages)

    async def again() -> Message:
        message = next(rest, None)
        return await receive() if message is None else message

    return again


async def _refuse(identity: str | int, send: Send) -> None:
    problem = f"the id {json.dumps(identity)} belongs to a request in progress"
    error: dict[str, Any] = {
        "code": _INVALID_REQUEST,
        "message": f"{problem}; use another id, or wait for its answer",
    }
    body = {"jsonrpc": "2.0", "id": identity, "error": error}
    await send({"type": "http.response.start", "status": 400, "headers": _JSON})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})
