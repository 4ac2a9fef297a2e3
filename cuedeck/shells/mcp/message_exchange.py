"""Transfer of messages between the stdio stream and the SDK server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from cuedeck.engine.server.server_setup import log_to_workspace
from cuedeck.shells.mcp.server import Service
from cuedeck.shells.mcp.stdio_stream import (
    LONGEST_LINE,
    TOO_LONG,
    StdioStream,
    request_id,
)

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from cuedeck.shells.mcp.server_definition import Start

_DRAIN_SECONDS = 10.0
"""Time to finish open calls after the input ended."""
_UNANSWERED = "subscriptions/listen"


def open_service(start: Start) -> Service:
    """Return the service for a stdio client; it starts to read the workspace at
    once.
    """
    service = Service(start, asks_roots=True)
    log_to_workspace(service.workspaces.log)
    service.workspaces.open_early()
    return service


class Exchange:
    """Passes messages between the stream and an SDK server, and tracks open
    requests.
    """

    def __init__(
        self, stream: StdioStream, first: Sequence[bytes] = (), answered: Any = None
    ) -> None:
        """Start with the lines already read, `first`; the request with the id
        `answered` already has its response.
        """
        self._stream = stream
        self._first = list(first)
        self._answered_early = answered
        self._open: set[Any] = set()
        self._answered = asyncio.Event()

    async def run(self, service: Service) -> None:
        """Serve until the input ends and every request is answered."""
        server = service.build()
        into, received = anyio.create_memory_object_stream[SessionMessage | Exception](
            0
        )
        sent, out = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as group:
            group.start_soon(self._receive, into)
            group.start_soon(self._send, out)
            await server.run(received, sent, server.create_initialization_options())
            group.cancel_scope.cancel()

    async def _receive(
        self, into: MemoryObjectSendStream[SessionMessage | Exception]
    ) -> None:
        async with into:
            while (line := await self._next()) is not None:
                message = await self._parse(line)
                if message is not None:
                    self._note(message)
                    await into.send(SessionMessage(message))
            with anyio.move_on_after(_DRAIN_SECONDS):
                while self._open and not self._stream.broken.is_set():
                    self._answered.clear()
                    await self._answered.wait()

    async def _next(self) -> bytes | None:
        """Return the next line; None at the end of the input."""
        if self._first:
            return self._first.pop(0)
        return await self._stream.receive()

    async def _parse(self, line: bytes) -> types.JSONRPCMessage | None:
        """Return the message of a line; answer an invalid one with an error and return
        None.
        """
        text = line.decode("utf-8", "replace")
        try:
            message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
        except ValidationError:
            message = None
        # A request with an invalid id parses as a notification and would never be
        # answered.
        if message is not None and not (
            isinstance(message, types.JSONRPCNotification) and "id" in json.loads(text)
        ):
            return message
        error, identity = _fault(text)
        if identity is not None and identity == self._answered_early:
            self._answered_early = None
            return None
        await self._write(types.JSONRPCError(jsonrpc="2.0", id=identity, error=error))
        return None

    def _note(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest) and message.method != _UNANSWERED:
            self._open.add(message.id)
        elif (
            isinstance(message, types.JSONRPCNotification)
            and message.method == "notifications/cancelled"
        ):
            self._close((message.params or {}).get("requestId"))

    def _close(self, identity: Any) -> None:
        if isinstance(identity, str | int):
            self._open.discard(identity)
        self._answered.set()

    async def _send(self, out: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with out:
            async for each in out:
                message = each.message
                if not isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
                    await self._write(message)
                    continue
                if message.id is not None and message.id == self._answered_early:
                    self._answered_early = None
                else:
                    await self._write(message)
                self._close(message.id)

    async def _write(self, message: types.JSONRPCMessage) -> None:
        await self._stream.send(
            message.model_dump_json(by_alias=True, exclude_unset=True).encode()
        )


def _fault(text: str) -> tuple[types.ErrorData, Any]:
    """Return the error for an invalid line, and its id if it has one."""
    if text == TOO_LONG.decode():
        return types.ErrorData(
            code=types.INVALID_REQUEST,
            message=f"a message has at most {LONGEST_LINE} bytes",
        ), None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return types.ErrorData(code=types.PARSE_ERROR, message="Parse error"), None
    identity = None
    if isinstance(value, dict):
        identity = request_id(value.get("id"))
    return types.ErrorData(
        code=types.INVALID_REQUEST, message="Invalid request"
    ), identity
