"""MCP over stdin and stdout, for the one client that started the process.

The SDK's transport reads and writes the streams. It drops invalid lines, and its server
abandons open requests when the input ends; `Relay` answers the former and waits for the
latter.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import anyio
import mcp_types as types
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from cuedeck.engine.live.server_setup import (
    log_to_stderr,
    log_to_workspace,
)
from cuedeck.shells.mcp.server import Service

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.shared._stream_protocols import ReadStream, WriteStream

    from cuedeck.shells.mcp.server_definition import Start

_PARENT_CHECK_SECONDS = 1.0
"""Interval between checks whether the parent process is alive."""
_CLOSE_SECONDS = 3.0
_DRAIN_SECONDS = 10.0
"""Time to finish open calls after the input ended."""
_UNANSWERED = "subscriptions/listen"
_ENDING = {"SIGTERM": 0, "SIGINT": 130, "SIGHUP": 0}
"""Exit code for each signal that ends the server."""


def serve_stdio(start: Start) -> NoReturn:
    """Serve until stdin ends, the parent dies, or the process is asked to end; then
    exit.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    log_to_stderr()
    asyncio.run(_serve(start))


async def _serve(start: Start) -> NoReturn:
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    service = Service(start, asks_roots=True)
    log_to_workspace(service.workspaces.log)
    service.workspaces.open_early()
    _on_signals(ended)
    ends: list[asyncio.Future[Any]] = [
        asyncio.create_task(_exchange(service)),
        asyncio.create_task(_wait_for_death_of_parent()),
        ended,
    ]
    done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    for each in done:
        if each.exception() is not None:
            logging.getLogger(__name__).error("failed", exc_info=each.exception())
    service.workspaces.close(_CLOSE_SECONDS)
    # A thread of the transport may wait for input for ever, so the interpreter cannot
    # end in order. An interrupted scan is repeated by the next process.
    os._exit(ended.result() if ended.done() else 0)


def _on_signals(ended: asyncio.Future[int]) -> None:
    loop = asyncio.get_running_loop()

    def end(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    for name, code in _ENDING.items():
        number = getattr(signal, name, None)
        if number is None:
            continue
        try:
            loop.add_signal_handler(number, end, code)
        except NotImplementedError:  # Windows
            signal.signal(
                number, lambda *_, code=code: loop.call_soon_threadsafe(end, code)
            )


async def _wait_for_death_of_parent() -> None:
    """Return when the parent dies: stdin does not end if another process holds a copy
    of the pipe.
    """
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(_PARENT_CHECK_SECONDS)


async def _exchange(service: Service) -> None:
    """Serve until the input ends and every request is answered, or the output is
    closed.
    """
    try:
        async with stdio_server() as (lines, output):
            await Relay(output).run(service, lines)
    except* (BrokenPipeError, anyio.BrokenResourceError):
        pass  # the client reads no more


class Relay:
    """Passes messages between the transport and an SDK server, and tracks open
    requests.
    """

    def __init__(self, output: WriteStream[SessionMessage]) -> None:
        self._output = output
        self._open: set[Any] = set()
        self._closed = asyncio.Event()
        """Set when a request was closed."""

    async def run(
        self, service: Service, lines: ReadStream[SessionMessage | Exception]
    ) -> None:
        """Serve until the input ends and every request is answered."""
        server = service.build()
        into, received = anyio.create_memory_object_stream[SessionMessage | Exception]()
        sent, out = anyio.create_memory_object_stream[SessionMessage]()
        async with self._output, anyio.create_task_group() as group:
            group.start_soon(self._receive, lines, into)
            group.start_soon(self._send, out)
            await server.run(received, sent, server.create_initialization_options())
            group.cancel_scope.cancel()

    async def _receive(
        self,
        lines: ReadStream[SessionMessage | Exception],
        into: MemoryObjectSendStream[SessionMessage | Exception],
    ) -> None:
        async with into:
            async for item in lines:
                if isinstance(item, SessionMessage):
                    self._note(item.message)
                    await into.send(item)
                elif (error := _error_of(item)) is not None:
                    answer = types.JSONRPCError(jsonrpc="2.0", id=None, error=error)
                    await self._output.send(SessionMessage(answer))
            with anyio.move_on_after(_DRAIN_SECONDS):
                while self._open:
                    self._closed.clear()
                    await self._closed.wait()

    async def _send(self, out: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async for each in out:
            await self._output.send(each)
            if isinstance(each.message, types.JSONRPCResponse | types.JSONRPCError):
                self._close(each.message.id)

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
        self._closed.set()


def _error_of(fault: Exception) -> types.ErrorData | None:
    """Return the error for an invalid line; None for a blank one."""
    line = ""
    if isinstance(fault, ValidationError):
        first = fault.errors()[0]
        if first["type"] != "json_invalid":
            return types.ErrorData(
                code=types.INVALID_REQUEST, message="Invalid request"
            )
        line = first["input"]
    if not line.strip():
        return None
    return types.ErrorData(code=types.PARSE_ERROR, message="Parse error")
