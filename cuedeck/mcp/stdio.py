"""The server on standard input and output, for one client that started it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from cuedeck.mcp.logs import log_to_workspace
from cuedeck.mcp.server import Service
from cuedeck.mcp.wire import LONGEST_LINE, TOO_LONG, Wire

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from cuedeck.mcp.start import Start

_DRAIN_SECONDS = 10.0
"""For calls that are being answered when the client says no more."""
_LOOK_SECONDS = 1.0
"""Between two looks whether the parent lives."""
_CLOSE_SECONDS = 3.0
_ENDLESS = "subscriptions/listen"
_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))


def serve_stdio(start: Start) -> int:
    """Serve until stdin ends, the parent dies, or the process is asked to end; return the exit code."""
    return asyncio.run(_serve(start))


async def _serve(start: Start) -> int:
    service = Service(start, asks_roots=True)
    code = 0
    with Wire() as wire:
        log_to_workspace(service.workspaces.log)
        service.workspaces.open_early()
        async with anyio.create_task_group() as group:

            def end(with_code: int = 0) -> None:
                nonlocal code
                code = with_code
                group.cancel_scope.cancel()

            _on_signals(end)
            group.start_soon(_watch_parent, end)
            group.start_soon(_watch_wire, wire, end)
            await _Exchange(wire).run(service)
            group.cancel_scope.cancel()
        if not service.workspaces.close(_CLOSE_SECONDS):
            os._exit(code)  # what is still read is read again; nobody waits for a server that was told to end
    return code


class _Exchange:
    """Messages between the wire and a server of the SDK, and the calls that are not answered yet."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._open: set[Any] = set()
        self._answered = asyncio.Event()

    async def run(self, service: Service) -> None:
        """Serve until the client says no more and everything is answered."""
        server = service.build()
        into, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        sent, out = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as group:
            group.start_soon(self._receive, into)
            group.start_soon(self._send, out)
            await server.run(received, sent, server.create_initialization_options())
            group.cancel_scope.cancel()

    async def _receive(self, into: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        async with into:
            while (line := await self._wire.receive()) is not None:
                message = await self._parse(line)
                if message is not None:
                    self._note(message)
                    await into.send(SessionMessage(message))
            with anyio.move_on_after(_DRAIN_SECONDS):
                while self._open and not self._wire.broken.is_set():
                    self._answered.clear()
                    await self._answered.wait()

    async def _parse(self, line: bytes) -> types.JSONRPCMessage | None:
        """Return the message of a line; one that is none is answered with an error."""
        text = line.decode("utf-8", "replace")
        try:
            message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
        except ValidationError:
            message = None
        # A request whose id is none would pass for a notification, and nobody would answer it.
        if message is not None and not (isinstance(message, types.JSONRPCNotification) and "id" in json.loads(text)):
            return message
        error, identity = _fault(text)
        await self._write(types.JSONRPCError(jsonrpc="2.0", id=identity, error=error))
        return None

    def _note(self, message: types.JSONRPCMessage) -> None:
        if isinstance(message, types.JSONRPCRequest) and message.method != _ENDLESS:
            self._open.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._close((message.params or {}).get("requestId"))

    def _close(self, identity: Any) -> None:
        if isinstance(identity, str | int):
            self._open.discard(identity)
        self._answered.set()

    async def _send(self, out: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with out:
            async for each in out:
                await self._write(each.message)
                if isinstance(each.message, types.JSONRPCResponse | types.JSONRPCError):
                    self._close(each.message.id)

    async def _write(self, message: types.JSONRPCMessage) -> None:
        await self._wire.send(message.model_dump_json(by_alias=True, exclude_unset=True).encode())


def _fault(text: str) -> tuple[types.ErrorData, Any]:
    """Return what is wrong with a line that is no message, and the id it has."""
    if text == TOO_LONG.decode():
        return types.ErrorData(code=types.INVALID_REQUEST, message=f"a message has at most {LONGEST_LINE} bytes"), None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return types.ErrorData(code=types.PARSE_ERROR, message="Parse error"), None
    identity = value.get("id") if isinstance(value, dict) else None
    known = isinstance(identity, str | int) and not isinstance(identity, bool)
    return types.ErrorData(code=types.INVALID_REQUEST, message="Invalid request"), identity if known else None


async def _watch_parent(end: Callable[[], None]) -> None:
    """End when the parent dies: a pipe of which others hold a copy does not tell."""
    parent = os.getppid()
    while os.getppid() == parent:
        await anyio.sleep(_LOOK_SECONDS)
    end()


async def _watch_wire(wire: Wire, end: Callable[[], None]) -> None:
    await wire.broken.wait()
    end()


def _on_signals(end: Callable[[int], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in _ENDING:
        code = 130 if number == signal.SIGINT else 0
        try:
            loop.add_signal_handler(number, end, code)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_, code=code: loop.call_soon_threadsafe(end, code))
